"""What the measurements of cost say: stage times, growth, the pathological suite, the races of algorithms, a profile.

These dataclasses are the one description that the measurement, HTTP, the command line, charts and exports share. Anything
not measured is None, never 0. Not here: the comparison of engines (`result`), the measurements (`stages`, `cost.growth`,
`cost.pathological`, `cost.race`, `cost.trainers`, `profile`).
"""

from dataclasses import dataclass
from typing import Literal

PointState = Literal["ok", "inexact", "timed_out", "unsupported", "failed", "skipped"]
"""`timed_out`: took longer than the limit. `skipped`: not tried, since a smaller point was over the limit."""

Stage = Literal["normalizer", "pretokenizer", "model", "postprocessor", "output"]


@dataclass(frozen=True)
class CacheCounts:
    """Lookups in the word cache of the fast path."""

    hits: int
    misses: int


@dataclass(frozen=True)
class StageTimes:
    """Time of each stage of one tokenizer over all texts, in ns: medians of the rounds. `total_ns` is their sum.

    `path` is "fast" for the encoder that `encode` uses and "stages" for the same stages run one after the other, without
    the fused pass and the cache. A stage in `fused` runs in one pass with the next stage, which has its time. A stage in
    `absent` does not run: the tokenizer has none, or, for the postprocessor, ids alone need none. Both are None here. The
    search for added tokens belongs to the first stage. Output is the time from the engine's result to the arrays that
    Python receives.
    """

    tokenizer: str
    path: Literal["fast", "stages"]
    texts: int
    bytes: int
    tokens: int | None
    rounds: int
    normalizer_ns: int | None
    pretokenizer_ns: int | None
    model_ns: int | None
    postprocessor_ns: int | None
    output_ns: int | None
    total_ns: int | None
    fused: list[Stage]
    absent: list[Stage]
    cache: CacheCounts | None
    same_ids: bool | None
    """Whether the timed call gave the ids of `encode`."""
    problem: str | None


@dataclass(frozen=True)
class SlowestDocument:
    """One of the documents that took longest."""

    document: int
    """Counted from 1."""
    bytes: int
    tokens: int
    time_ns: int
    """Median over the passes."""
    excerpt: str
    """At most 2,000 characters from its start."""
    is_whole: bool
    """Whether the excerpt is the whole document."""


@dataclass(frozen=True)
class StageReport:
    """Where the time goes: two rows per tokenizer, one per path, and the documents that take longest per byte."""

    title: str
    rows: list[StageTimes]
    slowest: dict[str, list[SlowestDocument]]


@dataclass(frozen=True)
class Slice:
    """A part of a document between two split points, encoded by itself. Times are medians."""

    start_utf8: int
    end_utf8: int
    tokens: int
    elapsed_ns: int


@dataclass(frozen=True)
class Profile:
    """Where the time goes inside of one document."""

    tokenizer: str
    bytes: int
    rows: list[StageTimes]
    slices: list[Slice]


@dataclass(frozen=True)
class GrowthPoint:
    """The time of one size. `low_ns` and `high_ns` are the fastest and the slowest sample."""

    size: int
    """In the unit of the curve's axis."""
    state: PointState
    elapsed_ns: int | None
    low_ns: int | None
    high_ns: int | None
    samples: int
    tokens: int | None = None
    steps: dict[str, int] | None = None
    """Steps counted by a textbook encoder: merges, lookups, moves, pushes, pops, stale, removals."""
    message: str | None = None


@dataclass(frozen=True)
class Exponent:
    """The b of time = a * size ** b, fitted by least squares on logarithms, with a 95 % bootstrap interval over samples."""

    value: float
    low: float
    high: float
    points: int
    from_size: int
    """The smallest size in the fit: below it the fixed cost of a call hides the growth."""


@dataclass(frozen=True)
class GrowthCurve:
    """The points of one tokenizer, smallest first. `cost.exponent` is None with fewer than three measured points in the fit."""

    key: str
    engine: str
    tokenizer: str
    points: list[GrowthPoint]
    exponent: Exponent | None
    problem: str | None


@dataclass(frozen=True)
class Growth:
    """Time against one quantity, for several tokenizers."""

    title: str
    axis: Literal["bytes", "threads", "vocab_size"]
    text: str
    """What was encoded, in words."""
    text_bytes: int | None
    """The bytes of the text where the axis is not its length."""
    limit_ns: int
    """The time after which a point counts as timed out, and larger ones are skipped."""
    limit_ns_per_byte: float | None
    """The limit line of a chart over bytes."""
    curves: list[GrowthCurve]


@dataclass(frozen=True)
class PathologicalRow:
    """One input that breaks encoders, under one tokenizer."""

    input: str
    description: str
    bytes: int
    engine: str
    tokenizer: str
    state: PointState
    elapsed_ns: int | None
    low_ns: int | None
    high_ns: int | None
    throughput_mb_per_s: float | None
    tokens: int | None
    within_limit: bool | None
    """Whether the throughput reaches the limit; None if not measured."""
    message: str | None


@dataclass(frozen=True)
class Pathological:
    """The suite of inputs that break encoders, with the limit line in MB/s (10^6 bytes of input)."""

    limit_mb_per_s: float
    bytes: int
    """Size of each input."""
    rows: list[PathologicalRow]


@dataclass(frozen=True)
class RaceEntrant:
    """One algorithm over texts of growing length, smallest first.

    `breaks_at_bytes` is the first length at which it took longer than the limit or refused the text; None if it finished
    all. `same_ids` says whether it gave the tokenizer's ids wherever it finished; algorithms that do not split the text
    first need not.
    """

    algorithm: str
    description: str
    language: Literal["Rust", "Python"]
    points: list[GrowthPoint]
    exponent: Exponent | None
    breaks_at_bytes: int | None
    same_ids: bool | None
    problem: str | None


@dataclass(frozen=True)
class Race:
    """Several algorithms on the same texts with one vocabulary."""

    tokenizer: str
    text: str
    limit_ns: int
    entrants: list[RaceEntrant]
    beginning: str = ""
    """A short text of the kind that raced; empty in reports of earlier versions."""


@dataclass(frozen=True)
class TrainerEntrant:
    """One algorithm of BPE training over texts of growing size, smallest first.

    `tokens` of a point is the number of merges made. `same_merges` says whether they were those of the first algorithm, in
    the same order, wherever it finished.
    """

    algorithm: str
    description: str
    points: list[GrowthPoint]
    exponent: Exponent | None
    breaks_at_bytes: int | None
    """The first size at which it took longer than the limit; None if it finished all."""
    same_merges: bool | None
    problem: str | None


@dataclass(frozen=True)
class TrainerRace:
    """The algorithms of BPE training on the same counted words. Counting the words is not timed."""

    text: str
    merges: int
    """The most merges that each makes."""
    limit_ns: int
    entrants: list[TrainerEntrant]
    beginning: str = ""
    """Of the text; empty in reports of earlier versions."""


@dataclass(frozen=True)
class CostReport:
    """All measurements of one run; None for those not asked for. `id` is None if it is not kept."""

    id: int | None = None
    stages: StageReport | None = None
    growth: list[Growth] | None = None
    pathological: Pathological | None = None
    race: Race | None = None
    trainers: TrainerRace | None = None
