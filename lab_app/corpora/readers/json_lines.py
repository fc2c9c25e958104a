"""JSON lines: a document is a field of the object in each line, or a field of an object in it, such as `data.text`.

Source: jsonlines.org.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from lab_app.corpora.readers.rows import Rows, Source, as_rows
from lab_app.corpora.readers.text import lines
from lab_app.corpora.report import ReadReport
from lab_app.corpora.streams import REPLACEMENT

SURROGATE = re.compile("[\ud800-\udfff]")


def read_json_lines(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The text column of the lines that start in the bytes `start` to `end`. Other lines are skipped and reported."""
    corpus = source.corpus
    for at, block in lines(source, start, end):
        texts: list[str] = []
        languages: list[int] = []
        for line in block.split(b"\n"):
            value = _parsed(line, at, source) if line.strip() else None
            if value is not None:
                text = field(value, corpus.text_column or "")
                if text is not None and not isinstance(text, str):
                    source.report.skip(
                        f"{source.file.path} byte {at}",
                        f'column "{corpus.text_column}" holds {json.dumps(text)[:40]}, which is not text',
                    )
                else:
                    texts.append(_whole_characters(text or "", source.report))
                    if corpus.language_column:
                        language = str(field(value, corpus.language_column) or "")
                        languages.append(source.languages.number(_whole_characters(language, source.report)))
            at += len(line) + 1
        yield as_rows(texts, languages if corpus.language_column else None)


def field(value: dict[str, Any], name: str) -> Any:
    """The field `name`; without one, that of the object in the field before a dot. None if there is none.

    >>> field({"data": {"text": "a"}}, "data.text"), field({"data.text": "b"}, "data.text"), field({"data": 1}, "data.text")
    ('a', 'b', None)
    """
    if name in value:
        return value[name]
    outer, dot, inner = name.partition(".")
    return field(value[outer], inner) if dot and isinstance(value.get(outer), dict) else None


def _whole_characters(text: str, report: ReadReport) -> str:
    """The text with U+FFFD for each half of a surrogate pair, which JSON can spell and UTF-8 cannot; the report counts them."""
    if text.isascii():
        return text
    whole, count = SURROGATE.subn(REPLACEMENT, text)
    report.replaced_characters += count
    return whole


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
