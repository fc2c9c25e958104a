"""Runs with real processes: engines that hang, crash, raise, lie or are missing are rows, and the honest one goes on."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.benchmarks.process import SubjectProcess
from lab_app.benchmarks.result import BenchmarkResult, BenchmarkSettings, Subject, TextSource
from lab_app.benchmarks.speed import noise, runner
from lab_app.errors import BadValue, Cancelled, LoadFailed
from lab_app.jobs.job import Job, Running
from lab_app.peers import registry
from lab_app.services.benchmarks import benchmarks
from lab_app.services.benchmarks.measuring import alone
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests.conftest import ROOT
from tests.fake_engines.registering import use
from tests.waiting import until

BAD = ("crashing", "raising", "panicking", "wrong", "changing")
TEXT = TextSource("text", "Two words", "two words\n" * 50)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    use(monkeypatch, "honest", "hanging", *BAD)
    monkeypatch.setattr(noise, "SAMPLES", 10)
    monkeypatch.setattr(runner, "SAMPLE_NS", 1_000_000)
    return Lab(Settings(data_dir=tmp_path / "data"))


def settings(*engines: str, **more) -> BenchmarkSettings:
    subjects = [Subject("gpt2", engine) for engine in engines]
    return BenchmarkSettings(subjects, TEXT, subjects[0].key, rounds=5, **more)


def run(lab: Lab, wanted: BenchmarkSettings, running: Running | None = None) -> BenchmarkResult:
    running = running or Running(Job("1", "benchmark", "a benchmark", "samples"))
    return benchmarks.run_and_keep(lab, wanted, "", running)


def test_every_kind_of_bad_engine_is_a_row(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(registry.MODULES, "absent", "tests.fake_engines.absent")
    found = run(lab, settings("honest", *BAD, "absent", "sentencepiece", time_limit_s=600))
    rows = {row.engine: row for row in found.rows}
    assert {name: row.state for name, row in rows.items()} == {
        "honest": "ok",
        "crashing": "failed",
        "raising": "failed",
        "panicking": "failed",
        "wrong": "inexact",
        "changing": "inexact",
        "absent": "missing",
        "sentencepiece": "unsupported",
    }
    assert rows["crashing"].message == "It crashed with signal 11 (SIGSEGV)."
    assert rows["crashing"].output == "the last words"
    assert rows["raising"].message == "ValueError: the file has an unknown field."
    assert rows["panicking"].message == "PanicException: index out of bounds."
    assert rows["wrong"].message == "1 of 1 texts have other IDs than honest: its figures do not count."
    assert rows["wrong"].exactness.first_difference.token == 1 and rows["wrong"].throughput_mb_per_s is not None
    assert rows["absent"].install == "pip install absent" and rows["absent"].engine_version is None

    honest = rows["honest"]
    assert [row.rank for row in found.rows] == [1, *[None] * 7] and honest.tokens == found.text.bytes == 500
    assert honest.throughput_mb_per_s.samples == 5 and honest.latency_ns.calls == 5 * found.text.documents
    assert honest.load_ns > 0 and honest.first_call_ns > 0 and honest.resident_bytes is not None
    assert found.state == "done" and found.baseline == "gpt2/honest" and found.noise.samples > 9

    assert benchmarks.load(lab, found.id) == found, "what is kept is what was measured"
    [row] = benchmarks.list_benchmarks(lab).benchmarks
    assert (row.id, row.winner, row.state) == (found.id, "gpt2/honest", "done")


def test_an_engine_that_hangs_is_ended(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    """Only what hangs gets little time: the rest may take long on a busy machine."""
    ask, hanging = SubjectProcess.ask, set()

    def ask_impatiently(self: SubjectProcess, request: dict, limit_s: float) -> dict:
        if request.get("engine") == registry.MODULES["hanging"]:
            hanging.add(self)
        return ask(self, request, 0.5 if request["do"] == "first" and self in hanging else limit_s)

    monkeypatch.setattr(SubjectProcess, "ask", ask_impatiently)
    rows = {row.engine: row for row in run(lab, settings("honest", "hanging", time_limit_s=600)).rows}
    assert rows["hanging"].state == "timed_out"
    assert rows["hanging"].message == "The first pass took longer than 0.5 s."


@pytest.mark.parametrize(("shape", "output"), [("batch", "lists"), ("documents", "spans")])
def test_shapes_and_outputs(lab: Lab, shape: str, output: str):
    found = run(lab, settings("honest", "wrong", shape=shape, output=output))
    honest, wrong = found.rows
    assert honest.state == "ok" and honest.tokens == 500 and honest.documents_per_s > 0
    assert honest.exactness.documents == found.text.documents
    if output == "spans":
        assert (wrong.state, wrong.message) == ("unsupported", "Wrong has no spans.")
    else:
        assert wrong.state == "inexact" and wrong.exactness.differing == found.text.documents


def test_cancel_ends_the_processes_within_a_moment_and_keeps_what_there_is(lab: Lab):
    running = Running(Job("1", "benchmark", "a benchmark", "samples"))
    seen: list[int] = []
    # Tests before this one may have left a process that helps others.
    before = set(children_of(os.getpid()))

    def watch() -> None:
        if running.job.message.startswith("loading gpt2/hanging"):
            seen.extend(set(children_of(os.getpid())) - before)
            running.cancel()

    with running.watched(watch), pytest.raises(Cancelled):
        run(lab, settings("honest", "hanging", time_limit_s=600), running)
    assert seen and not [pid for pid in seen if alive(pid)]
    [row] = benchmarks.list_benchmarks(lab).benchmarks
    kept = benchmarks.load(lab, row.id)
    assert row.state == kept.state == "cancelled" and [each.state for each in kept.rows] == ["cancelled"] * 2
    assert kept.rows[0].load_ns is not None, "what was measured before is there"


def test_a_run_that_an_error_ends_keeps_its_rounds_as_interrupted(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    def broken(self: runner.Runner) -> None:
        raise MemoryError

    monkeypatch.setattr(runner.Runner, "_latencies", broken)
    with pytest.raises(MemoryError):
        run(lab, settings("honest"))
    [row] = benchmarks.list_benchmarks(lab).benchmarks
    assert (row.state, benchmarks.load(lab, row.id).rounds_done) == ("interrupted", 5)


@pytest.mark.parametrize(("keep_s", "share", "times"), [(1e6, 20, 2), (0.0, 0, 7), (0.0, 1e9, 3)])
def test_intervals_are_not_made_after_every_round(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, keep_s: float, share: float, times: int
):
    """Those of a thousand rounds take longer than the rounds. The start and the end are always kept."""
    monkeypatch.setattr(benchmarks, "KEEP_S", keep_s)
    monkeypatch.setattr(benchmarks, "KEEP_SHARE", share)
    made: list[int] = []
    rows = runner.Runner.rows
    monkeypatch.setattr(runner.Runner, "rows", lambda self: made.append(self.rounds_done) or rows(self))
    run(lab, settings("honest"))
    assert len(made) == times and (made[0], made[-1]) == (0, 5)


def test_two_measurements_of_a_lab_run_one_after_the_other(lab: Lab):
    with alone(lab, Running(Job("1", "growth", "Growth", "steps"))):
        jobs = [benchmarks.start(lab, settings("honest")) for _ in range(2)]
        until(lambda: lab.jobs.job(jobs[0].id).message == "waiting for another measurement", "it does not wait")
        lab.jobs.cancel(jobs[1].id)
        assert lab.jobs.wait(jobs[1].id, 60).state == "cancelled" and not benchmarks.list_benchmarks(lab).benchmarks
    assert lab.jobs.wait(jobs[0].id, 60).state == "done"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(lab: Lab, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    wanted = replace(settings("honest"), source=TextSource("file", str(tmp_path / "pipe")))
    with pytest.raises(LoadFailed, match="no file with contents"):
        benchmarks.read_text(lab, wanted)


@pytest.mark.parametrize("name", ["", "a\0b", "~nobody-has-this-name/text"])
def test_a_name_that_no_file_has_is_refused_at_once(lab: Lab, name: str):
    with pytest.raises(BadValue):
        benchmarks.start(lab, replace(settings("honest"), source=TextSource("file", name)))


def test_killing_the_lab_ends_its_processes_and_leaves_the_run_in_the_history(tmp_path: Path):
    command = [sys.executable, "-m", "tests.fake_engines.killed_lab", str(tmp_path / "data")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as lab, closing(lab.stdout) as printed:
        assert printed.readline() == "hanging\n"
        started = children_of(lab.pid)
        assert started
        other = Lab(Settings(data_dir=tmp_path / "data"))
        assert benchmarks.list_benchmarks(other).benchmarks[0].state == "running", "another program runs it"
        lab.send_signal(signal.SIGKILL)
    until(lambda: not any(map(alive, started)), "the processes run on")

    after = Lab(Settings(data_dir=tmp_path / "data"))
    [row] = benchmarks.list_benchmarks(after).benchmarks
    assert row.state == benchmarks.load(after, row.id).state == "interrupted"


def children_of(parent: int) -> list[int]:
    """The processes that a process has started and that live. Needs /proc."""
    path = Path(f"/proc/{parent}/task")
    if not path.exists():
        pytest.skip("this system has no /proc")
    return [int(pid) for task in path.iterdir() for pid in (task / "children").read_text().split()]


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
