"""Chooses the documents of a sample: each by itself, so that the choice does not depend on how the corpus is divided.

A document is in the sample if a number made of the seed and the document is below the wanted fraction. Equal documents are
all in or all out. Lines of a parallel corpus are chosen by their number, in all languages at once.
Of a corpus much larger than the sample, only some parts are read: parts of one fixed size, chosen by the seed as well.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.batch import Batch
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.sampling import sample as chosen_parts

WHOLE = 2**64
MUCH_LARGER = 20
READ_FOR_ONE = 10
"""Bytes read for one byte of a sample: documents of many places, without reading everything."""
FEWEST_PARTS = 200
LEAST_PART_BYTES = 10_000
MOST_PART_BYTES = 4_000_000


@dataclass(frozen=True)
class Sample:
    """Which share of the documents that are read to take, in (0, 1], and the number that makes the choice."""

    fraction: float
    seed: int
    read_bytes: int | None = None
    """About how much of the files to read; None means all."""

    @property
    def limit(self) -> int:
        """Documents whose number is below this are taken."""
        return int(self.fraction * WHOLE)


def sample_of(corpus: Corpus, wanted_bytes: int, seed: int) -> Sample | None:
    """The sample of about `wanted_bytes`; None if the corpus has no more.

    If the corpus is more than twenty times as large, ten times the sample are read, or more if its files cannot be divided.

    >>> corpus = Corpus("c", "C", (), "txt", 1000, "")
    >>> sample_of(corpus, 100, 0), sample_of(corpus, 10, 0), sample_of(corpus, 1000, 0)
    (Sample(fraction=0.1, seed=0, read_bytes=None), Sample(fraction=0.1, seed=0, read_bytes=100), None)
    """
    if wanted_bytes >= corpus.bytes:
        return None
    if wanted_bytes * MUCH_LARGER >= corpus.bytes or corpus.is_parallel:
        return Sample(wanted_bytes / corpus.bytes, seed)
    read_bytes = READ_FOR_ONE * wanted_bytes
    size = sum(part.size_bytes for part in _chosen(corpus, read_bytes, seed))
    return Sample(wanted_bytes / max(size, read_bytes), seed, read_bytes)


def parts_to_read(corpus: Corpus, sample: Sample | None, size_bytes: float) -> list[Partition]:
    """The partitions of a corpus, of about `size_bytes`, or those that a sample of a large corpus reads."""
    if sample is None or sample.read_bytes is None:
        return partitions(corpus, size_bytes)
    return _chosen(corpus, sample.read_bytes, sample.seed)


def _chosen(corpus: Corpus, read_bytes: int, seed: int) -> list[Partition]:
    """Parts of at least `read_bytes`. Their size is of its own: the choice must not depend on what counts them."""
    size = min(max(read_bytes / FEWEST_PARTS, LEAST_PART_BYTES), MOST_PART_BYTES)
    return chosen_parts(partitions(corpus, size), read_bytes, seed)


def sampled(batch: Batch, sample: Sample) -> Batch:
    """The documents of `batch` that are in the sample.

    >>> batch = Batch(b"onetwosix", np.array([3, 6, 9], np.uint64))
    >>> sampled(batch, Sample(1.0, seed=1)).strings(), sampled(batch, Sample(0.5, seed=1)).strings()
    (['one', 'two', 'six'], ['one', 'six'])
    """
    key = sample.seed.to_bytes(8, "little", signed=True)
    limit, start = sample.limit, 0
    kept = np.zeros(batch.documents, np.bool_)
    for number, end in enumerate(batch.ends.tolist()):
        digest = hashlib.blake2b(batch.text[start:end], digest_size=8, key=key).digest()
        kept[number] = int.from_bytes(digest, "little") < limit
        start = end
    return selected(batch, kept)


def sampled_lines(numbers: NDArray[np.uint64], sample: Sample) -> NDArray[np.bool_]:
    """Whether each line number is in the sample. Shape (n,)."""
    return np.asarray(mixed(numbers, sample.seed) <= np.uint64(min(sample.limit, WHOLE - 1)))


def mixed(numbers: NDArray[np.uint64], seed: int = 0) -> NDArray[np.uint64]:
    """A hash of each number and the seed. Shape (n,).

    Source: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    """
    found = (numbers + np.uint64(seed % WHOLE)) * np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(found ^ (found >> np.uint64(31)))


def selected(batch: Batch, kept: NDArray[np.bool_]) -> Batch:
    """The documents of `batch` for which `kept` is true. Shape (documents,)."""
    if kept.all():
        return batch
    starts = np.concatenate(([0], batch.ends[:-1])).astype(np.int64)
    ends = batch.ends.astype(np.int64)
    parts = [batch.text[start:end] for start, end in zip(starts[kept].tolist(), ends[kept].tolist(), strict=True)]
    new_ends = np.cumsum((ends - starts)[kept]).astype(np.uint64)
    languages = None if batch.languages is None else batch.languages[kept]
    return Batch(b"".join(parts), new_ends, languages, batch.first_document)
