"""Times several candidates on the same texts, interleaved, each in a process of its own with a limit of time.

The base of growth, the pathological suite and the race. Not here: what a candidate does (`worker`), whole benchmarks
with memory and exactness reports (`speed.runner`).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lab_app.benchmarks.growth_result import GrowthPoint, PointState
from lab_app.benchmarks.process import Session, SubjectEnded, SubjectTimedOut

ROUNDS = 7
FEWEST_ROUNDS = 3
LOAD_LIMIT_S = 120.0
SAMPLE_NS = 5_000_000
MOST_TEXTS = 200
"""A sample encodes as many texts as take about 5 ms, at most 200, so that it takes long enough to be timed."""
LIMIT_NS = 2_000_000_000
PATIENCE = 3.0
"""A candidate is ended when one sample takes this many times the limit."""


@dataclass(frozen=True)
class Candidate:
    """One curve. `load` is the request of `worker` that loads it; candidates with the same `group` give the same ids, or the
    same of whatever `gives` names."""

    key: str
    engine: str
    tokenizer: str
    load: dict[str, Any]
    threads: int = 1
    group: str = ""
    gives: str = "ids"


@dataclass(frozen=True)
class Texts:
    """What to encode: `text` as in `worker.texts_of`, a size in bytes."""

    text: dict[str, Any]
    bytes: int
    documents: bool = False


@dataclass
class Samples:
    """What one candidate gave for one size, per text. `state` is ok if it has samples."""

    state: PointState = "ok"
    message: str | None = None
    times_ns: list[int] = field(default_factory=list)
    texts: int = 1
    """Texts in one sample."""
    bytes: int | None = None
    tokens: int | None = None
    steps: dict[str, int] | None = None
    digest: str | None = None

    def point(self, size: int) -> GrowthPoint:
        """The samples as a point of a curve. An inexact candidate keeps its times."""
        if not self.times_ns:
            return GrowthPoint(size, self.state, None, None, None, 0, message=self.message)
        times = sorted(self.times_ns)
        middle = (times[(len(times) - 1) // 2] + times[len(times) // 2]) // 2
        return GrowthPoint(
            size, self.state, middle, times[0], times[-1], len(times), self.tokens, self.steps, self.message
        )


_STATES: dict[str, PointState] = {"failed": "failed", "unsupported": "unsupported", "timed_out": "timed_out"}

Start = Callable[[Candidate], Session]
"""Starts the process of a candidate."""


class Processes:
    """The processes of some candidates: started when they are first asked, and again after they were ended."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._open: dict[str, Session] = {}

    def ask(self, candidate: Candidate, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """The answer. Raises SubjectEnded; the candidate is started anew for the next request then."""
        try:
            session = self._open.get(candidate.key)
            if session is None:
                session = self._open[candidate.key] = self._start(candidate)
                session.ask({"do": "load", "threads": candidate.threads, **candidate.load}, LOAD_LIMIT_S)
            return session.ask(request, limit_s)
        except SubjectEnded:
            self.end(candidate)
            raise

    def end(self, candidate: Candidate) -> None:
        """Ends the process of a candidate, if there is one."""
        session = self._open.pop(candidate.key, None)
        if session is not None:
            session.end()

    def end_all(self) -> None:
        """Ends all of them."""
        for session in self._open.values():
            session.end()
        self._open.clear()


@contextmanager
def processes(start: Start) -> Iterator[Processes]:
    """The processes of a measurement, all of which are ended with it."""
    opened = Processes(start)
    try:
        yield opened
    finally:
        opened.end_all()


def time_texts(
    opened: Processes,
    candidates: Sequence[Candidate],
    texts: Texts,
    *,
    rounds: int = ROUNDS,
    limit_ns: int = LIMIT_NS,
    seed: int = 0,
) -> dict[str, Samples]:
    """The samples of every candidate on texts of one size, in ns per text.

    Every round encodes new texts, the same for all candidates, in an order drawn by `seed`. A first round is not counted: it
    warms up what does not depend on the text, and its ids are compared within each group. A candidate whose sample is over
    the limit is `timed_out`, and one that used the limit up after three rounds gets no more of them.
    """
    order = random.Random(seed)
    found = {candidate.key: Samples() for candidate in candidates}
    for number in range(rounds + 1):
        for candidate in order.sample(candidates, len(candidates)):
            samples = found[candidate.key]
            if samples.state not in ("ok", "inexact") or _used_up(samples, limit_ns):
                continue
            prepare = {
                "do": "prepare",
                "text": texts.text,
                "bytes": texts.bytes,
                "texts": samples.texts,
                "documents": texts.documents,
                "seed": seed + MOST_TEXTS * number,
            }
            _sample(opened, candidate, samples, prepare, limit_ns, is_first=number == 0)
        if number == 0:
            _compare(candidates, found)
    return found


def _used_up(samples: Samples, limit_ns: int) -> bool:
    return len(samples.times_ns) >= FEWEST_ROUNDS and sum(samples.times_ns) * samples.texts > limit_ns


def _sample(
    opened: Processes,
    candidate: Candidate,
    samples: Samples,
    prepare: dict[str, Any],
    limit_ns: int,
    *,
    is_first: bool,
) -> None:
    try:
        prepared = opened.ask(candidate, prepare, LOAD_LIMIT_S)
        answer = opened.ask(candidate, {"do": "time"}, PATIENCE * limit_ns / 1e9)
    except SubjectTimedOut:
        answer = None
    except SubjectEnded as error:
        samples.state, samples.message = _STATES[error.state], str(error)
        samples.times_ns.clear()
        return
    if answer is None or answer["elapsed_ns"] > limit_ns:
        samples.state, samples.message = "timed_out", f"took longer than {limit_ns / 1e9:g} s"
        samples.times_ns.clear()
        return
    if is_first:
        samples.bytes, samples.tokens, samples.steps = prepared["bytes"], answer["tokens"], answer["steps"]
        samples.digest = answer["digest"]
        if not prepare["documents"]:
            samples.texts = min(MOST_TEXTS, max(1, SAMPLE_NS // max(1, answer["elapsed_ns"])))
    else:
        samples.times_ns.append(answer["elapsed_ns"] // samples.texts)


def _compare(candidates: Sequence[Candidate], found: dict[str, Samples]) -> None:
    """Marks candidates whose ids are not those of the first one of their group that answered."""
    first_of: dict[str, str] = {}
    for candidate in candidates:
        samples = found[candidate.key]
        if samples.digest is None or not candidate.group:
            continue
        expected = first_of.setdefault(candidate.group, samples.digest)
        if samples.digest != expected:
            samples.state, samples.message = (
                "inexact",
                f"its {candidate.gives} differ from those of the first candidate",
            )
