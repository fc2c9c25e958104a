"""Counts the tokens of a corpus: a partition at a time, in any order, on any machine.

`partial` and `merge` keep no state and depend on their arguments alone, so that the counts are the same however the corpus
is divided. Not here: threads and progress (`lab_app.services.analyses.counting`), the metrics (`summary`).
"""

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.aligned import aligned_lines
from lab_app.analysis.corpus.counts import CorpusCounts, TokenizerCounts
from lab_app.analysis.corpus.parity import ParallelCounts, parallel_counts
from lab_app.analysis.corpus.sampling import Sample, parts_to_read, sampled, sampled_lines, selected
from lab_app.analysis.corpus.significance import (
    GROUPS,
    DocumentGroups,
    document_groups,
    groups_of,
    groups_of_numbers,
)
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport, Skipped
from lab_app.engine import TALLY_MEASURES, Tally, Tokenizer

BATCH_BYTES = 1_000_000
LEAST_BATCH_BYTES = 50_000


@dataclass(frozen=True)
class CountOptions:
    """What to count. `measures` are names of `TALLY_MEASURES`; "tokens" is always counted."""

    measures: tuple[str, ...] = TALLY_MEASURES
    sample: Sample | None = None


@dataclass
class Part:
    """The counts of a part of a corpus. Parts add up exactly."""

    tally: Tally
    report: ReadReport
    tokenizers: int
    """How many."""
    parallel: list[ParallelCounts] | None = None
    """One per tokenizer; None unless the corpus is parallel."""
    groups: DocumentGroups | None = None
    """None before the first document, and with one tokenizer."""

    def add(self, other: "Part") -> None:
        """Adds the counts of another part of the same corpus."""
        self.tally.merge(other.tally)
        self.report.merge(other.report)
        self.add_documents(other)

    def add_documents(self, other: "Part") -> None:
        """Adds the counts by line and by document alone, which are not of the tally."""
        if other.groups is not None:
            self.groups = other.groups if self.groups is None else self.groups + other.groups
        if other.parallel is not None:
            old = self.parallel
            self.parallel = other.parallel if old is None else [a + b for a, b in zip(old, other.parallel, strict=True)]


def units(corpus: Corpus, size_bytes: float, sample: Sample | None = None) -> list[Partition | None]:
    """The parts to count. A parallel corpus is one, None: its languages are read in step."""
    return [None] if corpus.is_parallel else list(parts_to_read(corpus, sample, size_bytes))


def size_of(corpus: Corpus, sample: Sample | None = None) -> int:
    """How many bytes of the files are read."""
    if corpus.is_parallel or sample is None or sample.read_bytes is None:
        return corpus.bytes
    return sum(part.size_bytes for part in parts_to_read(corpus, sample, corpus.bytes))


def partial(
    corpus: Corpus, tokenizers: Sequence[Tokenizer], partition: Partition | None, options: CountOptions
) -> bytes:
    """The counts of one partition as bytes, for `merge`. The same bytes on every machine.

    Raises LoadFailed while reading, EncodeError for a document that a tokenizer cannot encode.
    """
    part = new_part(corpus, tokenizers, options)
    for _ in counted(part, corpus, partition, options):
        pass
    return to_bytes(part)


def merge(corpus: Corpus, tokenizers: Sequence[Tokenizer], options: CountOptions, parts: Iterable[bytes]) -> Part:
    """The counts of all parts together, which may come in any order. Raises ValueError for damaged bytes.

    Of skipped documents the first places are kept, so give the parts in their order to have those of one pass.
    """
    total = new_part(corpus, tokenizers, options)
    for data in parts:
        total.add(from_bytes(tokenizers, data))
    return total


def new_part(corpus: Corpus, tokenizers: Sequence[Tokenizer], options: CountOptions) -> Part:
    """Counts of nothing."""
    measures = set(options.measures) | ({"unknown"} if corpus.is_parallel else set())
    tally = Tally(tokenizers, groups=max(1, len(corpus.languages)), measures=sorted(measures))
    return Part(tally, ReadReport(), len(tokenizers))


