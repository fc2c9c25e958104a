"""Races the algorithms of BPE training on parts of one text: naive, incremental, heap, and the one that trains.

Not here: the algorithms (`engine_rs/train`), one run of each without a process of its own (`lab_app.training.race`), the
timing (`processes`).
"""

from collections.abc import Sequence

from lab_app.benchmarks.cost.exponent import FROM_BYTES, exponent
from lab_app.benchmarks.cost.growth import SIZES, Plan, Progress, grow_by_size
from lab_app.benchmarks.cost.processes import Candidate, Processes, Samples
from lab_app.benchmarks.growth_result import TrainerEntrant, TrainerRace
from lab_app.training.options import TrainingOptions
from lab_app.training.race import ALGORITHMS, DESCRIPTIONS

LEAST_BYTES = 1000
SMALL_BYTES = 10_000
"""Parts of a text below this begin at 100 bytes."""
MERGES = 500
MAX_MERGES = 100_000


def trainer_sizes(text_bytes: int, most: int) -> list[int]:
    """1 kB to the whole text, or to `most` bytes of it, two per decade and the last one itself; 100 B if that is small.

    >>> trainer_sizes(757_011, 40_000)
    [1000, 3162, 10000, 31623, 40000]
    >>> trainer_sizes(2000, 40_000)
    [100, 316, 1000, 2000]
    """
    largest = min(text_bytes, most)
    least = LEAST_BYTES if largest >= SMALL_BYTES else 0
    return [*(size for size in SIZES if least <= size < largest), largest]


def race_trainers(
    opened: Processes,
    options: TrainingOptions,
    merges: int,
    plan: Plan,
    sizes: Sequence[int],
    progress: Progress = lambda words: None,
) -> TrainerRace:
    """Times every algorithm on parts of growing size until it breaks. Merges are compared with those of the fast one, which
    gets furthest."""
    load = {"kind": "trainer", "options": options.as_json(), "merges": merges}
    racing = [
        Candidate(name, name, "", {**load, "algorithm": name}, group="merges", gives="merges")
        for name in reversed(ALGORITHMS)
    ]
    found = grow_by_size(opened, racing, sizes, plan, progress)
    return TrainerRace(
        plan.text_title, merges, plan.limit_ns, [_entrant(each.key, found[each.key], plan.seed) for each in racing]
    )


def _entrant(algorithm: str, samples: dict[int, Samples], seed: int) -> TrainerEntrant:
    for found in samples.values():
        if found.tokens is not None:
            found.tokens //= 2  # a merge is a pair of ids
    compared = [found.state != "inexact" for found in samples.values() if found.digest is not None]
    broken = [size for size, found in sorted(samples.items()) if not found.times_ns]
    first = samples[min(samples)]
    return TrainerEntrant(
        algorithm=algorithm,
        description=DESCRIPTIONS[algorithm],
        points=[found.point(size) for size, found in sorted(samples.items())],
        exponent=exponent({size: found.times_ns for size, found in samples.items()}, FROM_BYTES, seed),
        breaks_at_bytes=broken[0] if broken else None,
        same_merges=all(compared) if compared else None,
        problem=first.message if not first.times_ns else None,
    )
