"""Records: ids that are never given twice, states that no late writer undoes, and the data of labs of before."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.services import labels
from lab_app.services import records as kept
from lab_app.services.analyses import analyses, conformance
from lab_app.services.benchmarks import benchmarks, kept_costs
from lab_app.services.lab import Lab
from lab_app.services.trainings import trainings
from lab_app.settings import Settings
from lab_app.store import records
from lab_app.store.database import Database

BEFORE = Path(__file__).parents[2] / "golden" / "database_14.sql"
"""What the lab had kept before all records were in one table: two analyses, of which the first was deleted, two benchmarks, a
cost, a comparison, and three trainings: one that is done, one that ran when the lab ended, and one that had only its id."""


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "lab.sqlite3")


def alive(record: records.Record) -> bool:
    return True


def test_a_fact_is_set_whoever_owns_the_record(tmp_path):
    database = Database(tmp_path / "lab.sqlite3")
    id = records.add(database, "training", "a", {"name": "a", "tokenizer": None}, state="paused", owner=7)
    records.set_fact(database, "training", id, "tokenizer", "mine")
    found = records.load(database, "training", id, lambda record: True)[0]
    assert (found.facts, found.state, found.owner) == ({"name": "a", "tokenizer": "mine"}, "paused", 7)


def test_a_record_comes_back_as_it_was_kept_and_no_id_is_given_twice(database: Database):
    first = records.add(database, "cost", "one", {"a": [1, None]}, "{}", created_at="2026-01-01T00:00:00+00:00")
    second = records.add(database, "cost", "two", {})
    assert (first, second, records.add(database, "benchmark", "one", {})) == (1, 2, 1)
    record, result = records.load(database, "cost", first, alive)
    assert (record.title, record.facts, record.state, result) == ("one", {"a": [1, None]}, "done", "{}")
    assert [each.id for each in records.stored(database, "cost", alive)] == [2, 1]
    assert records.delete(database, "cost", second) and not records.delete(database, "cost", second)
    assert records.load(database, "cost", second, alive) is records.load(database, "cost", 2**70, alive) is None
    assert not records.delete(database, "cost", 2**70) and records.add(database, "cost", "three", {}) == 3


def test_a_change_asks_for_state_and_owner(database: Database):
    id = records.add(database, "training", "one", {}, state="running", owner=7)
    assert not records.change(database, "training", id, among=("done",), state="paused")
    assert not records.change(database, "training", id, owned_by=8, state="paused")
    assert records.change(database, "training", id, among=("done", "running"), owned_by=7, state="paused", owner=8)
    found = records.load(database, "training", id, alive)[0]
    assert (found.state, found.owner) == ("paused", 8)


def test_one_that_ends_while_it_is_read_is_not_called_interrupted(database: Database):
    ended, died = (records.add(database, "benchmark", "", {}, state="running", owner=7) for _ in range(2))

    def ends_now(record: records.Record) -> bool:
        records.change(database, "benchmark", ended, state="done")
        return False

    assert records.load(database, "benchmark", ended, ends_now)[0].state == "done"
    assert {each.id: each.state for each in records.stored(database, "benchmark", ends_now)} == {
        ended: "done",
        died: "interrupted",
    }


def test_one_that_another_program_has_taken_over_is_left_alone(database: Database):
    id = records.add(database, "training", "", {}, state="running", owner=7)

    def taken_over(record: records.Record) -> bool:
        records.change(database, "training", id, owner=8)
        return record.owner == 8

    assert records.load(database, "training", id, taken_over)[0].state == "running"


def test_what_a_lab_of_before_has_kept_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conformance, "lab_version", lambda: "0.1.0")  # other versions' checks are not shown
    lab = Lab(replace(Settings(), data_dir=tmp_path))
    with sqlite3.connect(lab.database.path) as connection:
        connection.executescript(BEFORE.read_text("utf-8"))
    [analysis] = analyses.list_analyses(lab).analyses
    assert (analysis.id, analysis.title, analysis.tokenizers) == (2, "the first", ["gpt2"])
    assert analysis.tokens == {"gpt2": 5}
    assert analyses.load(lab, 2).corpus.sha256 == analysis.corpus_sha256
    assert analyses.stored_options(lab, 2)[1].top == 2
    assert analyses.counts_file(lab, 2).suffix == ".parquet"
    assert [(each.id, each.state) for each in benchmarks.list_benchmarks(lab).benchmarks] == [
        (2, "interrupted"),
        (1, "done"),
    ]
    assert len(benchmarks.load(lab, 1).rows) == 1
    [cost] = kept_costs.list_costs(lab).costs
    assert (cost.kind, kept_costs.load(lab, cost.id).report.race.tokenizer) == ("race", cost.subjects[0])
    assert records.newest(lab.database, "conformance", "gpt2")[0].facts["same"] is True
    assert conformance.references(lab, "gpt2").last is not None
    found = trainings.list_trainings(lab).trainings
    assert [(each.id, each.name, each.state) for each in found] == [(2, "mine", "interrupted"), (1, "best", "done")]
    assert found[0].job is None and "The lab ended" in found[0].ended
    assert [each.name for each in labels.list_labels(lab).labels] == ["the first", "best"]
    for kind, highest in {"analysis": 2, "benchmark": 2, "training": 3, "cost": 2}.items():
        assert records.add(lab.database, kind, "", {}) == highest + 1
    kept.delete_record(lab, "analysis", 2)
    with lab.database.read() as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert not tables & {"analyses", "benchmarks", "trainings", "costs", "jobs"}
