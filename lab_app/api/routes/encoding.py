"""Texts to ids and back: `/tokenize`, `/tokenize_batch`, `/tokenize_rows`, `/decode`, `/decode_batch`, `/compare`, `/textbook_encoders`."""

from collections.abc import Iterator
from itertools import chain

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from lab_app.api import rows
from lab_app.api.answers import comparison_frame, result_frame
from lab_app.api.bodies import RawBody, wants_frame
from lab_app.api.frame import FRAME, frame_response
from lab_app.api.json_route import json_router
from lab_app.api.quick_start.quick import quick
from lab_app.api.requests import (
    CompareBody,
    DecodeBatchBody,
    DecodeBody,
    TextbookBody,
    TokenizeBatchBody,
    TokenizeBody,
)
from lab_app.api.routes.lab import TheLab
from lab_app.errors import BadValue
from lab_app.library.entry import Entry
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.lab import Lab
from lab_app.services.text.compare import ComparisonResult
from lab_app.services.text.compare import compare as compare_texts
from lab_app.services.text.decode import Decoded, DecodedBatch, decoded
from lab_app.services.text.decode import decode_batch as decode_rows
from lab_app.services.text.encode import BatchResult, encode, encode_batch
from lab_app.services.text.lengths import UNCHANGED, Lengths
from lab_app.services.text.results import EncodingResult, ResultFields
from lab_app.services.text.textbook_encoders import TextbookEncodings, textbook_encodings
from lab_app.settings import DEFAULT_SPECIALS, SpecialText

router = json_router("encode")
# An answer larger than this is sent in chunks while it is written.
STREAMED_BYTES = 1_000_000


def _quickly_tokenized(request: Request, lab: Lab, body: TokenizeBody) -> Response | None:
    """The answer of `tokenize`, if the tokenizer is at hand."""
    loaded = lab.loaded.quick(body.tokenizer) if body.as_options(Lengths) == UNCHANGED else None
    return None if loaded is None else _tokenized(request, lab, body, loaded)


@router.post("/tokenize", summary="Encode a text", response_model=EncodingResult | ResultFields, responses=FRAME)
@quick(TokenizeBody, _quickly_tokenized)
def tokenize(request: Request, lab: TheLab, body: TokenizeBody) -> Response:
    """One text as tokens with their spans."""
    return _tokenized(request, lab, body)


def _tokenized(
    request: Request, lab: Lab, body: TokenizeBody, loaded: tuple[Entry, AnyTokenizer] | None = None
) -> Response:
    frame = wants_frame(request)
    if frame and body.pair is not None:
        raise BadValue("pair has no binary form", "ask for application/json")
    if frame and body.fields is not None:
        raise BadValue("fields has no binary form", "ask for application/json")
    result = encode(
        lab,
        body.tokenizer,
        body.text,
        body.pair,
        **body.text_options(),
        lengths=body.as_options(Lengths),
        loaded=loaded,
    )
    if frame:
        return result_frame(result)
    return _written(result.json_chunks(body.fields))


@router.post("/tokenize_batch", summary="Encode many texts", response_model=BatchResult, responses=FRAME)
def tokenize_batch(request: Request, lab: TheLab, body: TokenizeBatchBody) -> Response:
    """Many texts as IDs."""
    batch = encode_batch(lab, body.tokenizer, body.texts, **body.text_options(), lengths=body.as_options(Lengths))
    if not wants_frame(request):
        return _written(batch.json_chunks())
    names = ("ids", "row_starts", "attention_mask")
    return frame_response(batch.head(), [(name, getattr(batch, name)) for name in names])


@router.post(
    "/tokenize_rows",
    summary="Encode rows of texts",
    response_class=StreamingResponse,
    responses={200: {"content": rows.ANSWERS}},
    openapi_extra={"requestBody": {"required": True, "content": rows.MEDIA}},
)
def tokenize_rows(
    request: Request,
    lab: TheLab,
    body: RawBody,
    tokenizer: str,
    add_special_tokens: bool = True,
    specials: SpecialText = DEFAULT_SPECIALS,
) -> Response:
    """Texts as lines of JSON, as a stream of Arrow or as plain text; the IDs of each as lines or as Arrow."""
    texts = rows.texts_of(body, request.headers.get("content-type", rows.LINES))
    batch = encode_batch(lab, tokenizer, texts, add_special_tokens=add_special_tokens, specials=specials)
    wanted = rows.ARROW if rows.ARROW in request.headers.get("accept", "") else rows.LINES
    return StreamingResponse(rows.written(batch, wanted), media_type=wanted)


@router.post("/decode", summary="Decode IDs")
def decode(lab: TheLab, body: DecodeBody) -> Decoded:
    """The text of some IDs, and its bytes."""
    return decoded(lab, body.tokenizer, body.ids, skip_special_tokens=body.skip_special_tokens)


@router.post("/decode_batch", summary="Decode many rows of IDs")
def decode_batch(lab: TheLab, body: DecodeBatchBody) -> DecodedBatch:
    """One text per row."""
    return decode_rows(lab, body.tokenizer, body.batch, skip_special_tokens=body.skip_special_tokens)


@router.post("/compare", summary="Compare tokenizers on a text", response_model=ComparisonResult, responses=FRAME)
def compare(request: Request, lab: TheLab, body: CompareBody) -> Response:
    """One text under several tokenizers, and where they differ."""
    found = compare_texts(lab, body.tokenizers, body.text, **body.text_options())
    return comparison_frame(found) if wants_frame(request) else _written(found.json_chunks())


@router.post("/textbook_encoders", summary="Encode with textbook BPE algorithms")
def textbook_encoders(lab: TheLab, body: TextbookBody) -> TextbookEncodings:
    """One text under the textbook algorithms of byte-pair encoding, with the steps that each takes."""
    return textbook_encodings(lab, body.tokenizer, body.text, body.algorithms)


def _written(chunks: Iterator[bytes]) -> Response:
    """The answer in one piece if it is small: each chunk of a stream costs a change of thread."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > STREAMED_BYTES:
            return StreamingResponse(chain([b"".join(parts)], chunks), media_type="application/json")
    return Response(b"".join(parts), media_type="application/json")
