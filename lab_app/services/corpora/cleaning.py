"""What steps of cleaning do to a corpus, before and after, on its first documents. Not here: the steps (`lab_app.corpora`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lab_app.corpora.cleaning.cleaner import Cleaner
from lab_app.corpora.cleaning.steps import check
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport

MOST_DOCUMENTS = 2000
MOST_BYTES = 1_000_000
SAMPLES = 10
CHARACTERS = 500
"""Of a sample that are shown, from shortly before its first change."""
BEFORE = 100


@dataclass(frozen=True)
class StepCount:
    """How many of the documents a step changed, or removed."""

    step: str
    documents: int


@dataclass(frozen=True)
class CleaningSample:
    """A part of a document that cleaning changes; `after` is None if it is removed."""

    before: str
    after: str | None


@dataclass(frozen=True)
class CleaningPreview:
    """What the steps do to the first `documents` of a corpus: at most 2000, or one megabyte. `changed` of them differ."""

    documents: int
    changed: int
    steps: list[StepCount]
    samples: list[CleaningSample]


def preview(corpus: Corpus, steps: Sequence[str]) -> CleaningPreview:
    """Tries steps on the beginning of a corpus. Raises BadValue for a step that cannot be used, LoadFailed while reading."""
    check(steps, is_parallel=corpus.is_parallel)
    report = ReadReport()
    cleaner = Cleaner(steps, report)
    documents = _first_documents(replace(corpus, cleaning=()))
    pairs = [(text, cleaner.document(text)) for text in documents]
    changed = [(before, after) for before, after in pairs if before != after]
    changed.sort(key=lambda pair: pair[1] is None)  # what is removed needs no second look
    return CleaningPreview(
        len(documents),
        len(changed),
        [StepCount(step, count) for step, count in report.cleaning.items()],
        [_sample(before, after) for before, after in changed[:SAMPLES]],
    )


def _first_documents(corpus: Corpus) -> list[str]:
    documents: list[str] = []
    size = 0
    for part in partitions(corpus):
        for batch in batches(corpus, part, 50_000):
            documents += batch.strings()
            size += len(batch.text)
            if size >= MOST_BYTES or len(documents) >= MOST_DOCUMENTS:
                return documents[:MOST_DOCUMENTS]
    return documents


def _sample(before: str, after: str | None) -> CleaningSample:
    """The text around the first difference."""
    other = "" if after is None else after
    same = next(
        (at for at, (a, b) in enumerate(zip(before, other, strict=False)) if a != b), min(len(before), len(other))
    )
    start = max(same - BEFORE, 0) if after is not None else 0
    end = start + CHARACTERS
    return CleaningSample(before[start:end], None if after is None else after[start:end])
