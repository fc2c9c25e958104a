"""Races the algorithms for byte-pair encoding on the same texts: the textbook ones, the fast one, and one in Python.

Not here: the algorithms (`engine_rs/inspect/src/textbook`, `textbook`), the timing (`processes`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from lab_app import engine
from lab_app.benchmarks.cost.exponent import FROM_BYTES, exponent
from lab_app.benchmarks.cost.growth import SIZES, Plan, Progress, grow_by_size
from lab_app.benchmarks.cost.processes import Candidate, Processes, Samples
from lab_app.benchmarks.growth_result import Race, RaceEntrant
from lab_app.peers import tokenlab
from lab_app.peers.peer import TokenizerFiles

FAST, PYTHON = "fast", "textbook"
TEXTBOOK = ("linked-list", "ordered-set", "naive-split", "naive")
"""The four of `engine.TEXTBOOK` that encode text, fastest first."""
UNSPLIT = ("naive",)
"""Algorithms that do not split the text first: their ids may differ from the tokenizer's."""


@dataclass(frozen=True)
class Algorithm:
    """One that races."""

    name: str
    description: str
    language: Literal["Rust", "Python"]
    load: dict[str, Any]


def algorithms(files: TokenizerFiles) -> list[Algorithm]:
    """All of them for one byte-level BPE tokenizer, fastest first."""
    descriptions, shared = dict(engine.TEXTBOOK), {"files": asdict(files)}
    fast = {"kind": "engine", "engine": tokenlab.__name__, "batch": False, **shared}
    return [
        Algorithm(FAST, "the encoder that the lab uses", "Rust", fast),
        *(
            Algorithm(name, descriptions[name], "Rust", {"kind": "textbook", "algorithm": name, **shared})
            for name in TEXTBOOK
        ),
        Algorithm(PYTHON, "merge loop over each pretoken, in Python", "Python", {"kind": "python", **shared}),
    ]


def race(
    opened: Processes,
    tokenizer: str,
    racing: Sequence[Algorithm],
    plan: Plan,
    sizes: Sequence[int] = SIZES,
    progress: Progress = lambda words: None,
) -> Race:
    """Times every algorithm on texts of growing length until it breaks. Ids are compared with those of the first one."""
    candidates = {each.name: Candidate(each.name, each.name, tokenizer, each.load, group="ids") for each in racing}
    found = grow_by_size(opened, list(candidates.values()), sizes, plan, progress)
    result = [_result(each, found[each.name], plan.seed) for each in racing]
    return Race(tokenizer, plan.text_title, plan.limit_ns, result)


def _result(algorithm: Algorithm, samples: dict[int, Samples], seed: int) -> RaceEntrant:
    compared = [found.state != "inexact" for found in samples.values() if found.digest is not None]
    for found in samples.values():
        if found.state == "inexact" and algorithm.name in UNSPLIT:
            found.state, found.message = "ok", "merges across the places where the tokenizer splits"
    broken = [size for size, found in sorted(samples.items()) if not found.times_ns]
    first = samples[min(samples)]
    return RaceEntrant(
        algorithm=algorithm.name,
        description=algorithm.description,
        language=algorithm.language,
        points=[found.point(size) for size, found in sorted(samples.items())],
        exponent=exponent({size: found.times_ns for size, found in samples.items()}, FROM_BYTES, seed),
        breaks_at_bytes=broken[0] if broken else None,
        same_ids=all(compared) if compared else None,
        problem=first.message if not first.times_ns else None,
    )
