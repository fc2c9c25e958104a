import os
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from lab_app.errors import DiskFull, StoreFailed
from lab_app.store import preferences, summaries, tokenizers
from lab_app.store.database import Database
from lab_app.store.migrations import STEPS
from tests.waiting import until


@pytest.fixture
def database(tmp_path):
    return Database(tmp_path / "folder" / "lab.sqlite3")


def test_making_one_makes_nothing(database):
    assert not database.path.parent.exists()


def test_a_file_has_every_step_once(database):
    with database.read() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with Database(database.path).read() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)


def test_a_file_of_a_newer_lab_is_refused_and_left_alone(database):
    with database.write() as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    with pytest.raises(StoreFailed, match="newer version"), Database(database.path).read():
        pass
    with sqlite3.connect(database.path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS) + 1,)


def test_a_newer_lab_beside_this_one_is_named(database):
    preferences.save(database, {})
    with sqlite3.connect(database.path) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    for use in (preferences.load, lambda database: preferences.save(database, {})):
        with pytest.raises(StoreFailed, match="this lab knows up to") as raised:
            use(database)
        assert "close this one" in raised.value.hint


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "lab.sqlite3").write_text("this is a letter to a friend, and a long one" * 40)
    with pytest.raises(StoreFailed, match=r"lab\.sqlite3"), Database(tmp_path / "lab.sqlite3").read():
        pass


def test_a_file_that_cannot_be_written_is_read(database, monkeypatch):
    preferences.save(database, {"theme": "dark"})

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("lab_app.store.database.private_folder", refuse)  # as root, no mode would refuse
    assert preferences.load(Database(database.path)) == {"theme": "dark"}
    with pytest.raises(StoreFailed, match="Permission denied"):
        preferences.save(Database(database.path), {})


def test_an_error_undoes_the_whole_transaction(database):
    preferences.save(database, {"theme": "dark"})

    def fail_half_way() -> None:
        with database.write() as connection:
            connection.execute("DELETE FROM preferences")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert preferences.load(database) == {"theme": "dark"}


def test_many_threads_write_without_losing_anything(tmp_path):
    path = tmp_path / "lab.sqlite3"

    def insert(number: int) -> None:
        row = tokenizers.Row(f"t{number}", "added", None, f"folder{number}", (tokenizers.StoredFile("f", "0", 1),))
        with Database(path).write() as connection:
            tokenizers.insert(connection, row)

    threads = [threading.Thread(target=insert, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Database(path).read() as connection:
        assert len(tokenizers.rows(connection)) == 16


def test_a_new_file_waits_for_another_program_that_has_it_open(tmp_path):
    path = tmp_path / "lab.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE theirs (a)")
        other.execute("BEGIN IMMEDIATE")  # a writer: SQLite refuses the write-ahead log at once, without its timeout
        leaves = threading.Timer(0.1, other.execute, ["COMMIT"])
        leaves.start()
        with Database(path).read() as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        leaves.join()


def test_a_row_comes_back_as_it_was(database):
    row = tokenizers.Row("Mine", "added", "/a/b", "f", (tokenizers.StoredFile("v", "0", 1),), "gpt2", {"<s>": 7})
    with database.write() as connection:
        tokenizers.insert(connection, row)
        assert tokenizers.row(connection, "mine") == row  # ids are the same whatever their capitals
        with pytest.raises(sqlite3.IntegrityError):
            tokenizers.insert(connection, tokenizers.Row("MINE", "added", None, "g", ()))
    with database.write() as connection:
        tokenizers.delete(connection, "mine")
        assert tokenizers.rows(connection) == []


def test_a_card_is_given_to_the_version_that_wrote_it_only(database):
    summaries.save(database, "gpt2", "1", {"vocab_size": 3})
    assert summaries.load_all(database, "1") == {"gpt2": {"vocab_size": 3}}
    assert summaries.load_all(database, "2") == {}


def test_a_full_disk_is_an_error_of_the_labs_and_undoes_the_change(tmp_path):
    database = Database(tmp_path / "lab.sqlite3")
    with database.write() as connection:
        connection.execute("INSERT INTO preferences VALUES (1, '{}')")
    with pytest.raises(DiskFull, match="full"), database.write() as connection:
        connection.execute("PRAGMA max_page_count = 1")  # as large as it is
        connection.execute("UPDATE preferences SET value = ?", ("x" * 1_000_000,))
    with database.read() as connection:
        assert connection.execute("SELECT value FROM preferences").fetchone() == ("{}",)


def test_a_file_that_is_damaged_while_it_is_open(tmp_path):
    database = Database(tmp_path / "lab.sqlite3")
    with database.read():
        pass
    (tmp_path / "lab.sqlite3").write_bytes(b"garbage" * 10_000)
    with pytest.raises(StoreFailed, match=r"lab\.sqlite3"), database.read() as connection:
        connection.execute("SELECT value FROM preferences").fetchone()


def test_every_write_changes_the_state(tmp_path):
    database, other = Database(tmp_path / "lab.sqlite3"), Database(tmp_path / "lab.sqlite3")
    assert database.state() is not None
    seen = []
    for value in range(5):
        with other.write() as connection:
            connection.execute("INSERT OR REPLACE INTO preferences VALUES (1, ?)", (str(value),))
        seen.append(until_known(database))
    assert len(set(seen)) == 5


def test_just_after_a_write_the_state_is_unknown(tmp_path):
    database = Database(tmp_path / "lab.sqlite3")
    with database.write() as connection:
        connection.execute("INSERT INTO preferences VALUES (1, '{}')")
    now = time.time()
    os.utime(database.path, (now + 60, now + 60))
    assert database.state() is None
    os.utime(database.path, (now - 60, now - 60))
    assert database.state() is not None


def until_known(database: Database) -> tuple[object, ...]:
    return until(database.state, "the state is never known")
