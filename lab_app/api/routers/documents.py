"""Texts that are edited: `/documents`. Answers are frames, of which every later one holds only what an edit changed.

Edits come one by one, or as messages of a WebSocket that stays open: of a request for every key the larger part is its
headers, on both sides.
"""

from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from lab_app.analysis.divergence import KINDS, Divergences
from lab_app.api.bodies import described, parse
from lab_app.api.frame import MEDIA_TYPE, frame_response, pack
from lab_app.api.handlers import unexpected_error
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import DocumentBody, EditBody, ExcerptBody
from lab_app.errors import LabError
from lab_app.services.documents import Arrays, OpenDocument, open_document, round_trips
from lab_app.services.excerpts import encode_excerpt
from lab_app.services.lab import Lab

router = APIRouter(prefix="/documents", tags=["documents"])
FRAME: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("", summary="Open a text to edit", openapi_extra=described(DocumentBody), responses=FRAME)
async def open_text(request: Request, lab: TheLab, body: RawBody) -> Response:
    """The tokens of a text, and an id under which it can be edited."""
    id, answer = await run_in_threadpool(_opened, lab, body)
    # Who went away, as a page does that was given another text meanwhile, does not know the id and cannot close it.
    if await request.is_disconnected():
        lab.documents.close(id)
    return answer


def _opened(lab: Lab, body: bytes) -> tuple[str, Response]:
    """The id of a document that is open from now on, and the answer that tells it."""
    asked = parse(DocumentBody, body)
    document, tokens, found = open_document(
        lab,
        asked.tokenizers,
        asked.text,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        ignore_spaces=asked.ignore_spaces,
    )
    id = lab.documents.add(document)
    return id, frame_response({"document": id, **_head(document, found)}, [*_tokens(tokens), *_divergences(found)])


@router.post(
    "/excerpt", summary="Encode an excerpt of a long text", openapi_extra=described(ExcerptBody), responses=FRAME
)
def excerpt(lab: TheLab, body: RawBody) -> Response:
    """The tokens that a text has in an excerpt of it: for a window, before the whole is encoded."""
    asked = parse(ExcerptBody, body)
    part = encode_excerpt(
        lab,
        asked.tokenizers,
        asked.text,
        starts=asked.starts,
        ends=asked.ends,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        ignore_spaces=asked.ignore_spaces,
    )
    if part is None:
        return frame_response({"known_utf8": None, "known_utf16": None}, [])
    head: dict[str, Any] = {"known_utf8": part.known_utf8, "known_utf16": part.known_utf16}
    if part.divergences is not None:
        head["divergence_kinds"] = KINDS
    return frame_response(head, [*_tokens(part.tokens), *_divergences(part.divergences)])


@router.post("/{id}/edits", summary="Edit an open text", openapi_extra=described(EditBody), responses=FRAME)
def edit_text(lab: TheLab, id: str, body: RawBody) -> Response:
    """What an edit changed."""
    return Response(_edited(lab, id, body), media_type=MEDIA_TYPE)


@router.websocket("/{id}/edits")
async def edit_line(socket: WebSocket, id: str) -> None:
    """The same edits as messages: a body comes, a frame goes back. An error is told as everywhere and ends the line."""
    await socket.accept()
    with suppress(WebSocketDisconnect):  # whoever asked may leave while an edit is under way
        while (message := await socket.receive())["type"] == "websocket.receive":
            body = message.get("bytes") or (message.get("text") or "").encode()
            try:
                answer = await run_in_threadpool(_edited, socket.app.state.lab, id, body)
            except Exception as error:
                told = error if isinstance(error, LabError) else unexpected_error(error)
                await socket.send_json(told.as_json())
                await socket.close()
                return
            await socket.send_bytes(answer)


def _edited(lab: Lab, id: str, body: bytes) -> bytes:
    """The frame that answers an edit. Raises what `OpenDocument.edit` raises, and Gone."""
    asked = parse(EditBody, body)
    document: OpenDocument = lab.documents.get(id)
    with document.lock:
        try:
            edit = document.edit(asked.version, asked.start_utf16, asked.end_utf16, asked.text)
        except LabError:
            # Whatever was wrong, the page and the document may not agree any more.
            lab.documents.close(id)
            raise
        head = _head(document, edit.divergences)
    head |= {"shift_utf8": edit.shift_utf8, "shift_utf16": edit.shift_utf16, "compared_utf16": edit.old_utf16}
    for result, lane in zip(head["tokenizers"], edit.lanes, strict=True):
        result |= {"first": lane.first, "removed": lane.removed}
    tokens = _tokens([lane.arrays for lane in edit.lanes])
    return pack(head, [*tokens, *_divergences(edit.divergences)])


@router.get(
    "/{id}/round_trip",
    summary="Check whether decoding returns the text",
    responses={200: {"model": answers.RoundTrip}},
)
def round_trip(lab: TheLab, id: str) -> Response:
    """Decodes the whole text, which takes long for a long one: to be asked when the typing pauses."""
    version, exact = round_trips(lab, lab.documents.get(id))
    return JSONResponse({"version": version, "round_trip": exact})


@router.delete("/{id}", summary="Close a text", status_code=204)
def close_text(lab: TheLab, id: str) -> Response:
    """Frees its memory; one that is not open is no error."""
    lab.documents.close(id)
    return Response(status_code=204)


def _head(document: OpenDocument, found: Divergences | None) -> dict[str, Any]:
    head = {
        "version": document.version,
        "text_bytes": document.engine.text_bytes,
        "text_characters": document.engine.text_characters,
        "tokenizers": document.summaries(),
    }
    return head if found is None else {**head, "agreement": document.agreement(), "divergence_kinds": KINDS}


def _tokens(lanes: list[Arrays]) -> list[tuple[str, Any]]:
    return [(f"{n}/{name}", array) for n, arrays in enumerate(lanes) for name, array in arrays.items()]


def _divergences(found: Divergences | None) -> list[tuple[str, Any]]:
    return [] if found is None else [(f"divergences/{name}", array) for name, array in found.arrays.items()]
