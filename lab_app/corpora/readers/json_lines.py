"""JSON lines: each line is an object that holds a document. Source: jsonlines.org."""

import json
from collections.abc import Iterator
from typing import Any

from lab_app.corpora.readers.objects import ObjectRows
from lab_app.corpora.readers.rows import Rows, Source
from lab_app.corpora.readers.text import lines


def read_json_lines(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The text column of the lines that start in the bytes `start` to `end`. Other lines are skipped and reported."""
    rows = ObjectRows(source)
    for at, block in lines(source, start, end):
        for line in block.split(b"\n"):
            value = _parsed(line, at, source) if line.strip() else None
            if value is not None:
                rows.add(value, f"{source.file.path} byte {at}")
            at += len(line) + 1
        yield rows.taken()


def _parsed(line: bytes, at: int, source: Source) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        source.report.skip(f"{source.file.path} byte {at}", f"the line is not JSON: {error}")
        return None
    if isinstance(value, dict):
        return value
    source.report.skip(f"{source.file.path} byte {at}", "the line is not an object: write one {...} per line")
    return None
