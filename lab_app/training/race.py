"""The algorithms of BPE training side by side: the same merges, their steps counted and timed.

`naive` counts all pairs anew for each merge, `incremental` changes counts through an index from pairs to words, `heap` finds
the best pair in a heap and drops stale entries, `fast` is what trains. Not here: the algorithms (`engine_rs/train`).
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from lab_app import engine
from lab_app.errors import BadValue
from lab_app.training.options import TrainingOptions
from lab_app.training.saved import in_words

Trainer = Literal["naive", "incremental", "heap", "fast"]
ALGORITHMS: tuple[Trainer, ...] = ("naive", "incremental", "heap", "fast")
DESCRIPTIONS = {
    "naive": "Counts all pairs anew for each merge.",
    "incremental": "Keeps the counts and an index from each pair to its words.",
    "heap": "Finds the best pair in a heap; entries whose count has changed are dropped.",
    "fast": "What trains: flat arrays, a heap, and lists of places.",
}


@dataclass(frozen=True)
class RacedTrainer:
    """One algorithm: its merges as pairs of ids, steps by name, and the time of one run."""

    algorithm: str
    description: str
    merges: int
    same_merges: bool
    """Whether they are those of the first algorithm, in the same order."""
    steps: dict[str, int]
    elapsed_ns: int


def race(
    options: TrainingOptions,
    words: engine.WordCounter,
    merges: int,
    algorithms: Sequence[Trainer] = ALGORITHMS,
    check: Callable[[], None] = lambda: None,
) -> list[RacedTrainer]:
    """Trains `merges` merges with each algorithm on the same counted words. `check` is called before each and may raise.

    Raises BadValue for an unknown algorithm and for options of another kind than BPE, TrainFailed.
    """
    if options.algorithm != "bpe":
        raise BadValue(f"{options.algorithm} has one trainer", "race the algorithms of bpe")
    for name in algorithms:
        if name not in ALGORITHMS:
            raise BadValue(f'there is no trainer "{name}"', f"choose among {', '.join(ALGORITHMS)}")
    found: list[RacedTrainer] = []
    first: list[list[int]] | None = None
    for name in algorithms:
        check()
        with in_words():
            began = time.perf_counter_ns()
            answer = json.loads(engine.train_race(options.as_json(), words, name, merges))
            elapsed = time.perf_counter_ns() - began
        first = answer["merges"] if first is None else first
        found.append(
            RacedTrainer(
                name, DESCRIPTIONS[name], len(answer["merges"]), answer["merges"] == first, answer["steps"], elapsed
            )
        )
    return found
