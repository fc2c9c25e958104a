"""Texts that are edited: `/documents`. Answers are frames; those of edits hold only what changed.

Edits come as requests, or as messages of a WebSocket: for an edit at every key, headers would be most of the traffic.
"""

from contextlib import suppress
from typing import Any

from fastapi import Request, Response, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from lab_app.analysis.divergence import Divergences
from lab_app.api.bodies import parse, turn
from lab_app.api.frame import FRAME, MEDIA_TYPE, frame_response, pack
from lab_app.api.handlers import unexpected_error
from lab_app.api.json_route import json_router
from lab_app.api.requests import DocumentBody, EditBody, ExcerptBody
from lab_app.api.routes.lab import TheLab
from lab_app.errors import LabError
from lab_app.services.lab import Lab
from lab_app.services.text.documents import Arrays, OpenedHead, RoundTrips, open_document, round_trips
from lab_app.services.text.excerpts import ExcerptHead, encode_excerpt
from lab_app.services.text.open_documents import OpenDocuments

router = json_router("documents")


@router.post("/documents", summary="Open a text to edit", response_class=Response, responses=FRAME)
async def open_text(request: Request, lab: TheLab, body: DocumentBody) -> Response:
    """The tokens of a text, and an id under which it can be edited."""
    id, answer = await run_in_threadpool(_opened, lab, body)
    # A client that disconnected never learns the id, so it cannot close the document.
    if await request.is_disconnected():
        lab.own(OpenDocuments).close(id)
    return answer


def _opened(lab: Lab, body: DocumentBody) -> tuple[str, Response]:
    """Opens a document: its id, and the answer."""
    document, tokens, found = open_document(
        lab, body.tokenizers, body.text, ignore_spaces=body.ignore_spaces, **body.text_options()
    )
    id = lab.own(OpenDocuments).add(document)
    head = OpenedHead(**vars(document.head()), document=id)
    return id, frame_response(head, [*_tokens(tokens), *_divergences(found)])


@router.post("/documents/excerpt", summary="Encode an excerpt of a long text", response_class=Response, responses=FRAME)
def excerpt(lab: TheLab, body: ExcerptBody) -> Response:
    """The tokens of a long text in an excerpt of it: for a window, before the whole text is encoded."""
    part = encode_excerpt(
        lab,
        body.tokenizers,
        body.text,
        starts=body.starts,
        ends=body.ends,
        ignore_spaces=body.ignore_spaces,
        **body.text_options(),
    )
    if part is None:
        return frame_response(ExcerptHead(None, None, None), [])
    return frame_response(part.head(), [*_tokens(part.tokens), *_divergences(part.divergences)])


@router.post("/documents/{id}/edits", summary="Edit an open text", response_class=Response, responses=FRAME)
def edit_text(lab: TheLab, id: str, body: EditBody) -> Response:
    """What an edit changed."""
    return Response(_edited(lab, id, body), media_type=MEDIA_TYPE)


@router.websocket("/documents/{id}/edits")
async def edit_line(socket: WebSocket, id: str) -> None:
    """Edits as messages: each is the body of an edit, each answer a frame. An error has the usual shape and closes the socket."""
    await socket.accept()
    with suppress(WebSocketDisconnect):  # whoever asked may leave while an edit is under way
        while (message := await socket.receive())["type"] == "websocket.receive":
            body = message.get("bytes") or (message.get("text") or "").encode()
            try:
                async with turn(len(body)):
                    answer = await run_in_threadpool(_edit_message, socket.app.state.lab, id, body)
            except Exception as error:
                shown = error if isinstance(error, LabError) else unexpected_error(error)
                await socket.send_json(shown.as_json())
                await socket.close()
                return
            await socket.send_bytes(answer)


def _edit_message(lab: Lab, id: str, body: bytes) -> bytes:
    return _edited(lab, id, parse(EditBody, body))


def _edited(lab: Lab, id: str, body: EditBody) -> bytes:
    """The frame that answers an edit. Raises what `OpenDocument.edit` raises, and DocumentClosed."""
    document = lab.own(OpenDocuments).get(id)
    with document.lock:
        try:
            edit = document.edit(body.version, body.start_utf16, body.end_utf16, body.text)
        except LabError:
            # Whatever was wrong, the page and the document may not agree any more.
            lab.own(OpenDocuments).close(id)
            raise
        head = document.head_of(edit)
    tokens = _tokens([lane.arrays for lane in edit.lanes])
    return pack(head, [*tokens, *_divergences(edit.divergences)])


@router.get("/documents/{id}/round_trip", summary="Check whether decoding returns the text")
def round_trip(lab: TheLab, id: str) -> RoundTrips:
    """Decodes the whole text: for a long one, ask when typing pauses."""
    return round_trips(lab, lab.own(OpenDocuments).get(id))


@router.delete("/documents/{id}", summary="Close a text", status_code=204)
def close_text(lab: TheLab, id: str) -> None:
    """Frees its memory. Closing a text that is not open is no error."""
    lab.own(OpenDocuments).close(id)


def _tokens(lanes: list[Arrays]) -> list[tuple[str, Any]]:
    return [(f"{n}/{name}", array) for n, arrays in enumerate(lanes) for name, array in arrays.items()]


def _divergences(found: Divergences | None) -> list[tuple[str, Any]]:
    return [] if found is None else [(f"divergences/{name}", array) for name, array in found.arrays.items()]
