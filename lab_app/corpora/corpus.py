"""What a corpus is: files where they lie, and how to read them. Nothing here opens a file (`reading` does)."""

from dataclasses import dataclass
from typing import Literal

FileFormat = Literal["txt", "jsonl", "json", "csv", "tsv", "parquet", "file"]
Format = Literal[FileFormat, "topics"]
"""How a file holds documents. `txt` and `jsonl`: one per line; `json`: one per object of an array; `csv`, `tsv` and `parquet`: one per row; `file`: the whole
file is one document (Markdown, source code). `topics`: Python's documentation, one document per topic."""

Compression = Literal["gzip", "zstd"]

NO_COLUMN = ""
"""As the column of languages: none holds them, whatever the columns are called."""


@dataclass(frozen=True)
class CorpusFile:
    """One file of a corpus. `size_bytes` is its size on disk, compressed or not; `modified_ns` the time of its last change
    when it was added; `language` an index into the languages of the corpus; `encoding` a name that Python knows."""

    path: str
    size_bytes: int
    sha256: str
    modified_ns: int
    format: Format
    compression: Compression | None = None
    encoding: str = "utf-8"
    language: int | None = None


@dataclass(frozen=True)
class Corpus:
    """The description of a corpus: small, immutable, picklable.

    `format` is that of all files, or "mixed". `languages` are names; a document's language is an index into them, and the
    tuple is empty where languages are unknown. `scripts` names the script of each language, or is empty. `documents` counts the documents before cleaning, None where it was not
    counted. `bytes` is the size of all files on disk, `text_bytes` that of their text in UTF-8, None where it was not counted. In a parallel corpus (`is_parallel`), document N of each language is the
    same sentence. `cleaning` are the steps applied while reading, in order (`lab_app.corpora.cleaning`).
    """

    id: str
    title: str
    files: tuple[CorpusFile, ...]
    format: str
    bytes: int
    sha256: str
    text_column: str | None = None
    language_column: str | None = None
    languages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    documents: int | None = None
    text_bytes: int | None = None
    is_parallel: bool = False
    cleaning: tuple[str, ...] = ()
    builtin: bool = False
