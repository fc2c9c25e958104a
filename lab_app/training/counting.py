"""Counts the words of a text: some threads, each a unit at a time, with pause, stop and checkpoints.

The engine releases the interpreter's lock while it counts. Counts of units add up exactly, so the result is the same for any
number of threads. Not here: reading (`sources`), other machines (`lab_app.cluster.training`).
"""

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Literal

from lab_app import engine
from lab_app.training.control import BEAT_S, Control
from lab_app.training.sources import Reading, Unit, UnitReport

CHECKPOINT_S = 30.0
FIRST_CHECKPOINT_S = 2.0
"""The first comes this early, each later one after twice the time: a kill loses at most about half of the work."""
BATCH_CHARACTERS = 1_000_000
PAUSE_BEATS = 20
"""How many tenths of a second a pause waits for the ends of units: one compressed file may be read for hours."""


def rounds_s(most_s: float) -> Iterator[float]:
    """The seconds until each checkpoint; `most_s`: between later ones, infinite for none at all.

    >>> from itertools import islice
    >>> list(islice(rounds_s(30.0), 6))
    [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    """
    next_s = min(FIRST_CHECKPOINT_S, most_s) if math.isfinite(most_s) else most_s
    while True:
        yield next_s
        next_s = min(2 * next_s, most_s)


@dataclass
class Counted:
    """The words of the units that were read, and the held-out texts by unit."""

    words: engine.WordCounter
    reports: dict[int, UnitReport] = field(default_factory=dict)
    held_out: dict[int, list[str]] = field(default_factory=dict)

    @property
    def held_out_texts(self) -> list[str]:
        """All held-out texts in the order of the text."""
        return [text for _, texts in sorted(self.held_out.items()) for text in texts]

    @property
    def invalid_sequences(self) -> int:
        """How many byte sequences were not valid UTF-8."""
        return sum(each.invalid_sequences for each in self.reports.values())

    @property
    def read_bytes(self) -> int:
        """Of the files, by all threads."""
        return sum(each.read_bytes for each in list(self.reports.values()))

    def add(self, other: "Counted") -> None:
        """Adds the counts of other units."""
        self.words.merge(other.words)
        self.reports |= other.reports
        self.held_out |= other.held_out


def count(
    reading: Reading,
    control: Control,
    report: Callable[[int], None] = lambda read_bytes: None,
    *,
    threads: int = 0,
    start: Counted | None = None,
    checkpoint: Callable[[Counted], None] = lambda counted: None,
    checkpoint_s: float = CHECKPOINT_S,
) -> Counted:
    """The words of a text. `threads`: 0 means all cores. `start` has units that were counted before, which it grows.

    Now and then, and before a pause, all threads finish their unit and `checkpoint` gets the counts so far. Raises
    Cancelled within a tenth of a second after that wish, LoadFailed and BadValue while reading, EncodeError.
    """
    total = start or Counted(engine.WordCounter(reading.options))
    units = deque(unit for unit in reading.text.units() if unit.index not in total.reports)
    workers = max(1, min(threads or os.cpu_count() or 1, len(units)))
    each = max(1, (threads or os.cpu_count() or 1) // workers)
    with_pool = ThreadPoolExecutor(workers, thread_name_prefix="train-count")
    stopped = threading.Event()
    rounds = rounds_s(checkpoint_s)
    try:
        while units:
            end = time.monotonic() + next(rounds)
            parts = [Counted(engine.WordCounter(reading.options)) for _ in range(workers)]
            work = _Work(reading, control, units, end, stopped, each)
            futures = [with_pool.submit(work.run, part) for part in parts]
            _watch(work, futures, lambda parts=parts: report(total.read_bytes + sum(p.read_bytes for p in parts)))  # type: ignore[misc]
            for part in parts:
                total.add(part)
            report(total.read_bytes)
            if units or control.wish == "pause":
                checkpoint(total)
            control.wait_while_paused()
    finally:
        stopped.set()
        with_pool.shutdown(wait=False, cancel_futures=True)
    return total


@dataclass
class _Work:
    """What the threads of one round share."""

    reading: Reading
    control: Control
    units: deque[Unit]
    end: float
    stopped: threading.Event
    threads: int
    held: threading.Event = field(default_factory=threading.Event)
    """Whether a pause begins within units."""

    def run(self, part: Counted) -> None:
        """Counts units, at least one, until none is left or the round is over."""
        while not self.stopped.is_set():
            try:
                unit = self.units.popleft()
            except IndexError:  # another thread took the last one
                return
            part.held_out[unit.index] = count_unit(
                self.reading, unit, part.words, part.reports, self._check, self.threads
            )
            # Looked at after a unit, so that each round gets further.
            if time.monotonic() >= self.end or self.control.wish == "pause":
                return

    def _check(self) -> None:
        if self.stopped.is_set():
            raise _Stopped
        if self.held.is_set() or self.control.wish != "pause":  # that waits for the end of the unit
            self.control.check()


class _Stopped(Exception):
    pass


def count_unit(
    reading: Reading,
    unit: Unit,
    words: engine.WordCounter,
    reports: dict[int, UnitReport],
    check: Callable[[], None] = lambda: None,
    threads: int = 1,
) -> list[str]:
    """Adds the words of a unit and returns its held-out texts. `check` may raise between two windows."""
    report = reports[unit.index] = UnitReport()
    invalid: Literal["replace", "skip"] = "skip" if reading.skip_invalid else "replace"
    held: list[str] = []
    counted_invalid = 0
    for train, out in reading.pieces(unit, report):
        check()
        texts = [each for each in train if isinstance(each, str)]
        if texts:
            words.add(texts, threads=threads)
        for each in train:
            if isinstance(each, bytes):
                counted_invalid += words.add_bytes(each, invalid)
        held += out
    report.invalid_sequences += counted_invalid
    return held


def count_texts(
    texts: Iterable[str],
    options: str,
    control: Control,
    report: Callable[[int], None] = lambda characters: None,
    *,
    threads: int = 0,
) -> engine.WordCounter:
    """The words of texts that come one by one; some are in memory at a time. `report` gets the characters so far."""
    words = engine.WordCounter(options)
    waiting: list[str] = []
    size = done = 0
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"the source gave {type(text).__name__}; give strings")
        waiting.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            control.check()
            words.add(waiting, threads=threads or os.cpu_count() or 1)
            done += size
            report(done)
            waiting, size = [], 0
    control.check()
    if waiting:
        words.add(waiting, threads=threads or os.cpu_count() or 1)
    report(done + size)
    return words


def count_held_out(texts: Sequence[str], options: str) -> engine.WordCounter | None:
    """The words of the held-out texts; None without any."""
    if not any(texts):
        return None
    words = engine.WordCounter(options)
    words.add(list(texts))
    return words


def _watch(work: _Work, futures: Sequence[Future[None]], report: Callable[[], None]) -> None:
    """Reports until all have ended. When a pause is wished they end with their units, or wait within long ones. Raises what
    one of them raised, and Cancelled at once."""
    control, waiting, beats = work.control, set(futures), 0
    while waiting:
        ended, waiting = wait(waiting, BEAT_S)
        for future in ended:
            future.result()
        if control.wish == "cancel":
            control.check()
        beats = beats + 1 if control.wish == "pause" else 0
        if waiting and beats > PAUSE_BEATS:
            work.held.set()
            control.wait_while_paused()
            work.held.clear()
        control.serve()
        report()
