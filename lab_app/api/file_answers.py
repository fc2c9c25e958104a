"""Answers that are files to save. Not here: what is in them (`lab_app.reports`)."""

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse

from lab_app.reports.formats import MEDIA_TYPES


def declared_files(formats: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    """What a route says of its answer in the document of the interface."""
    return {200: {"content": {MEDIA_TYPES[format].partition(";")[0]: {} for format in formats}}}


def file_answer(content: str | bytes | Iterator[str], name: str) -> Response:
    """A file, or its parts, in the format that `name` ends with, one of `MEDIA_TYPES`.

    `name` needs no quoting rules: letters, digits, dots, hyphens and underscores.
    """
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    media_type = MEDIA_TYPES[name.rpartition(".")[2]]
    if isinstance(content, str | bytes):
        return Response(content, media_type=media_type, headers=headers)
    return StreamingResponse((part.encode() for part in content), media_type=media_type, headers=headers)
