"""The documents of a parallel corpus, some lines of all languages at a time.

Not here: reading one language (`lab_app.corpora`), what the lines are compared for (`parity`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.batch import Batch
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed
from lab_app.number_words import number_of


@dataclass(frozen=True)
class Lines:
    """Documents of some lines, and where they belong."""

    batch: Batch
    numbers: NDArray[np.uint64]
    """The line of each document, from 0 in the corpus. Shape (documents,)."""


def aligned_lines(corpus: Corpus, report: ReadReport, batch_bytes: float) -> Iterator[Lines]:
    """All lines in their order, whole lines at a time, about `batch_bytes` of text.

    Raises LoadFailed while reading, and if the languages have different numbers of lines.
    """
    streams = _streams(corpus, batch_bytes)
    documents_per_line = len(corpus.languages) // len(streams)
    first = 0
    while True:
        available = [stream.available() // documents_per_line for stream in streams]
        lines = min(available)
        if not lines:
            break
        taken = [stream.take(lines * documents_per_line) for stream in streams]
        numbers = np.arange(first, first + lines, dtype=np.uint64)
        of_stream = np.repeat(numbers, documents_per_line)
        report.read_bytes = sum(stream.report.read_bytes for stream in streams)
        yield Lines(_joined(taken, documents_per_line), np.tile(of_stream, len(streams)))
        first += lines
    report.read_bytes = 0
    for stream in streams:
        report.merge(stream.report)
    if any(stream.available() for stream in streams):
        longest = corpus.languages[int(np.argmax(available))] if len(streams) > 1 else "a row"
        raise LoadFailed(
            f"the languages of {corpus.title} have different numbers of lines: one ends after "
            f"{number_of(first, 'line')}, {longest} goes on",
            "line N must have the same meaning in every language; leave a line empty where a language lacks it",
        )


def _streams(corpus: Corpus, batch_bytes: float) -> list["_Stream"]:
    """One per file if each is a language; one in all if the columns of tables are languages."""
    if all(file.language is None for file in corpus.files):
        return [_Stream(corpus, partitions(corpus), batch_bytes)]
    each_bytes = max(batch_bytes / len(corpus.files), 1024)
    return [_Stream(corpus, [_whole(corpus, number)], each_bytes) for number in range(len(corpus.files))]


def _whole(corpus: Corpus, number: int) -> Partition:
    size = corpus.files[number].size_bytes
    return Partition(0, number, number + 1, 0, size, size)


def _joined(parts: list[Batch], documents_per_line: int) -> Batch:
    """The documents of all streams in one batch. A stream is one language, or has all of them in each line."""
    starts = np.cumsum([0, *(len(part.text) for part in parts[:-1])]).astype(np.uint64)
    languages = [
        np.tile(np.arange(documents_per_line), part.documents // documents_per_line)
        if documents_per_line > 1
        else np.full(part.documents, number)
        for number, part in enumerate(parts)
    ]
    return Batch(
        b"".join(part.text for part in parts),
        np.concatenate([part.ends + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate(languages).astype(np.uint16),
    )


class _Stream:
    """Batches whose documents are taken in other numbers than they come in."""

    def __init__(self, corpus: Corpus, parts: list[Partition], batch_bytes: float) -> None:
        # Of its own, because streams are read in turns.
        self.report = ReadReport()
        self._source = (batch for part in parts for batch in batches(corpus, part, batch_bytes, report=self.report))
        self._text = b""
        self._ends = np.zeros(0, np.uint64)

    def available(self) -> int:
        """Documents that can be taken now; 0 at the end."""
        while not self._ends.size:
            batch = next(self._source, None)
            if batch is None:
                return 0
            self._text, self._ends = batch.text, batch.ends
        return int(self._ends.size)

    def take(self, documents: int) -> Batch:
        """The next documents."""
        end = int(self._ends[documents - 1])
        taken = Batch(self._text[:end], self._ends[:documents])
        self._text, self._ends = self._text[end:], self._ends[documents:] - np.uint64(end)
        return taken
