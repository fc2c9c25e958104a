"""Answers of results: JSON, and frames of encodings. Needs neither FastAPI, pydantic nor numpy (see `quick_start.first_calls`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from lab_app.api.frame import Column, frame_response
from lab_app.engine import Encoding
from lab_app.json_text import json_text
from lab_app.services.text.results import Result

if TYPE_CHECKING:
    import numpy as np

    from lab_app.services.text.compare import Comparison

    Arrays = list[tuple[str, np.ndarray[Any, Any] | Column]]


def json_response(value: object, status: int = 200) -> Response:
    """A result as JSON."""
    return Response(json_text(value), status, media_type="application/json")


def result_frame(result: Result) -> Response:
    """One text under one tokenizer."""
    return frame_response(result.summary(), _arrays(result))


def comparison_frame(found: Comparison) -> Response:
    """One text under several tokenizers, and where they differ."""
    arrays: Arrays = [array for number, result in enumerate(found.results) for array in _arrays(result, f"{number}/")]
    arrays += [(f"divergences/{name}", array) for name, array in found.divergences.arrays.items()]
    return frame_response(found.head(), arrays)


def _arrays(result: Result, prefix: str = "") -> Arrays:
    if isinstance(result.encoding, Encoding):
        return [(f"{prefix}{name}", Column(dtype, data)) for name, dtype, data in result.encoding.columns()]
    utf8, utf16 = result.span_utf8, result.encoding.span_utf16
    return [
        (f"{prefix}ids", result.ids),
        (f"{prefix}start_utf8", utf8[:, 0]),
        (f"{prefix}end_utf8", utf8[:, 1]),
        (f"{prefix}start_utf16", utf16[:, 0]),
        (f"{prefix}end_utf16", utf16[:, 1]),
        (f"{prefix}flags", result.flags),
    ]
