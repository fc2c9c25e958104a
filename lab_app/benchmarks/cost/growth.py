"""How cost grows: time against the length of a text, the number of threads, and the size of a vocabulary.

Not here: one size (`processes`), the fit (`exponent`), algorithms instead of engines (`race`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lab_app.benchmarks.cost.exponent import FROM_BYTES, exponent
from lab_app.benchmarks.cost.processes import LIMIT_NS, ROUNDS, Candidate, Processes, Samples, Texts, time_texts
from lab_app.benchmarks.growth_result import Growth, GrowthCurve, GrowthPoint
from lab_app.number_words import number_of, size_words

SIZES = tuple(round(100 * 10 ** (step / 2)) for step in range(11))
"""100 B to 10 MB, two per decade."""
LIMIT_NS_PER_BYTE = 100.0
"""10 MB/s: the limit line of the pathological suite."""

Progress = Callable[[str], None]
"""Called before each size with what comes next; may raise to stop."""


@dataclass(frozen=True)
class Plan:
    """What all measurements of growth share."""

    text: dict[str, Any]
    """As in `worker.texts_of`."""
    text_title: str
    rounds: int = ROUNDS
    limit_ns: int = LIMIT_NS
    seed: int = 0


def grow_by_size(
    opened: Processes,
    candidates: Sequence[Candidate],
    sizes: Sequence[int],
    plan: Plan,
    progress: Progress = lambda words: None,
) -> dict[str, dict[int, Samples]]:
    """The samples of every candidate at every size in bytes, smallest first.

    A candidate that has no samples at a size is not asked for larger ones, which are `skipped`.
    """
    found: dict[str, dict[int, Samples]] = {candidate.key: {} for candidate in candidates}
    left = list(candidates)
    for size in sorted(sizes):
        progress(size_words(size))
        texts = Texts(plan.text, size)
        measured = time_texts(opened, left, texts, rounds=plan.rounds, limit_ns=plan.limit_ns, seed=plan.seed + size)
        for candidate in candidates:
            skipped = Samples("skipped", "not tried, since a smaller text has no time")
            found[candidate.key][size] = measured.get(candidate.key, skipped)
        for candidate in left:
            if not measured[candidate.key].times_ns:
                opened.end(candidate)
        left = [candidate for candidate in left if measured[candidate.key].times_ns]
    return found


def growth_in_bytes(
    opened: Processes,
    candidates: Sequence[Candidate],
    plan: Plan,
    sizes: Sequence[int] = SIZES,
    progress: Progress = lambda words: None,
) -> Growth:
    """Time against the length of the text. The exponent is fitted from 1 kB on."""
    found = grow_by_size(opened, candidates, sizes, plan, progress)
    curves = [curve(candidate, found[candidate.key], FROM_BYTES, plan.seed) for candidate in candidates]
    return Growth("Time against text length", "bytes", plan.text_title, None, plan.limit_ns, LIMIT_NS_PER_BYTE, curves)


def growth_in_threads(
    opened: Processes,
    candidates: Sequence[Candidate],
    threads: Sequence[int],
    plan: Plan,
    bytes: int,
    progress: Progress = lambda words: None,
) -> Growth:
    """Time against the number of threads, of one batch of documents of about 2 kB.

    Every candidate runs in one process per number of threads. An exponent of -1 is a perfect speed-up.
    """
    copies = {
        (candidate.key, count): replace(
            candidate,
            key=f"{candidate.key} with {count}",
            threads=count,
            load={**candidate.load, "batch": True},
        )
        for candidate in candidates
        for count in threads
    }
    progress(f"{number_of(len(threads), 'number')} of threads")
    measured = time_texts(
        opened,
        list(copies.values()),
        Texts(plan.text, bytes, documents=True),
        rounds=plan.rounds,
        limit_ns=plan.limit_ns,
        seed=plan.seed,
    )
    curves = [
        curve(candidate, {count: measured[copies[candidate.key, count].key] for count in threads}, 1, plan.seed)
        for candidate in candidates
    ]
    title = f"{plan.text_title}, in documents of 2 kB"
    return Growth("Time against threads", "threads", title, bytes, plan.limit_ns, None, curves)


def growth_in_vocab_size(
    opened: Processes,
    vocabularies: Sequence[tuple[Candidate, Sequence[int], str | None]],
    plan: Plan,
    bytes: int,
    progress: Progress = lambda words: None,
) -> Growth:
    """Time against the size of the vocabulary, truncated to each of some sizes; or why it cannot be truncated."""
    curves = []
    for candidate, sizes, problem in vocabularies:
        progress(f"vocabularies of {candidate.tokenizer}")
        if problem:
            curves.append(GrowthCurve(candidate.key, candidate.engine, candidate.tokenizer, [], None, problem))
            continue
        copies = {
            size: replace(
                candidate,
                key=f"{candidate.key} of {size}",
                load={"kind": "truncated", "files": candidate.load["files"], "vocab_size": size},
                group="",
            )
            for size in sizes
        }
        measured = time_texts(
            opened,
            list(copies.values()),
            Texts(plan.text, bytes),
            rounds=plan.rounds,
            limit_ns=plan.limit_ns,
            seed=plan.seed,
        )
        for copy in copies.values():
            opened.end(copy)
        curves.append(curve(candidate, {size: measured[copies[size].key] for size in sizes}, 1, plan.seed))
    return Growth("Time against vocabulary size", "vocab_size", plan.text_title, bytes, plan.limit_ns, None, curves)


def with_problems(growth: Growth, candidates: Sequence[tuple[Candidate, str | None]]) -> Growth:
    """The same with an empty curve for each candidate that could not be measured, in the order given."""
    found = {each.key: each for each in growth.curves}
    curves = [
        found.get(candidate.key) or GrowthCurve(candidate.key, candidate.engine, candidate.tokenizer, [], None, problem)
        for candidate, problem in candidates
    ]
    return replace(growth, curves=curves)


def vocab_sizes(smallest: int, largest: int, count: int = 7) -> list[int]:
    """Sizes from the smallest to the largest, each about the same factor above the one before.

    >>> vocab_sizes(256, 100_000, 3)
    [256, 5060, 100000]
    """
    if smallest >= largest:
        return [largest]
    steps = [round(smallest * (largest / smallest) ** (step / (count - 1))) for step in range(count)]
    return sorted(set(steps))


def curve(candidate: Candidate, samples: Mapping[int, Samples], from_size: int, seed: int) -> GrowthCurve:
    """The samples of one candidate by size, with the exponent through them."""
    points: list[GrowthPoint] = [found.point(size) for size, found in sorted(samples.items())]
    times = {size: found.times_ns for size, found in samples.items()}
    fitted = exponent(times, from_size, seed)
    return GrowthCurve(candidate.key, candidate.engine, candidate.tokenizer, points, fitted, None)
