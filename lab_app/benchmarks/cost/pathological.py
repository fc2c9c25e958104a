"""Runs the inputs that break encoders, and compares the speed on each with a limit.

Not here: the inputs (`inputs`), the timing (`processes`).
"""

from collections.abc import Sequence

from lab_app.benchmarks.cost.growth import Progress
from lab_app.benchmarks.cost.inputs import PATHOLOGICAL, Input
from lab_app.benchmarks.cost.processes import LIMIT_NS, ROUNDS, Candidate, Processes, Samples, Texts, time_texts
from lab_app.benchmarks.growth_result import Pathological, PathologicalRow

BYTES = 100_000
LIMIT_MB_PER_S = 10.0


def pathological(
    opened: Processes,
    candidates: Sequence[tuple[Candidate, str | None]],
    *,
    bytes: int = BYTES,
    limit_mb_per_s: float = LIMIT_MB_PER_S,
    rounds: int = ROUNDS,
    limit_ns: int = LIMIT_NS,
    seed: int = 0,
    inputs: Sequence[Input] = PATHOLOGICAL,
    progress: Progress = lambda words: None,
) -> Pathological:
    """One row per candidate and input. Whoever is too slow on one input is tried on the others.

    Each candidate comes with the reason why it cannot be measured, or None.
    """
    rows = []
    usable = [candidate for candidate, problem in candidates if problem is None]
    for kind in inputs:
        progress(kind.description)
        texts = Texts({"input": kind.name}, bytes)
        measured = time_texts(opened, usable, texts, rounds=rounds, limit_ns=limit_ns, seed=seed)
        for candidate, problem in candidates:
            samples = measured.get(candidate.key) or Samples("unsupported", problem)
            rows.append(_row(kind, candidate, samples, bytes, limit_mb_per_s))
    return Pathological(limit_mb_per_s, bytes, rows)


def _row(kind: Input, candidate: Candidate, samples: Samples, bytes: int, limit_mb_per_s: float) -> PathologicalRow:
    point = samples.point(bytes)
    size = samples.bytes or bytes
    speed = None if point.elapsed_ns is None else size / max(1, point.elapsed_ns) * 1000
    return PathologicalRow(
        input=kind.name,
        description=kind.description,
        bytes=size,
        engine=candidate.engine,
        tokenizer=candidate.tokenizer,
        state=point.state,
        elapsed_ns=point.elapsed_ns,
        low_ns=point.low_ns,
        high_ns=point.high_ns,
        throughput_mb_per_s=speed,
        tokens=point.tokens,
        within_limit=None if speed is None else speed >= limit_mb_per_s,
        message=point.message,
    )
