"""Answers that are files to save. Not here: what is in them (`lab_app.reports`)."""

from collections.abc import Iterable
from typing import Any

from fastapi import Response

from lab_app.reports.formats import MEDIA_TYPES


def declared_files(formats: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    """What a route says of its answer in the document of the interface."""
    return {200: {"content": {MEDIA_TYPES[format].partition(";")[0]: {} for format in formats}}}


def file_answer(content: str | bytes, name: str, format: str) -> Response:
    """A file in one of the formats that `MEDIA_TYPES` has. `name` needs no quoting rules: letters, digits, dots and hyphens."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format}"'}
    return Response(content, media_type=MEDIA_TYPES[format], headers=headers)
