"""A damaged database is copied, and what can be read of it is kept."""

import sqlite3
from pathlib import Path

import pytest

from lab_app.store import labels, preferences, records, repair, sessions, tokenizers
from lab_app.store.database import Database
from lab_app.store.migrations import STEPS, migrate

PAGE_BYTES = 4096
ROWS = 400


@pytest.fixture
def path(tmp_path) -> Path:
    """A database with preferences and many tokenizers."""
    database = Database(tmp_path / "lab.sqlite3")
    preferences.save(database, {"theme": "dark"})
    with database.write() as connection:
        for number in range(ROWS):
            files = (tokenizers.StoredFile("vocab", "0" * 64, 1),)
            tokenizers.insert(connection, tokenizers.Row(f"t{number}", "added", None, f"folder{number}", files))
    with sqlite3.connect(database.path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.path


def damage(path: Path, page: int) -> bytes:
    data = bytearray(path.read_bytes())
    data[page * PAGE_BYTES : (page + 1) * PAGE_BYTES] = b"\xff" * PAGE_BYTES
    path.write_bytes(data)
    return bytes(data)


def page_of(path: Path, words: bytes) -> int:
    return path.read_bytes().index(words) // PAGE_BYTES


def names(path: Path) -> set[str]:
    with Database(path).read() as connection:
        return {row.id for row in tokenizers.rows(connection)}


def test_a_whole_file_has_no_faults_nor_has_a_missing_one(path):
    assert repair.faults(path) == repair.faults(path.with_name("other")) == []


def test_the_rows_on_both_sides_of_a_damaged_page_are_kept(path):
    damaged = damage(path, page_of(path, b"folder200"))
    assert repair.faults(path)
    done = repair.repair(path)
    assert done.copy.read_bytes() == damaged and done.incomplete == ["tokenizers"]
    assert repair.faults(path) == [] and preferences.load(Database(path)) == {"theme": "dark"}
    kept = names(path)
    assert len(kept) == done.kept["tokenizers"] and ROWS / 2 < len(kept) < ROWS
    assert {"t0", f"t{ROWS - 1}"} < kept and "t200" not in kept


@pytest.mark.parametrize("content", [b"garbage" * 10_000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_replaced_by_an_empty_one(path, content):
    path.write_bytes(content)
    assert repair.faults(path)
    done = repair.repair(path)
    assert done.copy.read_bytes() == content and done.kept == {}
    assert names(path) == set() and repair.faults(path) == []


def test_a_damaged_file_of_an_older_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "lab.sqlite3"
    with sqlite3.connect(path, isolation_level=None) as connection:
        migrate(connection, 3)
        connection.execute('INSERT INTO preferences VALUES (1, \'{"theme": "dark"}\')')
        connection.executemany("INSERT INTO cards VALUES (?, '1', ?)", [(f"c{n}", "x" * 900) for n in range(90)])
        connection.execute("INSERT INTO reports (name, saved_at, options, text) VALUES ('mine', '', '{}', 'a text')")
    damage(path, page_of(path, b"c451xxx"))
    done = repair.repair(path)
    assert done.incomplete == ["cards"]
    assert preferences.load(Database(path)) == {"theme": "dark"}
    with Database(path).read() as connection:
        assert connection.execute("SELECT name, text FROM sessions").fetchall() == [("mine", "a text")]
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)


def test_a_repair_that_fails_leaves_the_file_as_it_was(path, monkeypatch):
    damaged = damage(path, 3)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(repair, "_copy_rows", fail)
    with pytest.raises(OSError, match="No space"):
        repair.repair(path)
    assert path.read_bytes() == damaged
    assert not path.with_name("lab.sqlite3.repaired").exists()


def test_every_row_of_a_whole_file_is_kept_and_no_id_is_given_twice(path):
    database = Database(path)
    kept = sessions.save(database, "mine", {}, "text", [])
    assert labels.put(database, labels.Label("session", kept, "mine", "a note"))
    first, second = (records.add(database, "cost", "one", {}, "{}") for _ in range(2))
    assert records.delete(database, "cost", second)
    done = repair.repair(path)
    assert done.incomplete == [] and done.kept["labels"] == 1
    repaired = Database(path)
    assert [label.note for label in labels.stored(repaired)] == ["a note"]
    assert [one.id for one in records.stored(repaired, "cost", lambda record: True)] == [first]
    assert records.add(repaired, "cost", "two", {}, "{}") > second
