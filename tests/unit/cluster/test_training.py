"""Word counts of a cluster equal those of one process, and so do the tokenizers."""

from pathlib import Path

import pytest

from lab_app.cluster import training
from lab_app.cluster.connection import Connection
from lab_app.errors import Cancelled, LoadFailed
from lab_app.training import sources
from lab_app.training.control import Control
from lab_app.training.counting import Counted, count
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


def test_cancel_and_a_file_that_has_changed(connection: Connection, text: Text, tmp_path: Path):
    reading = Reading(text, OPTIONS.as_json())
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        training.count(connection, reading, control)
    (tmp_path / "a.txt").write_text("another text")
    with pytest.raises(LoadFailed, match=r"on a worker: .*has changed"):
        training.count(connection, reading, Control())
