"""What the times of a case say: figures of each library, ratios in one run, and whether the floor is met. Pure.

A library whose ids differ from the reference is shown as inexact and has no ratio.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from lab_app.benchmarks.speed import statistics
from tests.performance.engine.rows import OURS, Case

State = Literal["measured", "inexact", "missing", "unsupported", "failed"]
Outcome = Literal["met", "missed", "none", "unknown"]


@dataclass(frozen=True)
class Measured:
    """What the process that measured says of one library."""

    name: str
    state: State
    message: str | None = None
    """Why it has no figures, or what differs."""
    samples: tuple[float | None, ...] = ()
    """By round: nanoseconds, or bytes of memory. None: it was left out of this round since it is slow."""
    work: float = 1.0
    """Bytes of text that one sample encodes, or calls in it."""
    read_from: str | None = None


@dataclass(frozen=True)
class Figures:
    """One library of a case."""

    name: str
    state: State
    message: str | None = None
    median: float | None = None
    """In the unit of the case, as the quartiles."""
    low_quartile: float | None = None
    high_quartile: float | None = None
    rounds: int = 0
    ratio: tuple[float, float, float] | None = None
    """How many times its speed ours has: median and 95 % interval of the rounds that both have."""
    read_from: str | None = None


@dataclass(frozen=True)
class Row:
    """A case, measured."""

    row: str
    title: str
    tokenizer: str
    text: str
    measure: str
    unit: str
    floor: str | None
    outcome: Outcome
    """`none`: it has no floor. `unknown`: what the floor needs was not measured."""
    reached: float | None = None
    """What the floor is about: times as fast, times as slow, or the median in the unit."""
    short_by: float | None = None
    """Of a missed floor: the share by which it is missed, so that 0.1 is 10 %."""
    against: str | None = None
    """What the floor was decided by."""
    message: str | None = None
    libraries: list[Figures] = field(default_factory=list)


def row(case: Case, measured: Sequence[Measured], message: str | None = None) -> Row:
    """The row of a case. `message` says why it could not be measured at all."""
    ours = next((each for each in measured if each.name == OURS), None)
    figures = [_figures(case, each, ours) for each in measured]
    outcome, reached, short_by, against = _judged(case, figures)
    return Row(
        row=case.row,
        title=case.title,
        tokenizer=case.tokenizer,
        text=case.text,
        measure=case.measure,
        unit=case.unit,
        floor=case.floor.words(case.unit) if case.floor else None,
        outcome=outcome,
        reached=reached,
        short_by=short_by,
        against=against,
        message=message,
        libraries=figures,
    )


def _figures(case: Case, each: Measured, ours: Measured | None) -> Figures:
    samples = [sample for sample in each.samples if sample is not None]
    if not samples:
        return Figures(each.name, each.state, each.message, read_from=each.read_from)
    low, middle, high = np.quantile([_in_unit(case, sample, each.work) for sample in samples], (0.25, 0.5, 0.75))
    ratio = None
    if ours is not None and each.name != OURS and each.state == ours.state == "measured":
        theirs, own = ([value and value / one.work for value in one.samples] for one in (each, ours))
        found = statistics.ratio(theirs, own)  # type: ignore[arg-type]
        ratio = None if found is None else (found.median, found.low, found.high)
    return Figures(
        each.name,
        each.state,
        each.message,
        median=float(middle),
        low_quartile=float(low),
        high_quartile=float(high),
        rounds=len(samples),
        ratio=ratio,
        read_from=each.read_from,
    )


def _in_unit(case: Case, sample: float, work: float) -> float:
    match case.unit:
        case "MB/s":
            return work / sample * 1000
        case "us per call":
            return sample / work / 1000
        case "ms":
            return sample / 1e6
        case _:
            return sample / 1e6


def _judged(case: Case, figures: list[Figures]) -> tuple[Outcome, float | None, float | None, str | None]:
    floor = case.floor
    if floor is None:
        return "none", None, None, None
    ours = next((each for each in figures if each.name == OURS), None)
    if ours is None or ours.state != "measured" or ours.median is None:
        return "unknown", None, None, None
    if floor.comparison == "most":
        reached, against, met = ours.median, None, ours.median <= floor.limit
    else:
        named = [(each.ratio[0], each.name) for each in figures if each.name in floor.of and each.ratio]
        if not named:
            return "unknown", None, None, None
        ratio, against = min(named)
        if floor.comparison == "times_faster":
            reached, met = ratio, ratio >= floor.limit
            return _outcome(met), reached, None if met else 1 - reached / floor.limit, against
        reached = 1 / ratio
        met = reached <= floor.limit
    return _outcome(met), reached, None if met else reached / floor.limit - 1, against


def _outcome(met: bool) -> Outcome:
    return "met" if met else "missed"
