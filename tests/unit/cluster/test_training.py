"""Word counts of a cluster equal those of one process, and so do the tokenizers."""

import pickle
import shutil
import threading
from itertools import chain
from pathlib import Path

import pytest

from lab_app.cluster import training
from lab_app.cluster.connection import Connection
from lab_app.errors import Cancelled, LoadFailed
from lab_app.training import sources
from lab_app.training.checkpoint import Checkpoint
from lab_app.training.control import Control
from lab_app.training.counting import Counted, count, rounds_s
from lab_app.training.options import resolved
from lab_app.training.run import Plan, Run
from lab_app.training.sources import Reading, Text, files_text

OPTIONS = resolved("gpt2", {"vocab_size": 300})
LINES = "".join(f"the cat number {number} sat on the mat and looked at {number * 7} mice\n" for number in range(800))


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Text:
    (tmp_path / "a.txt").write_text(LINES)
    (tmp_path / "b.jsonl").write_bytes(b'{"text": "a cat \xff"}\n' * 50)
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 2000)
    monkeypatch.setattr(sources, "MOST_UNIT_BYTES", 2000)
    return files_text([tmp_path / "a.txt", tmp_path / "b.jsonl"])


def facts(counted: Counted) -> tuple[object, ...]:
    return (
        sorted(counted.words.most_common(10_000)),
        counted.held_out_texts,
        counted.invalid_sequences,
        counted.read_bytes,
    )


def test_the_counts_are_those_of_one_process(connection: Connection, text: Text):
    reading = Reading(text, OPTIONS.as_json(), 0.1)
    assert len(text.units()) > 10
    here = count(reading, Control(), threads=1)
    saved: list[int] = []
    there = training.count(
        connection, reading, Control(), checkpoint=lambda found: saved.append(len(found.reports)), checkpoint_s=0
    )
    assert facts(there) == facts(here) and saved and here.invalid_sequences == 50


def test_the_tokenizer_is_that_of_one_process(connection: Connection, text: Text, tmp_path: Path):
    plans = [Plan(OPTIONS, text), Plan(OPTIONS, text, count=training.counter(connection))]
    for number, plan in enumerate(plans):
        Run(plan, tmp_path / str(number), Control()).run()
    first, second = ((tmp_path / str(number) / "tokenizer.json").read_bytes() for number in (0, 1))
    assert first == second


def test_a_kill_loses_what_came_after_the_checkpoint(
    connection: Connection, text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The first comes after two seconds; the training goes on from there, with workers or without."""

    class Killed(BaseException):
        pass

    def die(self: Checkpoint, folder: Path) -> None:
        write(self, folder)
        raise Killed

    write, units = Checkpoint.write, [unit.index for unit in text.units()]
    assert len(units) > 2 * training.UNITS_PER_TASK
    plan = Plan(OPTIONS, text, count=training.counter(connection))
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(Checkpoint, "write", die)
        patched.setattr(training, "rounds_s", lambda most_s: chain([0.0], rounds_s(most_s)))
        Run(plan, tmp_path / "run", Control()).run()
    found = Checkpoint.read(tmp_path / "run")
    done = {int(unit) for unit in found.facts["reports"]}
    assert found.stage == "count" and 0 < len(done) < len(units)

    tasks: list[int] = []
    counts_of = training._tasks
    monkeypatch.setattr(training, "_tasks", lambda left: tasks.extend(unit.index for unit in left) or counts_of(left))
    shutil.copytree(tmp_path / "run", tmp_path / "there")
    for place, resumed in (("run", Plan(OPTIONS, text)), ("there", plan), ("whole", Plan(OPTIONS, text))):
        Run(resumed, tmp_path / place, Control(), resume=place != "whole").run()
    files = {(tmp_path / place / "tokenizer.json").read_bytes() for place in ("run", "there", "whole")}
    assert len(files) == 1 and sorted({*tasks} | done) == units and not done & {*tasks}


def test_a_pause_keeps_all_that_was_begun(connection: Connection, text: Text, tmp_path: Path):
    """Nobody counts meanwhile, others use the training, and a kill in the pause loses nothing."""
    control, kept = Control(), list[dict[str, object]]()

    def checkpoint(counted: Counted) -> None:
        kept.append({**counted.reports})
        threading.Thread(target=lambda: control.ask(control.resume)).start()

    counting = training.count(
        connection, Reading(text, OPTIONS.as_json()), control, lambda _: control.pause(), checkpoint=checkpoint
    )
    assert len(kept) >= 1 and all(kept) and len(counting.reports) == len(text.units())
    assert control.paused_s > 0


def test_a_task_that_nobody_wants_ends(text: Text, monkeypatch: pytest.MonkeyPatch):
    work = pickle.dumps(training.Work(Reading(text, OPTIONS.as_json()), training.versions()))
    monkeypatch.setattr(training, "wanted", lambda: lambda: False)
    with pytest.raises(Cancelled, match="the training was stopped"):
        training.counts_of(work, text.units())


def test_cancel_and_a_file_that_has_changed(connection: Connection, text: Text, tmp_path: Path):
    reading = Reading(text, OPTIONS.as_json())
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        training.count(connection, reading, control)
    (tmp_path / "a.txt").write_text("another text")
    with pytest.raises(LoadFailed, match=r"on a worker: .*has changed"):
        training.count(connection, reading, Control())
