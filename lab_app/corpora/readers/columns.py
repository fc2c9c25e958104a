"""The columns of a file that is a table, and which of them hold the text and its language."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.readers.json_array import array_values
from lab_app.corpora.readers.objects import MAX_DEPTH, SURROGATE
from lab_app.corpora.readers.parquet import columns_of, opened_parquet
from lab_app.corpora.readers.rows import Languages, Source
from lab_app.corpora.readers.tables import table_rows
from lab_app.corpora.readers.text import lines
from lab_app.corpora.report import ReadReport
from lab_app.errors import BadValue

TABLES = ("csv", "tsv", "jsonl", "json", "parquet")
USUAL = ("text", "content", "document", "sentence", "body", "messages", "conversations", "conversation")
USUAL_FOR_LANGUAGES = ("language", "lang", "locale")
HEAD_BYTES = 1 << 16
MOST_BYTES = 16_000_000
MOST_VALUES = 1000
"""Of a file of JSON that are looked at to find the first object: others are skipped and reported when it is read."""


def columns(file: CorpusFile) -> list[str]:
    """The names of the columns, in order; of JSON the fields of the first object that UTF-8 can spell, `a.b` for the
    field b of the object a, and likewise for structs of Parquet. Empty for files without columns.

    Raises LoadFailed.
    """
    corpus = Corpus("", "", (file,), file.format, file.size_bytes, "")
    source = Source(corpus, file, ReadReport(), Languages(), HEAD_BYTES, MOST_BYTES)
    if file.format == "parquet":
        with opened_parquet(file) as opened:
            return columns_of(opened.schema_arrow)
    if file.format in ("csv", "tsv"):
        return next(iter(table_rows(source)), [])
    if file.format == "jsonl":
        found = (line for _, block in lines(source, 0, file.size_bytes) for line in block.split(b"\n"))
        return _keys_of_first(map(_parsed, filter(bytes.strip, found)))
    if file.format == "json":
        return _keys_of_first(array_values(source))
    return []


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _keys_of_first(values: Iterable[Any]) -> list[str]:
    """The names of the fields of the first object that has some."""
    objects = (value for value in islice(values, MOST_VALUES) if isinstance(value, dict))
    names = ([name for name in _names(value) if not SURROGATE.search(name)] for value in objects)
    return next(filter(None, names), [])


def _names(value: dict[str, Any], depth: int = MAX_DEPTH) -> Iterator[str]:
    """The names of the fields; those of an object in a field after the field's name and a dot."""
    for name, inner in value.items():
        if isinstance(inner, dict) and inner and depth:
            yield from (f"{name}.{each}" for each in _names(inner, depth - 1))
        else:
            yield name


def chosen_columns(
    files: Sequence[CorpusFile], text: str | None, language: str | None
) -> tuple[str | None, str | None]:
    """The columns of all `files` that are tables: that of the text, and that of the language of each row.

    The text is in `text`, or in a column whose name says so, or in the only one. The language is in `language`; if that is
    None, in a column whose name says so, if all files are tables with that column; "" means that no column holds it.
    Returns (None, None) without tables. Raises BadValue with the columns there are.
    """
    tables = [(file, columns(file)) for file in files if file.format in TABLES]
    if language is None and len(tables) == len(files):
        everywhere = set.intersection(*({*found} - {text} for _, found in tables)) if tables else set()
        language = _usual(sorted(everywhere), USUAL_FOR_LANGUAGES)
    language = language or None
    for file, found in tables:
        if not file.size_bytes:
            raise BadValue(f"{file.path} is empty", "give a file with text")
        for name in (text, language):
            if name is not None and name not in found:
                raise BadValue(f'{file.path} has no column "{name}"', _which(file, found))
        others = [name for name in found if name != language]
        text = text or (others[0] if len(others) == 1 else _usual(found, USUAL))
        if text is None:
            raise BadValue(f"{file.path} does not say which column holds the text", _which(file, found))
        twice = next((name for name in (text, language) if found.count(name or "") > 1), None)
        if twice is not None:
            raise BadValue(f'{file.path} has {found.count(twice)} columns "{twice}"', "rename all but one of them")
    return (text, language) if tables else (None, language)


def _usual(found: Sequence[str], names: Sequence[str]) -> str | None:
    """The column that has the first of the `names`, in any case."""
    usual = [name for name in found if name.lower() in names]
    return min(usual, key=lambda name: names.index(name.lower()), default=None)


def _which(file: CorpusFile, found: Sequence[str]) -> str:
    if found:
        return "choose one of its columns: " + ", ".join(found)
    needed = {
        "jsonl": f"it has no objects with fields among its first {MOST_VALUES} lines: write {{...}} in each line",
        "json": f"it has no objects with fields among its first {MOST_VALUES} items: write [{{...}}, {{...}}]",
    }
    return needed.get(file.format, "its first line must name them")