def counted(
    part: Part, corpus: Corpus, partition: Partition | None, options: CountOptions, *, threads: int = 1
) -> Iterator[None]:
    """Adds the counts of a partition to `part`; yields after every batch, so that the caller can report and stop.

    `threads`: of the engine, for one batch. Raises as `partial` does.
    """
    batch_bytes = max(BATCH_BYTES // part.tokenizers, LEAST_BATCH_BYTES)
    if partition is None:
        yield from _counted_lines(part, corpus, options.sample, batch_bytes, threads)
        return
    for batch in batches(corpus, partition, batch_bytes, report=part.report):
        taken = batch if options.sample is None else sampled(batch, options.sample)
        if taken.documents:
            compares = part.tokenizers > 1
            found = part.tally.add(taken.text, taken.ends, taken.languages, threads=threads, per_document=compares)
            if found is not None:
                _add_groups(part, groups_of(taken.text, taken.ends), found["tokens"])
        yield


def _add_groups(part: Part, groups: NDArray[np.intp], tokens: NDArray[np.uint32]) -> None:
    new = document_groups(groups, tokens)
    part.groups = new if part.groups is None else part.groups + new


def _counted_lines(part: Part, corpus: Corpus, sample: Sample | None, batch_bytes: int, threads: int) -> Iterator[None]:
    """Adds the counts of all lines of a parallel corpus."""
    languages = len(corpus.languages)
    for lines in aligned_lines(corpus, part.report, batch_bytes):
        batch, numbers = lines.batch, lines.numbers
        if sample is not None:
            kept = sampled_lines(numbers, sample)
            batch, numbers = selected(batch, kept), numbers[kept]
        if batch.documents:
            assert batch.languages is not None
            found = part.tally.add(batch.text, batch.ends, batch.languages, threads=threads, per_document=True)
            assert found is not None
            if part.tokenizers > 1:
                _add_groups(part, groups_of_numbers(numbers), found["tokens"])
            # Line by line, the languages in their order, as tables of one line per row.
            order = np.lexsort((batch.languages, numbers))
            characters = found["characters"][order].reshape(-1, languages)
            new = [
                parallel_counts(tokens[order].reshape(-1, languages), characters, unknown[order].reshape(-1, languages))
                for tokens, unknown in zip(found["tokens"], found["unknown_characters"], strict=True)
            ]
            old = part.parallel
            part.parallel = new if old is None else [a + b for a, b in zip(old, new, strict=True)]
        yield


def corpus_counts(part: Part) -> CorpusCounts:
    """The counts as plain arrays, for the metrics."""
    tally = part.tally
    pairs = tally.boundary_pairs() if "agreement" in tally.measures else None
    return CorpusCounts(
        documents=tally.documents,
        bytes=tally.text_bytes,
        text_sums=tally.text_sums(),
        tokenizers=[_of_tokenizer(part, at) for at in range(part.tokenizers)],
        shared=None if pairs is None else pairs["shared"],
        either=None if pairs is None else pairs["either"],
        groups=part.groups,
    )


def _of_tokenizer(part: Part, at: int) -> TokenizerCounts:
    parallel = None if part.parallel is None else part.parallel[at]
    lengths, documents = part.tally.lengths(at)
    return TokenizerCounts(part.tally.counts(at), lengths, documents, part.tally.sums(at), parallel)


LENGTH = struct.Struct("<Q")


def to_bytes(part: Part) -> bytes:
    """The counts for a journey over the network, of part and whole the same format."""
    report = json.dumps(asdict(part.report), sort_keys=True).encode()
    tally = part.tally.to_bytes()
    groups = b"" if part.groups is None else _group_bytes(part.groups)
    parallel = b"" if part.parallel is None else _parallel_bytes(part.parallel)
    counts = (report, tally, groups)
    return b"".join((*(piece for each in counts for piece in (LENGTH.pack(len(each)), each)), parallel))


def from_bytes(tokenizers: Sequence[Tokenizer], data: bytes) -> Part:
    """The counts that `to_bytes` wrote. Raises ValueError for damaged bytes, or other tokenizers."""
    report, rest = _divided(data)
    tally, rest = _divided(rest)
    groups, parallel = _divided(rest)
    read = json.loads(report)
    read["places"] = [Skipped(**place) for place in read["places"]]
    return Part(
        Tally.from_bytes(tokenizers, tally),
        ReadReport(**read),
        len(tokenizers),
        _parallel_counts(parallel, len(tokenizers)) if parallel else None,
        _group_sums(groups, len(tokenizers)) if groups else None,
    )


def _divided(data: bytes) -> tuple[bytes, bytes]:
    if len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]:
        raise ValueError(f"the counts of a partition end after {len(data)} bytes; run the partition again")
    end = LENGTH.size + LENGTH.unpack_from(data)[0]
    return data[LENGTH.size : end], data[end:]


FIELDS = ("lines", "tokens", "characters", "unknown_characters", "complete_lines", "complete_tokens")


def _group_bytes(sums: DocumentGroups) -> bytes:
    return np.vstack((sums.documents, sums.tokens)).astype("<u8").tobytes()


def _group_sums(data: bytes, tokenizers: int) -> DocumentGroups:
    rows = np.frombuffer(data, "<u8").reshape(tokenizers + 1, GROUPS)
    return DocumentGroups(rows[0], rows[1:])


def _parallel_bytes(counts: list[ParallelCounts]) -> bytes:
    stream = BytesIO()
    arrays = {f"{at} {name}": np.asarray(getattr(each, name)) for at, each in enumerate(counts) for name in FIELDS}
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _parallel_counts(data: bytes, tokenizers: int) -> list[ParallelCounts]:
    arrays = np.load(BytesIO(data), allow_pickle=False)
    found = ({name: arrays[f"{at} {name}"] for name in FIELDS} for at in range(tokenizers))
    return [ParallelCounts(**each | {"complete_lines": int(each["complete_lines"])}) for each in found]
