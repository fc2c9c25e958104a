"""Texts to ids and back: `/tokenize`, `/tokenize_batch`, `/decode`, `/decode_batch`, `/compare`, `/classic`."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from lab_app.analysis.divergence import KINDS
from lab_app.api.bodies import described, parse, wants_frame
from lab_app.api.frame import MEDIA_TYPE, frame_response
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import (
    ClassicBody,
    CompareBody,
    DecodeBatchBody,
    DecodeBody,
    TokenizeBatchBody,
    TokenizeBody,
)
from lab_app.errors import BadValue
from lab_app.services.classic import classic as run_classic
from lab_app.services.compare import Comparison
from lab_app.services.compare import compare as compare_texts
from lab_app.services.decode import decode as decode_ids
from lab_app.services.decode import decode_batch as decode_batch_of_ids
from lab_app.services.decode import text_of
from lab_app.services.encode import encode, encode_batch
from lab_app.services.results import Result

router = APIRouter(tags=["encode"])
FRAME: dict[str, Any] = {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}


@router.post(
    "/tokenize",
    summary="Encode a text",
    openapi_extra=described(TokenizeBody),
    responses={200: {"model": answers.Result, "content": FRAME}},
)
def tokenize(request: Request, lab: TheLab, body: RawBody) -> Response:
    """One text as tokens with their spans."""
    asked = parse(TokenizeBody, body)
    if wants_frame(request) and asked.pair is not None:
        raise BadValue("pair has no binary form", "ask for application/json")
    result = encode(
        lab,
        asked.tokenizer,
        asked.text,
        asked.pair,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        lengths=asked.lengths(),
    )
    if wants_frame(request):
        return frame_response(result.summary(), _arrays(result))
    return _stream(result.json_chunks())


@router.post(
    "/tokenize_batch",
    summary="Encode many texts",
    openapi_extra=described(TokenizeBatchBody),
    responses={200: {"model": answers.Batch, "content": FRAME}},
)
def tokenize_batch(request: Request, lab: TheLab, body: RawBody) -> Response:
    """Many texts as ids."""
    asked = parse(TokenizeBatchBody, body)
    batch = encode_batch(
        lab,
        asked.tokenizer,
        asked.texts,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        lengths=asked.lengths(),
    )
    if wants_frame(request):
        arrays: list[tuple[str, np.ndarray[Any, Any]]] = [
            ("ids", batch.ids),
            ("row_starts", batch.row_starts),
            ("attention_mask", batch.attention_mask),
        ]
        return frame_response({"tokenizer": batch.id, "rows": len(asked.texts)}, arrays)
    starts = batch.row_starts.tolist()
    rows = {
        name: [flat[start:end] for start, end in pairwise(starts)]
        for name, flat in (("ids", batch.ids.tolist()), ("attention_mask", batch.attention_mask.tolist()))
    }
    return JSONResponse({"tokenizer": batch.id, "counts": np.diff(batch.row_starts).tolist(), **rows})


@router.post(
    "/decode", summary="Decode ids", openapi_extra=described(DecodeBody), responses={200: {"model": answers.Decoded}}
)
def decode(lab: TheLab, body: RawBody) -> Response:
    """The text, and the bytes, that ids stand for."""
    asked = parse(DecodeBody, body)
    data = decode_ids(lab, asked.tokenizer, asked.ids, skip_special_tokens=asked.skip_special_tokens)
    return JSONResponse({"text": text_of(data), "bytes": data.hex()})


@router.post(
    "/decode_batch",
    summary="Decode many rows of ids",
    openapi_extra=described(DecodeBatchBody),
    responses={200: {"model": answers.DecodedBatch}},
)
def decode_batch(lab: TheLab, body: RawBody) -> Response:
    """One text per row."""
    asked = parse(DecodeBatchBody, body)
    texts = decode_batch_of_ids(lab, asked.tokenizer, asked.batch, skip_special_tokens=asked.skip_special_tokens)
    return JSONResponse({"texts": texts})


@router.post(
    "/compare",
    summary="Compare tokenizers on a text",
    openapi_extra=described(CompareBody),
    responses={200: {"model": answers.Comparison, "content": FRAME}},
)
def compare(request: Request, lab: TheLab, body: RawBody) -> Response:
    """One text under several tokenizers, and where they differ."""
    asked = parse(CompareBody, body)
    found = compare_texts(
        lab,
        asked.tokenizers,
        asked.text,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        ignore_spaces=asked.ignore_spaces,
    )
    return _comparison_frame(found) if wants_frame(request) else _stream(found.json_chunks())


@router.post(
    "/classic",
    summary="Encode with textbook BPE algorithms",
    openapi_extra=described(ClassicBody),
    responses={200: {"model": answers.Classics}},
)
def classic(lab: TheLab, body: RawBody) -> Response:
    """One text under the textbook encoders of byte-pair encoding, with the steps each took."""
    asked = parse(ClassicBody, body)
    results = run_classic(lab, asked.tokenizer, asked.text, asked.algorithms)
    return JSONResponse({"tokenizer": asked.tokenizer, "encoders": [result.as_json() for result in results]})


def _stream(chunks: Iterator[str]) -> StreamingResponse:
    return StreamingResponse((chunk.encode() for chunk in chunks), media_type="application/json")


def _arrays(result: Result, prefix: str = "") -> list[tuple[str, np.ndarray[Any, Any]]]:
    utf8, utf16 = result.span_utf8, result.encoding.span_utf16
    return [
        (f"{prefix}ids", result.ids),
        (f"{prefix}start_utf8", utf8[:, 0]),
        (f"{prefix}end_utf8", utf8[:, 1]),
        (f"{prefix}start_utf16", utf16[:, 0]),
        (f"{prefix}end_utf16", utf16[:, 1]),
        (f"{prefix}flags", result.flags),
    ]


def _comparison_frame(found: Comparison) -> Response:
    arrays = [array for number, result in enumerate(found.results) for array in _arrays(result, f"{number}/")]
    arrays += [(f"divergences/{name}", array) for name, array in found.divergences.arrays.items()]
    header = {**found.head(), "tokenizers": [result.summary() for result in found.results], "divergence_kinds": KINDS}
    return frame_response(header, arrays)
