"""Reads a corpus once while it is added: counts its documents, finds its languages, and proves that all of it can be read."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import partitions
from lab_app.corpora.readers.rows import Languages
from lab_app.corpora.reading import BATCH_BYTES, MAX_DOCUMENT_BYTES, rows_of
from lab_app.corpora.report import ReadReport
from lab_app.errors import BadValue, LoadFailed
from lab_app.number_words import number_of


def scan(corpus: Corpus, progress: Callable[[int, int], None] | None = None) -> tuple[Corpus, ReadReport]:
    """The corpus with its number of documents, the size of its text and its languages, and the report of reading it without cleaning.

    `progress` gets the bytes done and in all. Raises BadValue if there is no text, or if the files of a parallel corpus
    have different numbers of lines; LoadFailed for what cannot be read.
    """
    report = _Watched(corpus.bytes, progress) if progress else ReadReport()
    languages = Languages(corpus.languages)
    counts = np.zeros(max(len(corpus.languages), 1), np.int64)
    for part in partitions(corpus):
        for rows in rows_of(corpus, part, BATCH_BYTES, report, languages, MAX_DOCUMENT_BYTES):
            report.documents += len(rows.ends)
            report.bytes += len(rows.text)
            if corpus.is_parallel and rows.languages is not None:
                counts += np.bincount(rows.languages, minlength=len(counts))
            report.took(0)
    if not report.bytes:
        raise BadValue(f"{corpus.title} holds no text", _why_empty(report))
    if corpus.is_parallel:
        _check_parallel(corpus, counts.tolist(), report)
    counted = replace(corpus, documents=report.documents, text_bytes=report.bytes, languages=tuple(languages.names))
    return counted, _plain(report)


class _Watched(ReadReport):
    """Says after every read how many bytes are done."""

    def __init__(self, total: int, progress: Callable[[int, int], None]) -> None:
        super().__init__()
        self._total = total
        self._progress = progress

    def took(self, count: int) -> None:
        super().took(count)
        self._progress(min(self.read_bytes, self._total), self._total)


def _plain(report: ReadReport) -> ReadReport:
    plain = ReadReport()
    plain.merge(report)
    return plain


def _why_empty(report: ReadReport) -> str:
    if report.places:
        return f"the first document was skipped: {report.places[0].place}: {report.places[0].reason}"
    return "add files with text in them"


def _check_parallel(corpus: Corpus, counts: list[int], report: ReadReport) -> None:
    if report.skipped:
        first = report.places[0]
        raise LoadFailed(
            f"a parallel corpus must be read whole: {first.place}: {first.reason}", "mend the file and add it again"
        )
    other = next((number for number, count in enumerate(counts) if count != counts[0]), None)
    if other is not None:
        raise BadValue(
            f"{corpus.languages[0]} has {number_of(counts[0], 'line')}, {corpus.languages[other]} has {counts[other]}",
            "in a parallel corpus line N of each file is the same sentence; add the files without that option, or mend them",
        )
