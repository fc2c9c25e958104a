"""Reads the documents of a partition as batches, streamed: memory depends on the sizes given here, not on the corpus.

Not here: how a partition is chosen (`partitions`), how a format holds documents (`readers`).
"""

from collections.abc import Callable, Iterator

import numpy as np

from lab_app.corpora.batch import Batch
from lab_app.corpora.cleaning.cleaner import Cleaner
from lab_app.corpora.cleaning.steps import NEEDS_ALL
from lab_app.corpora.corpus import Corpus, Format
from lab_app.corpora.partitions import Partition
from lab_app.corpora.readers.json_array import read_json_array
from lab_app.corpora.readers.json_lines import read_json_lines
from lab_app.corpora.readers.parquet import read_parquet
from lab_app.corpora.readers.rows import Languages, Rows, Source
from lab_app.corpora.readers.tables import read_table
from lab_app.corpora.readers.text import read_text
from lab_app.corpora.readers.whole import read_topics, read_whole
from lab_app.corpora.report import ReadReport

BATCH_BYTES = 1_000_000
MAX_DOCUMENT_BYTES = 16_000_000

READERS: dict[Format, Callable[[Source, int, int], Iterator[Rows]]] = {
    "txt": read_text,
    "jsonl": read_json_lines,
    "json": read_json_array,
    "csv": read_table,
    "tsv": read_table,
    "parquet": read_parquet,
    "file": read_whole,
    "topics": read_topics,
}


def batches(
    corpus: Corpus,
    partition: Partition,
    batch_bytes: float = BATCH_BYTES,
    *,
    report: ReadReport | None = None,
    max_document_bytes: float = MAX_DOCUMENT_BYTES,
) -> Iterator[Batch]:
    """The documents of a partition in the order of the corpus, about `batch_bytes` of text at a time.

    A document above `max_document_bytes` is skipped and has a place in the `report`; empty ones are left out, but not those
    of a parallel corpus, whose numbers must agree. Raises LoadFailed for a file that is gone, damaged or has changed since
    it was added; ValueError for a part of a corpus whose duplicates are removed.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from lab_app.corpora.describe import describe
    >>> from lab_app.corpora.partitions import partitions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "two.txt").write_text("one line\\n\\nanother\\n")
    ...     corpus = describe([folder])
    ...     [batch.strings() for part in partitions(corpus) for batch in batches(corpus, part)]
    [['one line', 'another']]
    """
    report = ReadReport() if report is None else report
    first = 0
    rows = rows_of(corpus, partition, int(batch_bytes), report, Languages(corpus.languages), int(max_document_bytes))
    if corpus.cleaning:
        if NEEDS_ALL in corpus.cleaning and partition.size_bytes != corpus.bytes:
            raise ValueError(f"{NEEDS_ALL} needs the whole corpus, and this partition is a part of it")
        rows = _not_empty(corpus, Cleaner(corpus.cleaning, report).rows(rows), report)
    for text, ends, languages in _gathered(rows, int(batch_bytes)):
        yield Batch(text, ends, languages, first)
        first += len(ends)
        report.documents += len(ends)
        report.bytes += len(text)


def rows_of(
    corpus: Corpus, partition: Partition, batch_bytes: int, report: ReadReport, languages: Languages, most: int
) -> Iterator[Rows]:
    """The documents of a partition before cleaning, as its readers return them, without the empty ones."""
    return _not_empty(corpus, _read(corpus, partition, batch_bytes, report, languages, most), report)


def _read(
    corpus: Corpus, partition: Partition, batch_bytes: int, report: ReadReport, languages: Languages, most: int
) -> Iterator[Rows]:
    for index in range(partition.first_file, partition.end_file):
        file = corpus.files[index]
        alone = partition.end_file - partition.first_file == 1
        start, end = (partition.start, partition.end) if alone else (0, file.size_bytes)
        source = Source(corpus, file, report, languages, batch_bytes, most)
        before, size = report.read_bytes, end - start
        for rows in READERS[file.format](source, start, end):
            # The last line may extend beyond the range; those bytes belong to the next partition.
            report.read_bytes = min(report.read_bytes, before + size)
            if file.language is not None:
                rows = rows._replace(languages=np.full(len(rows.ends), file.language, np.uint16))
            elif corpus.language_column and rows.languages is None and len(rows.ends):
                rows = rows._replace(languages=np.full(len(rows.ends), languages.number(""), np.uint16))
            yield rows
        report.read_bytes = before + size


def _not_empty(corpus: Corpus, parts: Iterator[Rows], report: ReadReport) -> Iterator[Rows]:
    """The documents that have text; of a parallel corpus all of them."""
    for part in parts:
        rows = part if corpus.is_parallel else _without_empty(part, report)
        if len(rows.ends):
            yield rows


def _without_empty(rows: Rows, report: ReadReport) -> Rows:
    """The documents that have text. The others add nothing to it, so it stays as it is."""
    has_text = np.diff(rows.ends, prepend=np.uint64(0)) > 0
    empty = len(has_text) - int(np.count_nonzero(has_text))
    if not empty:
        return rows
    report.empty += empty
    return Rows(rows.text, rows.ends[has_text], None if rows.languages is None else rows.languages[has_text])


def _gathered(parts: Iterator[Rows], batch_bytes: int) -> Iterator[Rows]:
    """The same documents, with small parts joined to about `batch_bytes`."""
    waiting: list[Rows] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part.text)
        if size >= batch_bytes // 2:
            yield _joined(waiting)
            waiting, size = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(parts: list[Rows]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.text) for part in parts[:-1])], dtype=np.uint64)
    languages = [part.languages for part in parts if part.languages is not None]
    if languages and len(languages) < len(parts):
        raise AssertionError("some documents of a corpus have a language and others have none")
    return Rows(
        b"".join(part.text for part in parts),
        np.concatenate([part.ends + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate(languages) if languages else None,
    )
