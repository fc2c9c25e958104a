"""Runs a benchmark: prepares every subject, checks its ids, then takes one sample of each per round, in random order.

Steps: load each subject in a process of its own, with the first call and the first pass; compare the ids with the reference;
warm up and choose how many passes a sample has; the rounds; check the ids again; time each document; time the stages of the
lab's engine. One process works at a time. A subject that fails leaves the run, and the others go on.

A slow subject takes part in fewer rounds, at least five, spread over the run; the rounds of a slower one are among those of a
faster one, so that both can be compared.

Not here: the process (`process`, `worker`), the figures of a row (`entrant`, `statistics`).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab_app.benchmarks.growth_result import CacheCounts, StageTimes
from lab_app.benchmarks.options import FEWEST_ROUNDS
from lab_app.benchmarks.process import Session, SubjectEnded
from lab_app.benchmarks.result import BenchmarkRow, BenchmarkSettings
from lab_app.benchmarks.speed.entrant import Entrant, row
from lab_app.benchmarks.speed.exactness import compared
from lab_app.benchmarks.speed.workload import Workload
from lab_app.peers.registry import OURS

SAMPLE_NS = 50_000_000
"""A sample has as many passes as take about this long, so that the clock and the scheduler weigh little."""
MOST_CALLS = 10_000
SUBJECT_NS = 20_000_000_000
"""About how long all samples of one subject may take."""
LATENCY_PASSES = 5
LATENCY_NS = 5_000_000_000
STAGE_ROUNDS = 9
STAGES_NS = 2_000_000_000
"""About how long the rounds of the stages of one subject may take."""
CHANGED = "Its IDs changed after they were checked: its figures do not count."

Report = Callable[[int, int | None, str], None]


@dataclass
class Plan:
    """What to run, and how to reach the outside: `open` starts a process, `report` may raise to stop the run."""

    settings: BenchmarkSettings
    workload: Workload
    entrants: list[Entrant]
    references: dict[str, Entrant]
    """By tokenizer: the subject with the expected ids; one of `entrants`, or one that is asked for its ids alone."""
    open: Callable[[Entrant], Session]
    folder: Path
    """For the text that the processes read."""
    cpus: list[int] = field(default_factory=list)
    decode: Callable[[str, list[int]], bytes] = lambda tokenizer, ids: b""
    report: Report = lambda done, total, message: None


class Runner:
    """One run. `rows` may be called at any time, also after an exception ended `run`."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._settings = plan.settings
        self._first_pass = plan.settings.temperature == "first_pass"
        self._text = plan.workload.write(plan.folder)
        # The first part of a first pass is for warming up.
        count = plan.settings.rounds + 1 if self._first_pass else 1
        self._parts = plan.workload.parts(count)
        sizes = plan.workload.sizes()
        self._part_bytes = [sum(sizes[begin:end]) for begin, end in self._parts]
        self._done = 0
        self._total: int | None = None
        self.rounds_done = 0
        self.notes: list[str] = []

    def run(self, keep: Callable[[], None] = lambda: None) -> None:
        """Runs all steps; `keep` is called after each round. Raises what `report` raises; all processes have ended then."""
        try:
            for entrant in self._running():
                self._prepare(entrant)
            self._check()
            for entrant in self._running():
                self._warm_up(entrant)
            self._rounds(keep)
            for entrant in self._running():
                self._check_again(entrant)
            self._latencies()
            self._stages()
        finally:
            for entrant in [*self._plan.entrants, *self._plan.references.values()]:
                self._end(entrant)

    def baseline(self) -> Entrant | None:
        """The subject that ratios divide by: the one that was asked for, or else the first that has figures."""
        measured = [each for each in self._running() if len(each.samples_ns) >= FEWEST_ROUNDS]
        return next((each for each in measured if each.key == self._settings.baseline), next(iter(measured), None))

    def rows(self) -> list[BenchmarkRow]:
        """A row per subject, with what was measured so far. Exact ones have a rank, by ratio."""
        baseline, settings = self.baseline(), self._settings
        part_bytes = self._part_bytes[1:] if self._first_pass else self._part_bytes * settings.rounds
        rows = [
            row(each, baseline, self._plan.workload, part_bytes, settings.rounds, settings.seed)
            for each in self._plan.entrants
        ]
        if settings.shape == "whole":
            rows = [replace(each, documents_per_s=None) for each in rows]
        best = sorted((each for each in rows if each.state == "ok" and each.throughput_mb_per_s), key=_order)
        ranks = {each.key: rank for rank, each in enumerate(best, 1)}
        return [replace(each, rank=ranks.get(each.key)) for each in rows]

    def _running(self) -> list[Entrant]:
        return [each for each in self._plan.entrants if each.runs]

    @contextmanager
    def _failing(self, entrant: Entrant) -> Iterator[None]:
        """What ends the subject inside of this leaves the run alone."""
        try:
            yield
        except SubjectEnded as error:
            entrant.failed(error)

    def _ask(self, entrant: Entrant, do: str, **request: Any) -> dict[str, Any]:
        assert entrant.session is not None
        return entrant.session.ask({"do": do, **request}, self._settings.time_limit_s)

    def _open(self, entrant: Entrant) -> dict[str, Any]:
        """Starts the process and loads the tokenizer in it."""
        self._end(entrant)
        entrant.session = self._plan.open(entrant)
        return self._ask(
            entrant,
            "load",
            engine=entrant.module,
            files=vars(entrant.files),
            output=self._settings.output,
            shape=self._settings.shape,
            threads=self._settings.threads,
            cpus=self._plan.cpus,
            parts=self._parts,
            **self._text,
        )

    def _end(self, entrant: Entrant) -> None:
        if entrant.session is not None:
            entrant.session.end()
            entrant.session = None

    def _prepare(self, entrant: Entrant) -> None:
        self._say(f"loading {entrant.key}")
        with self._failing(entrant):
            entrant.loaded = self._open(entrant)
            entrant.loaded |= self._ask(entrant, "first")

    def _check(self) -> None:
        """Compares the ids of every subject with those of the reference."""
        for tokenizer, reference in self._plan.references.items():
            entrants = [each for each in self._running() if each.subject.tokenizer == tokenizer]
            for each in {id(one): one for one in (reference, *entrants)}.values():
                self._say(f"checking the IDs of {each.key}")
                with self._failing(each):
                    if each.session is None:
                        self._open(each)
                    found = self._ask(each, "digests")
                    each.digests, each.part_tokens = found["digests"], found["tokens"]
            if not reference.runs:
                self.notes.append(f"{reference.key} gave no IDs, so those of {tokenizer} were not compared.")
                continue
            for each in entrants:
                if each.runs:
                    with self._failing(each):
                        compared(each, reference, self._units(), self._ask, self._plan.decode)
            if reference not in self._plan.entrants:
                self._end(reference)
        for entrant in self._running():
            if not entrant.digests:
                with self._failing(entrant):
                    found = self._ask(entrant, "digests")
                    entrant.digests, entrant.part_tokens = found["digests"], found["tokens"]

    def _units(self) -> list[str]:
        """The texts of single calls, in order."""
        documents = self._plan.workload.documents
        if self._settings.shape == "whole":
            return ["".join(documents[begin:end]) for begin, end in self._parts]
        return list(documents)

    def _warm_up(self, entrant: Entrant) -> None:
        """Measures one pass, to choose the passes of a sample and the rounds."""
        self._say(f"warming up {entrant.key}")
        with self._failing(entrant):
            if self._first_pass:
                self._open(entrant)
            once = self._sample(entrant, part=0)
            entrant.pass_ns, cost_ns = once["elapsed_ns"], once["elapsed_ns"]
            if self._settings.temperature == "warm":
                entrant.calls = max(1, min(MOST_CALLS, round(SAMPLE_NS / max(1, entrant.pass_ns))))
                cost_ns *= entrant.calls
                self._sample(entrant, part=0)
            elif self._settings.temperature == "cold":
                cost_ns += entrant.loaded["load_ns"]
            rounds = self._settings.rounds
            count = max(FEWEST_ROUNDS, min(rounds, SUBJECT_NS // max(1, cost_ns)))
            entrant.rounds = frozenset(spread_rounds(rounds)[:count])
            if count < rounds:
                seconds = entrant.pass_ns / 1e9
                self.notes.append(
                    f"{entrant.key} took part in {count} of {rounds} rounds, since one pass takes {seconds:.1f} s."
                )

    def _rounds(self, keep: Callable[[], None]) -> None:
        order = random.Random(self._settings.seed)
        passes = LATENCY_PASSES if self._settings.temperature == "warm" else 1
        self._total = sum(len(each.rounds) + passes + (each.subject.engine == OURS) for each in self._running())
        for number in range(self._settings.rounds):
            entrants = [each for each in self._running() if number in each.rounds]
            order.shuffle(entrants)
            for entrant in entrants:
                self._say(f"round {number + 1} of {self._settings.rounds}{self._left(number)}")
                with self._failing(entrant):
                    found = self._sample(entrant, part=number + 1 if self._first_pass else 0)
                    entrant.samples_ns[number] = found["elapsed_ns"]
                    entrant.cpu_ns[number] = found["cpu_ns"]
                self._done += 1
            self.rounds_done = number + 1
            keep()

    def _sample(self, entrant: Entrant, part: int) -> dict[str, Any]:
        found = self._ask(entrant, "sample", part=part, calls=entrant.calls, fresh=self._settings.temperature == "cold")
        if found["tokens"] != entrant.part_tokens[part]:
            entrant.state, entrant.message = "inexact", CHANGED
        return found

    def _check_again(self, entrant: Entrant) -> None:
        self._say(f"checking the IDs of {entrant.key} again")
        with self._failing(entrant):
            if self._ask(entrant, "digests")["digests"] != entrant.digests:
                entrant.state, entrant.message = "inexact", CHANGED

    def _latencies(self) -> None:
        """Times each document by itself: of warm subjects several times, of others once, by a new process."""
        warm = self._settings.temperature == "warm"
        for number in range(LATENCY_PASSES if warm else 1):
            for entrant in self._running():
                if sum(map(sum, entrant.latency_ns)) * (number + 1) > LATENCY_NS * max(1, number):
                    continue
                self._say(f"timing each document, {entrant.key}")
                with self._failing(entrant):
                    if not warm:
                        self._open(entrant)
                    found = self._ask(entrant, "latency")
                    entrant.latency_ns.append(found["times_ns"])
                    entrant.document_tokens = found["tokens"]
                self._done += 1

    def _stages(self) -> None:
        """Times the stages of the lab's engine; no other reports them. A failure is a note: the figures are there already.

        Not among the rounds: reading the clock at each change of stage slows a call down.
        """
        fresh = self._settings.temperature != "warm"
        for entrant in self._running():
            if entrant.subject.engine != OURS:
                continue
            self._say(f"timing the stages of {entrant.key}")
            pass_ns = entrant.pass_ns + (entrant.loaded["load_ns"] if fresh else 0)
            rounds = max(1, min(STAGE_ROUNDS, STAGES_NS // max(1, pass_ns)))
            # Before the rounds come passes that fill the caches and compare the ids.
            limit_s = self._settings.time_limit_s * (rounds + 3)
            try:
                if entrant.session is None:
                    self._open(entrant)
                assert entrant.session is not None
                found = entrant.session.ask({"do": "stages", "rounds": rounds, "fresh": fresh}, limit_s)["stages"]
            except SubjectEnded as error:
                self.notes.append(f"The stages of {entrant.key} were not measured: {error}.")
                self._end(entrant)
            else:
                cache = found["cache"]
                entrant.stages = StageTimes(**found | {"cache": None if cache is None else CacheCounts(**cache)})
            self._done += 1

    def _left(self, number: int) -> str:
        """The time left, in words."""
        left_ns = sum(
            each.pass_ns * each.calls * sum(round >= number for round in each.rounds) for each in self._running()
        )
        return f", about {max(1, round(left_ns / 1e9))} s left"

    def _say(self, message: str) -> None:
        self._plan.report(self._done, self._total, message)


def spread_rounds(rounds: int) -> Sequence[int]:
    """All rounds, in an order whose first k are spread evenly for every k.

    Source: van der Corput, "Verteilungsfunktionen", 1935: the digits of the number in base 2, mirrored.

    >>> spread_rounds(8)
    [0, 4, 2, 6, 1, 5, 3, 7]
    """
    bits = max(1, (rounds - 1).bit_length())
    return sorted(range(rounds), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))


def _order(row: BenchmarkRow) -> float:
    return -(1.0 if row.ratio is None else row.ratio.median)  # the baseline has no ratio to itself
