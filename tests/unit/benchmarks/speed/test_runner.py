"""The order and the rules of a run, on simulated processes: what is asked of whom, and the rows that result."""

import random
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lab_app.benchmarks.growth_result import CacheCounts, StageTimes
from lab_app.benchmarks.process import SubjectCrashed, SubjectTimedOut
from lab_app.benchmarks.result import BenchmarkRow, BenchmarkSettings, Subject, TextSource
from lab_app.benchmarks.speed.entrant import Entrant
from lab_app.benchmarks.speed.runner import CHANGED, Plan, Runner
from lab_app.benchmarks.speed.workload import Workload
from lab_app.errors import BadValue, Cancelled
from lab_app.peers.peer import TokenizerFiles

DOCUMENTS = tuple(f"document {number}\n" * 4 for number in range(60))
MS = 1_000_000
STAGES = asdict(
    StageTimes("t", "fast", 60, 900, 100, 9, None, 7, 20, None, 3, 30, [], [], CacheCounts(5, 2), True, None)
)


class Simulated:
    """A process whose samples take `pass_ns` and a little noise. `log` gets (name, request) of every question."""

    def __init__(self, name: str, pass_ns: int, log: list, digest: str = "right", fails: dict | None = None) -> None:
        self.name, self.pass_ns, self.log, self.digest = name, pass_ns, log, digest
        self.fails = fails or {}
        self.noise = random.Random(name)
        self.ended = False

    def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        self.log.append((self.name, request))
        do = request["do"]
        if do in self.fails:
            raise self.fails[do]
        if do == "load":
            self.parts = request["parts"]
            return {"import_ns": MS, "load_ns": 5 * MS, "loaded_bytes": 1000, "read_from": "its own file"}
        if do == "first":
            return {"first_call_ns": 9, "pass_ns": self.pass_ns, "resident_bytes": 2000, "peak_bytes": None}
        if do == "digests":
            return {"digests": [self.digest] * len(self.parts), "tokens": [100] * len(self.parts)}
        if do == "difference":
            return {"ids": [1, 2, 3] if self.digest == "right" else [1, 9]}
        if do == "stages":
            return {"stages": STAGES}
        if do == "latency":
            return {"times_ns": [self.pass_ns // 60] * 60, "tokens": [5] * 60}
        time = int(self.pass_ns * self.noise.uniform(0.99, 1.01))
        return {"elapsed_ns": time, "cpu_ns": time, "tokens": 100}

    def output(self) -> str:
        return "the last words"

    def end(self) -> None:
        self.ended = True


class Simulation:
    """A run of simulated subjects: name, time of a pass and more of each. The first is baseline and reference."""

    def __init__(
        self, folder: Path, subjects: dict[str, tuple[int, dict]], documents=DOCUMENTS, **options: Any
    ) -> None:
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.sessions: list[Simulated] = []
        self._subjects = subjects
        entrants = [Entrant(Subject("t", name), name, TokenizerFiles("t"), "1.0") for name in subjects]
        settings = BenchmarkSettings(
            [each.subject for each in entrants], TextSource("text", ""), entrants[0].key, **options
        )
        workload = Workload("text", documents)
        self.plan = Plan(settings, workload, entrants, {"t": entrants[0]}, self._open, folder)
        self.runner = Runner(self.plan)

    def _open(self, entrant: Entrant) -> Simulated:
        name = entrant.subject.engine
        pass_ns, more = self._subjects[name]
        self.sessions.append(Simulated(name, pass_ns, self.log, **more))
        return self.sessions[-1]

    def run(self) -> "Simulation":
        self.runner.run()
        return self

    @property
    def rows(self) -> dict[str, BenchmarkRow]:
        return {row.engine: row for row in self.runner.rows()}


@pytest.fixture
def simulation(tmp_path: Path):
    return lambda subjects, **options: Simulation(tmp_path, subjects, **options)


def test_ratios_ranks_and_rounds(simulation):
    found = simulation({"base": (20 * MS, {}), "fast": (10 * MS, {}), "slow": (80 * MS, {})}, rounds=9).run()
    rows = found.rows
    assert rows["fast"].ratio.median == pytest.approx(2, rel=0.02) and rows["fast"].ratio.differs
    assert rows["slow"].ratio.median == pytest.approx(0.25, rel=0.02) and rows["base"].ratio is None
    assert [rows[name].rank for name in ("fast", "base", "slow")] == [1, 2, 3]
    size = sum(len(document) for document in DOCUMENTS)
    assert rows["base"].throughput_mb_per_s.median == pytest.approx(size / (20 * MS) * 1000, rel=0.02)
    assert (rows["fast"].calls_per_sample, rows["slow"].calls_per_sample) == (5, 1), "samples last about 50 ms"
    assert rows["base"].documents_per_s is None and rows["base"].tokens == 100 and rows["base"].peak_bytes is None
    assert rows["fast"].latency_ns.p50 == 10 * MS // 60 and len(rows["fast"].slowest_documents) == 5
    assert found.runner.rounds_done == 9 and all(session.ended for session in found.sessions)


def test_rounds_interleave_all_subjects_in_changing_order(simulation):
    log = simulation({"base": (50 * MS, {}), "fast": (50 * MS, {}), "third": (50 * MS, {})}, rounds=12).run().log
    names = [name for name, request in log if request["do"] == "sample"]
    rounds = [tuple(names[start : start + 3]) for start in range(len(names) - 36, len(names), 3)]
    assert all(sorted(each) == ["base", "fast", "third"] for each in rounds) and len(set(rounds)) > 2
    done = [request["do"] for _, request in log]
    assert done.index("digests") < done.index("sample"), "ids are checked before anything is timed"


def test_an_inexact_subject_is_marked_and_cannot_win(simulation):
    rows = simulation({"base": (20 * MS, {}), "wrong": (1 * MS, {"digest": "other"})}, rounds=5).run().rows
    wrong = rows["wrong"]
    assert (wrong.state, wrong.rank, rows["base"].rank) == ("inexact", None, 1)
    assert wrong.throughput_mb_per_s is not None and "1 of 1 texts" in wrong.message
    assert wrong.exactness.differing == 1 and wrong.exactness.first_difference.token == 1
    assert (wrong.exactness.first_difference.expected, wrong.exactness.first_difference.found) == (2, 9)


def test_a_slow_subject_takes_part_in_fewer_rounds_that_the_baseline_has_too(simulation):
    found = simulation({"base": (900 * MS, {}), "slow": (2_600 * MS, {}), "fast": (MS, {})}, rounds=25).run()
    rows = found.rows
    measured = {name: {n for n, time in enumerate(row.samples_ns) if time is not None} for name, row in rows.items()}
    assert {name: len(rounds) for name, rounds in measured.items()} == {"base": 22, "slow": 7, "fast": 25}
    assert measured["slow"] < measured["base"] < measured["fast"]
    assert max(b - a for a, b in pairwise(sorted(measured["slow"]))) <= 5
    assert "t/slow took part in 7 of 25 rounds, since one pass takes 2.6 s." in found.runner.notes


@pytest.mark.parametrize(
    ("step", "error", "state"),
    [
        ("load", SubjectCrashed("it crashed with signal 11 (SIGSEGV)"), "failed"),
        ("digests", SubjectTimedOut("checking the IDs took longer than 1 s"), "timed_out"),
        ("sample", SubjectCrashed("it crashed with signal 9 (SIGKILL)"), "failed"),
        ("latency", SubjectCrashed("it crashed with signal 6 (SIGABRT)"), "failed"),
    ],
)
def test_a_subject_that_ends_is_a_row_and_the_others_go_on(simulation, step, error, state):
    subjects = {"base": (20 * MS, {}), "bad": (10 * MS, {"fails": {step: error}}), "good": (10 * MS, {})}
    rows = simulation(subjects, rounds=5).run().rows
    bad = rows["bad"]
    assert (bad.state, bad.rank, bad.throughput_mb_per_s, bad.latency_ns) == (state, None, None, None)
    assert bad.message == f"{str(error)[:1].upper()}{str(error)[1:]}." and bad.output == "the last words"
    assert rows["good"].rank == 1 and rows["good"].ratio is not None


def test_without_the_baseline_ratios_are_to_the_first_that_has_figures(simulation):
    fails = {"fails": {"load": SubjectCrashed("gone")}}
    found = simulation({"base": (MS, fails), "other": (20 * MS, {}), "third": (10 * MS, {})}, rounds=5).run()
    rows = found.rows
    assert found.runner.baseline().key == "t/other" and rows["third"].ratio.median == pytest.approx(2, rel=0.02)
    assert rows["other"].exactness is None and "t/base gave no IDs" in found.runner.notes[0]


def test_a_first_pass_never_shows_a_process_text_that_it_has_seen(simulation):
    subjects = {"base": (20 * MS, {}), "fast": (10 * MS, {})}
    found = simulation(subjects, rounds=7, temperature="first_pass").run()
    rows, log = found.rows, found.log
    for name in subjects:
        questions = [request for each, request in log if each == name]
        opened = [number for number, request in enumerate(questions) if request["do"] == "load"]
        assert len(opened) == 3, "one process to check ids, one to be timed, one for the latency"
        timed = [request for request in questions[opened[1] : opened[2]] if request["do"] == "sample"]
        assert [request["part"] for request in timed] == list(range(8)), "part 0 warms up, each round has its own"
        assert all(request["calls"] == 1 and not request["fresh"] for request in timed)
    parts = log[0][1]["parts"]
    assert parts[0][0] == 0 and parts[-1][1] == len(DOCUMENTS)
    assert all(a[1] == b[0] < b[1] for a, b in pairwise(parts))
    assert rows["fast"].ratio.median == pytest.approx(2, rel=0.02) and rows["fast"].latency_ns.calls == 60


def test_a_first_pass_needs_text_for_every_round(simulation):
    with pytest.raises(BadValue, match="60 documents, and 61 rounds"):
        simulation({"base": (MS, {})}, rounds=60, temperature="first_pass")


def test_a_cold_sample_is_one_pass_of_a_fresh_tokenizer(simulation):
    log = simulation({"base": (MS, {})}, rounds=5, temperature="cold").run().log
    samples = [request for _, request in log if request["do"] == "sample"]
    assert samples and all(request["fresh"] and request["calls"] == 1 for request in samples)


def test_cancel_ends_all_processes_and_keeps_the_rounds_that_were_finished(simulation):
    def stop(done, total, message):
        if message.startswith("round 7"):
            raise Cancelled("stopped")

    found = simulation({"base": (20 * MS, {}), "fast": (10 * MS, {})}, rounds=9)
    found.plan.report = stop
    with pytest.raises(Cancelled):
        found.run()
    assert found.runner.rounds_done == 6 and all(session.ended for session in found.sessions)
    assert found.rows["fast"].throughput_mb_per_s.samples == 6 and found.rows["fast"].latency_ns is None


def test_cancelled_before_five_rounds_there_are_no_figures(simulation):
    def stop(done, total, message):
        if message.startswith("round 3"):
            raise Cancelled("stopped")

    found = simulation({"base": (20 * MS, {})}, rounds=9)
    found.plan.report = stop
    with pytest.raises(Cancelled):
        found.run()
    assert (found.rows["base"].state, found.rows["base"].throughput_mb_per_s) == ("cancelled", None)


def test_progress_counts_samples_and_tells_the_time_left(simulation):
    seen = []
    found = simulation({"base": (1_000 * MS, {})}, rounds=10)
    found.plan.report = lambda *each: seen.append(each)
    found.run()
    totals = {total for _, total, _ in seen if total is not None}
    assert totals == {15} and [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert "round 4 of 10, about 7 s left" in [message for _, _, message in seen]


def test_stages_of_the_labs_engine_come_after_everything_else(simulation):
    found = simulation({"base": (20 * MS, {}), "tokenlab": (300 * MS, {})}, rounds=5).run()
    stages = found.rows["tokenlab"].stages
    assert (stages.model_ns, stages.cache, found.rows["base"].stages) == (20, CacheCounts(5, 2), None)
    asked = [(name, request) for name, request in found.log if request["do"] == "stages"]
    assert asked == [found.log[-1]] == [("tokenlab", {"do": "stages", "rounds": 6, "fresh": False})]


def test_without_the_stages_a_row_keeps_its_figures(simulation):
    fails = {"fails": {"stages": SubjectCrashed("it crashed with signal 11 (SIGSEGV)")}}
    found = simulation({"base": (20 * MS, {}), "tokenlab": (10 * MS, fails)}, rounds=5, temperature="cold").run()
    ours = found.rows["tokenlab"]
    assert (ours.state, ours.rank, ours.stages) == ("ok", 1, None) and found.log[-1][1]["fresh"]
    assert found.runner.notes == ["The stages of t/tokenlab were not measured: it crashed with signal 11 (SIGSEGV)."]


def test_ids_that_change_during_the_run_are_found(simulation, monkeypatch: pytest.MonkeyPatch):
    real = Simulated.ask

    def changing(self, request, limit_s):
        answer = real(self, request, limit_s)
        return answer | {"tokens": 99} if request["do"] == "sample" and self.name == "bad" else answer

    monkeypatch.setattr(Simulated, "ask", changing)
    rows = simulation({"base": (20 * MS, {}), "bad": (10 * MS, {})}, rounds=5).run().rows
    assert (rows["bad"].state, rows["bad"].message, rows["bad"].rank) == ("inexact", CHANGED, None)
