"""How far a training is: its stages with rate and time left, and figures of its result. Not here: the run (`run`)."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

StageName = Literal["read", "count", "pairs", "merge", "write"]
STAGES: tuple[StageName, ...] = ("read", "count", "pairs", "merge", "write")
SEEDS_FIRST = {"pairs": "Find seeds", "merge": "EM and pruning"}
RATE_S = 2.0
"""Rates are those of so many last seconds."""


@dataclass(frozen=True)
class StageState:
    """One stage. `rate` is in words; `left_s` is None while it is unknown."""

    name: StageName
    title: str
    state: Literal["waiting", "running", "done"] = "waiting"
    share: float | None = None
    rate: str | None = None
    elapsed_s: float | None = None
    left_s: float | None = None


@dataclass(frozen=True)
class HeldOutState:
    """The held-out text under the tokenizer of the last step."""

    title: str
    bytes: int
    tokens: int
    bytes_per_token: float | None
    """None if the text has no token."""
    unknown_rate: float | None = None
    """Share of the unknown token among the tokens; None before the end, and without an unknown token."""


@dataclass(frozen=True)
class Progress:
    """A training at one moment. What is not known yet is None."""

    stages: tuple[StageState, ...] = ()
    done: int | None = None
    total: int | None = None
    unit: str | None = None
    vocab_size: int | None = None
    held_out: HeldOutState | None = None
    left_s: float | None = None
    elapsed_s: float = 0.0
    memory_bytes: int | None = None
    invalid_sequences: int | None = None
    split_words: int | None = None
    """Words of more than 4,096 bytes, which are split into shorter ones."""
    ended: str | None = None
    warnings: tuple[str, ...] = ()
    """What makes the result worse than it could be, with what to do."""


def stages_of(algorithm: str) -> tuple[StageState, ...]:
    """The stages before the first begins.

    >>> [stage.title for stage in stages_of("bpe")]
    ['Read', 'Count words', 'Count pairs', 'Merge', 'Write']
    """
    titles = {"read": "Read", "count": "Count words", "pairs": "Count pairs", "merge": "Merge", "write": "Write"}
    if algorithm == "unigram":
        titles |= SEEDS_FIRST
    if algorithm in ("wordlevel", "character"):
        titles |= {"pairs": "Sort", "merge": "Choose tokens"}
    return tuple(StageState(name, titles[name]) for name in STAGES)


@dataclass
class Tracker:
    """Makes progress out of what a run reports. Its clock stands still while the run is paused."""

    algorithm: str
    changed: Callable[[Progress], None]
    elapsed_before_s: float = 0.0
    paused: Callable[[], float] = lambda: 0.0
    """Seconds that the run was paused."""
    clock: Callable[[], float] = time.monotonic
    now: Progress = field(init=False)
    _began: float = field(init=False)
    _stage_began: float = 0.0
    _rates: deque[tuple[float, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._began = self.clock()
        self.now = Progress(stages_of(self.algorithm), elapsed_s=self.elapsed_before_s)

    @property
    def elapsed_s(self) -> float:
        """Seconds of work, pauses left out."""
        return self.elapsed_before_s + self.clock() - self._began - self.paused()

    def begin(self, name: StageName) -> None:
        """Begins a stage; all before it are done."""
        at = STAGES.index(name)
        self._stage_began = self.elapsed_s
        self._rates.clear()
        stages = tuple(
            replace(stage, state="done", share=1.0, left_s=None)
            if number < at
            else replace(stage, state="running", share=None, elapsed_s=0.0)
            if number == at
            else stage
            for number, stage in enumerate(self.now.stages)
        )
        self.update(stages=stages, left_s=None)

    def stage(self, done: int | None = None, total: int | None = None, rate: str | None = None) -> None:
        """Reports the stage that runs: how much of it is done, and its rate in words."""
        left = self._left(done, total)
        # How long a later stage takes is not known before it runs, and most of the time may be in it.
        whole = left if self.running in ("merge", "write") else None
        share = None if done is None or not total else min(done / total, 1.0)
        stages = tuple(
            replace(
                stage,
                share=share,
                rate=rate if rate is not None else stage.rate,
                elapsed_s=self.elapsed_s - self._stage_began,
                left_s=left,
            )
            if stage.state == "running"
            else stage
            for stage in self.now.stages
        )
        self.update(stages=stages, left_s=whole)

    def finish(self) -> None:
        """The last stage is done."""
        stages = tuple(replace(stage, state="done", share=1.0, left_s=None) for stage in self.now.stages)
        self.update(stages=stages, left_s=None)

    def per_second(self, done: int) -> float | None:
        """How much was done per second lately; None while nobody can say."""
        now = self.elapsed_s
        self._rates.append((now, done))
        while len(self._rates) > 2 and self._rates[1][0] < now - RATE_S:
            self._rates.popleft()
        first, before = self._rates[0]
        return (done - before) / (now - first) if now - first > 0.05 and done > before else None

    def update(self, **changes: Any) -> None:
        """Sets figures."""
        self.now = replace(self.now, elapsed_s=self.elapsed_s, **changes)
        self.changed(self.now)

    @property
    def running(self) -> StageName | None:
        """The stage that runs."""
        return next((stage.name for stage in self.now.stages if stage.state == "running"), None)

    def _left(self, done: int | None, total: int | None) -> float | None:
        if done is None or not total or not self._rates:
            return None
        first, before = self._rates[0]
        last, latest = self._rates[-1]
        if last - first < 0.05 or latest <= before:
            return None
        return max(total - done, 0) * (last - first) / (latest - before)
