"""Counts the words of a training text on the workers of a cluster: each reads units itself and returns their counts.

The counts are those of one process, since a unit is counted by the same code wherever it is. Merges run on one machine. Not
here: counting a unit (`lab_app.training.counting`), the connection (`connection`).
"""

import asyncio
import pickle
import queue
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lab_app import engine
from lab_app.cluster.connection import Connection, check_versions, in_words
from lab_app.cluster.spread import check_feeding, ended, gathered, wanted
from lab_app.cluster.versions import versions
from lab_app.errors import Cancelled, LoadFailed
from lab_app.training.control import BEAT_S, Control
from lab_app.training.counting import CHECKPOINT_S, PAUSE_BEATS, Counted, count_unit, rounds_s
from lab_app.training.sources import Reading, Unit, UnitReport

if TYPE_CHECKING:
    from lab_app.training.run import CountText

AT_ONCE_PER_THREAD = 2
UNITS_PER_TASK = 8


@dataclass(frozen=True)
class Work:
    """What all tasks share."""

    reading: Reading
    versions: dict[str, str]
    """Of the process that asked for it."""


@dataclass(frozen=True)
class UnitCounts:
    """The counts of some units, small enough to travel."""

    words: bytes
    reports: dict[int, UnitReport]
    held_out: dict[int, list[str]]


def counter(connection: Connection) -> "CountText":
    """What counts a text on the cluster, for `lab_app.training.run.Plan`."""
    return partial(count, connection)


def count(
    connection: Connection,
    reading: Reading,
    control: Control,
    report: Callable[[int], None] = lambda read_bytes: None,
    *,
    threads: int = 0,
    start: Counted | None = None,
    checkpoint: Callable[[Counted], None] = lambda counted: None,
    checkpoint_s: float = CHECKPOINT_S,
) -> Counted:
    """The words of a text, equal to those of one process. Arguments, checkpoints, pauses and errors as those of
    `lab_app.training.counting.count`; `threads` has no effect. Units count as read when their counts have arrived here. Raises
    Unavailable if the connection is lost or a worker has another version."""
    total = start or Counted(engine.WordCounter(reading.options))
    waiting = deque(_tasks([unit for unit in reading.text.units() if unit.index not in total.reports]))
    spread = _Spread(connection, Work(reading, versions()), AT_ONCE_PER_THREAD * _threads(connection))
    left, taken = len(waiting), 0
    rounds = rounds_s(checkpoint_s)
    due = time.monotonic() + next(rounds)
    quiet, unsaved = 0, False
    feeding = connection.start(spread.feed(waiting))
    try:
        while left:
            if control.wish == "cancel":
                control.check()
            control.serve()
            spread.hold(control.wish == "pause")
            try:
                found = spread.arrived.get(timeout=BEAT_S)
            except queue.Empty:
                quiet += 1
                check_feeding(feeding, spread.arrived, "start again; it goes on from its last checkpoint")
            else:
                if isinstance(found, BaseException):
                    raise in_words(found, "a part of the text", "start again")
                left, taken, quiet, unsaved = left - 1, taken + 1, 0, True
                total.add(
                    Counted(engine.WordCounter.from_bytes(reading.options, found.words), found.reports, found.held_out)
                )
            report(total.read_bytes)
            is_pause = control.wish == "pause" and (spread.begun == taken or quiet > PAUSE_BEATS)
            if is_pause or (left and unsaved and time.monotonic() >= due):
                checkpoint(total)
                due, unsaved = time.monotonic() + next(rounds), False
            if is_pause:
                control.wait_while_paused()
                quiet = 0
    finally:
        feeding.cancel()
    return total


class _Spread:
    """Hands tasks to the scheduler, some at a time, and collects their counts. Runs in the loop of the connection."""

    def __init__(self, connection: Connection, work: Work, at_once: int) -> None:
        self.arrived: queue.SimpleQueue[UnitCounts | BaseException] = queue.SimpleQueue()
        self.begun = 0
        """Tasks that were handed out."""
        self._connection = connection
        self._work = work
        self._room = asyncio.Semaphore(at_once)
        self._going = asyncio.Event()
        self._going.set()

    def hold(self, is_held: bool) -> None:
        """Hands out no more tasks, or goes on. For any thread."""
        if is_held == self._going.is_set():
            self._connection.loop.call_soon_threadsafe(self._going.clear if is_held else self._going.set)

    async def feed(self, tasks: "deque[list[Unit]]") -> None:
        """Runs until all counts have arrived. When it is cancelled, the cluster forgets the tasks."""
        run = secrets.token_hex(8)
        shared = await self._connection.client.scatter(pickle.dumps(self._work), broadcast=False, hash=False)
        with self._connection.client.as_current():  # for `ended`
            async with asyncio.TaskGroup() as group:
                for number, units in enumerate(tasks):
                    await self._room.acquire()
                    await self._going.wait()
                    self.begun += 1
                    group.create_task(self._collect(shared, units, f"tokenlab-train-{run}-{number}"))

    async def _collect(self, shared: object, units: list[Unit], key: str) -> None:
        future = self._connection.client.submit(counts_of, shared, units, key=key, pure=False)
        try:
            await ended(future)
            found: UnitCounts | BaseException = await gathered(future)
        except Exception as error:
            found = error
        finally:
            future.release()
            self._room.release()
        self.arrived.put(found)


def counts_of(shared: bytes, units: list[Unit]) -> UnitCounts:
    """The counts of some units. Runs on a worker. Raises Cancelled when nobody wants them any more."""
    work: Work = pickle.loads(shared)
    check_versions("the worker", versions(), work.versions)
    words = engine.WordCounter(work.reading.options)
    reports: dict[int, UnitReport] = {}
    is_wanted = wanted()

    def check() -> None:
        if not is_wanted():
            raise Cancelled("the training was stopped")

    try:
        held = {unit.index: count_unit(work.reading, unit, words, reports, check) for unit in units}
    except LoadFailed as error:
        raise LoadFailed(
            f"on a worker: {error.message}",
            "workers read the files themselves: put them where every machine has them at the same path, with their times",
        ) from error
    return UnitCounts(words.to_bytes(), reports, held)


def _tasks(units: list[Unit]) -> list[list[Unit]]:
    """Units in groups, so that counts travel less often."""
    return [units[at : at + UNITS_PER_TASK] for at in range(0, len(units), UNITS_PER_TASK)]


def _threads(connection: Connection) -> int:
    return max(1, sum(connection.workers().values()))
