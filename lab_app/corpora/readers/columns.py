"""The columns of a file that is a table, and which of them holds the text."""

import json
from collections.abc import Sequence

from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.readers.json_lines import SURROGATE
from lab_app.corpora.readers.parquet import opened_parquet
from lab_app.corpora.readers.rows import Languages, Source
from lab_app.corpora.readers.tables import table_rows
from lab_app.corpora.readers.text import lines
from lab_app.corpora.report import ReadReport
from lab_app.errors import BadValue

TABLES = ("csv", "tsv", "jsonl", "parquet")
USUAL = ("text", "content", "document", "sentence", "body")
HEAD_BYTES = 1 << 16
MOST_BYTES = 16_000_000


def columns(file: CorpusFile) -> list[str]:
    """The names of the columns, in order; of JSON lines those of the first object that UTF-8 can spell. Empty for files without columns.

    Raises LoadFailed.
    """
    corpus = Corpus("", "", (file,), file.format, file.size_bytes, "")
    source = Source(corpus, file, ReadReport(), Languages(), HEAD_BYTES, MOST_BYTES)
    if file.format == "parquet":
        with opened_parquet(file) as opened:
            return [str(name) for name in opened.schema_arrow.names]
    if file.format in ("csv", "tsv"):
        return next(iter(table_rows(source)), [])
    if file.format == "jsonl":
        for _, block in lines(source, 0, file.size_bytes):
            for line in filter(bytes.strip, block.split(b"\n")):
                return _keys(line)
    return []


def _keys(line: bytes) -> list[str]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return [name for name in value if not SURROGATE.search(name)] if isinstance(value, dict) else []


def text_column(files: Sequence[CorpusFile], wanted: str | None, language: str | None) -> str | None:
    """The column that holds the text of all `files` that are tables: `wanted`, or one whose name says so, or the only one.

    None without tables. Raises BadValue with the columns there are.
    """
    for file in files:
        if file.format not in TABLES:
            continue
        found = columns(file)
        for name in (wanted, language):
            if name is not None and name not in found:
                raise BadValue(f'{file.path} has no column "{name}"', _which(found))
        others = [name for name in found if name != language]
        usual = [name for name in found if name.lower() in USUAL]
        wanted = wanted or (others[0] if len(others) == 1 else min(usual, key=_rank, default=None))
        if wanted is None:
            raise BadValue(f"{file.path} does not say which column holds the text", _which(found))
        twice = next((name for name in (wanted, language) if found.count(name or "") > 1), None)
        if twice is not None:
            raise BadValue(f'{file.path} has {found.count(twice)} columns "{twice}"', "rename all but one of them")
    return wanted if any(file.format in TABLES for file in files) else None


def _rank(name: str) -> int:
    return USUAL.index(name.lower())


def _which(found: Sequence[str]) -> str:
    return "choose one of its columns: " + ", ".join(found) if found else "its first line must name them"
