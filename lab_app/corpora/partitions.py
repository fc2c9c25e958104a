"""Divides a corpus into partitions: parts that are read alone, by this process or by another machine.

A partition is a range of bytes of one file, or several whole files. A line belongs to the partition in which it starts, so
ranges need no look into the file. Files that can only be read from their start (compressed, CSV) are never divided. A corpus
whose duplicates are removed is one partition, since each document depends on all before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lab_app.corpora.cleaning.steps import NEEDS_ALL
from lab_app.corpora.corpus import Corpus, CorpusFile

SIZE_BYTES = 64_000_000


@dataclass(frozen=True)
class Partition:
    """Part `index` of a corpus: the files `first_file` up to but without `end_file`; of a single file the lines (of Parquet
    the row groups) that start in its bytes `start` to `end`. `size_bytes` on disk."""

    index: int
    first_file: int
    end_file: int
    start: int
    end: int
    size_bytes: int


def partitions(corpus: Corpus, size_bytes: float = SIZE_BYTES) -> list[Partition]:
    """The parts of a corpus in the order of its documents, each of about `size_bytes` or of one file that cannot be divided.

    The result depends on the corpus and `size_bytes` alone. Raises ValueError for a size below 1.

    >>> from lab_app.corpora.corpus import CorpusFile
    >>> files = tuple(CorpusFile(f"{n}.txt", 250, "", 0, "txt") for n in range(2))
    >>> [(part.first_file, part.end_file, part.start, part.end) for part in partitions(Corpus("c", "C", files, "txt", 500, ""), 100)]
    [(0, 1, 0, 84), (0, 1, 84, 167), (0, 1, 167, 250), (1, 2, 0, 84), (1, 2, 84, 167), (1, 2, 167, 250)]
    """
    if NEEDS_ALL in corpus.cleaning:
        return [Partition(0, 0, len(corpus.files), 0, corpus.bytes, corpus.bytes)]
    if size_bytes < 1:
        raise ValueError(f"a partition of {size_bytes} bytes is too small: it takes 1 byte or more")
    ranges = [one for group in _groups(corpus.files, size_bytes) for one in group]
    return [Partition(index, *one) for index, one in enumerate(ranges)]


Range = tuple[int, int, int, int, int]


def _groups(files: tuple[CorpusFile, ...], size_bytes: float) -> Iterator[list[Range]]:
    """Small files in a row together, large ones divided."""
    first, total = 0, 0
    for index, file in enumerate(files):
        if total and total + file.size_bytes > size_bytes:
            yield [(first, index, 0, total, total)]
            first, total = index, 0
        if file.size_bytes > size_bytes:
            yield _divided(index, file, size_bytes)
            first = index + 1
        else:
            total += file.size_bytes
    if first < len(files):
        yield [(first, len(files), 0, total, total)]


def _divided(index: int, file: CorpusFile, size_bytes: float) -> list[Range]:
    count = -int(-file.size_bytes // size_bytes) if _is_divisible(file) else 1
    bounds = [-(-file.size_bytes * n // count) for n in range(count + 1)]
    return [(index, index + 1, start, end, end - start) for start, end in pairwise(bounds)]


def _is_divisible(file: CorpusFile) -> bool:
    """Whether documents can be found from the middle of the file: lines of UTF-8, and Parquet's row groups."""
    return file.compression is None and (
        file.format == "parquet" or (file.format in ("txt", "jsonl") and file.encoding == "utf-8")
    )
