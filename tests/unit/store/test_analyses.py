"""Keeping analyses: whole or not at all, and pages of their counts."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lab_app.errors import LoadFailed
from lab_app.store import analyses, records, token_counts
from lab_app.store.database import Database

NEW = ("Title", {"corpus": "udhr", "options": {"alpha": 2.5}}, '{"a": 1}')


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "lab.sqlite3")


def stored(database: Database) -> list[records.Record]:
    return records.stored(database, "analysis", lambda record: True)


def counts(tokenizer: str = "gpt2", types: int = 5, unseen: int = 2) -> token_counts.TokenCounts:
    ids = np.arange(types + unseen)
    return token_counts.TokenCounts(
        tokenizer=tokenizer,
        ids=ids,
        counts=np.array([*range(types, 0, -1), *[0] * unseen], np.uint64),
        tokens=[f"Ġtok{id}" for id in ids],
        texts=[None if id == 1 else f" tok{id}" for id in ids],
        bytes=[f" tok{id}".encode() for id in ids],
        unknown_id=2,
    )


def test_an_analysis_comes_back_as_it_was_kept(database: Database, tmp_path: Path):
    folder = tmp_path / "analyses"
    id = analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))
    [row] = stored(database)
    assert (row.id, row.title, row.facts["options"], row.state) == (id, "Title", {"alpha": 2.5}, "done")
    _, result = records.load(database, "analysis", id, lambda record: True)
    assert result == NEW[2] and token_counts.read(folder / row.facts["counts"], "gpt2", seen=True).total == 5


def test_a_write_that_fails_keeps_nothing_and_loses_nothing(database: Database, tmp_path: Path):
    folder = tmp_path / "analyses"
    first = analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))

    def full(path: Path) -> None:
        token_counts.write(path, iter([counts()]))
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        analyses.save(database, folder, *NEW, full)
    assert [row.id for row in stored(database)] == [first] and len(list(folder.iterdir())) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from lab_app.store import analyses
from lab_app.store.database import Database

def write_counts(path):
    path.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)

analyses.save(Database(Path(sys.argv[1])), Path(sys.argv[2]), "t", {}, "{}", write_counts)
"""


def test_a_killed_run_breaks_nothing(database: Database, tmp_path: Path):
    folder = tmp_path / "analyses"
    first = analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))
    done = subprocess.run([sys.executable, "-c", KILLED, str(database.path), str(folder)], check=False)
    assert done.returncode != 0 and len(list(folder.iterdir())) == 2
    second = analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))
    assert [row.id for row in stored(database)] == [second, first]
    assert all(
        token_counts.read(folder / row.facts["counts"], "gpt2", seen=True).total == 5 for row in stored(database)
    )


def test_what_a_killed_run_left_is_removed_and_nothing_else(database: Database, tmp_path: Path):
    folder = tmp_path / "analyses"
    folder.mkdir()
    left, other = folder / "left.parquet", folder / "notes.txt"
    left.write_bytes(b"x")
    other.write_bytes(b"x")
    analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))
    assert not left.exists() and other.exists()


def test_no_run_removes_what_another_is_about_to_name(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Whatever the clock says: it may jump by days while an analysis runs."""
    folder = tmp_path / "analyses"
    other = Database(database.path)

    def write_counts(path: Path) -> None:
        token_counts.write(path, iter([counts()]))
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 10 * 86_400)
        analyses.save(other, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))

    analyses.save(database, folder, *NEW, write_counts)
    kept = [folder / row.facts["counts"] for row in stored(database)]
    assert len(kept) == 2 and sorted(folder.iterdir()) == sorted(kept)


def test_a_file_that_another_run_removes_meanwhile_does_no_harm(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "analyses"
    folder.mkdir()
    monkeypatch.setattr(Path, "glob", lambda self, pattern: iter([folder / "gone.parquet"]))
    assert analyses.save(database, folder, *NEW, lambda path: token_counts.write(path, iter([counts()])))


class TestPages:
    @pytest.fixture
    def path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(token_counts, "GROUP_ROWS", 3)  # pages go over several row groups
        path = tmp_path / "counts.parquet"
        token_counts.write(path, iter([counts("a", types=12), counts("b", types=7, unseen=4)]))
        return path

    @pytest.mark.parametrize(("offset", "limit"), [(0, 5), (2, 3), (5, 100), (11, 1), (50, 5)])
    def test_a_page_is_a_slice_of_all_rows(self, path: Path, offset: int, limit: int):
        found = token_counts.read(path, "a", seen=True, offset=offset, limit=limit)
        assert found.total == 12 and [row.rank for row in found.rows] == list(range(1, 13))[offset : offset + limit]
        assert [row.count for row in found.rows] == list(range(12, 0, -1))[offset : offset + limit]

    def test_the_rows_of_each_tokenizer(self, path: Path):
        seen = token_counts.read(path, "b", seen=True).rows
        assert [row.cumulative for row in seen] == np.cumsum(range(7, 0, -1)).tolist()
        assert (seen[1].text, seen[1].bytes, [row.id for row in seen if row.unknown]) == (None, b" tok1", [2])
        unseen = token_counts.read(path, "b", seen=False, offset=1, limit=2)
        assert (unseen.total, [row.id for row in unseen.rows], unseen.rows[0].rank) == (4, [8, 9], None)

    def test_a_search_looks_at_spelling_and_text(self, path: Path):
        assert [row.id for row in token_counts.read(path, "a", seen=True, search="TOK1").rows] == [1, 10, 11]
        assert token_counts.read(path, "a", seen=True, search="ġtok11").total == 1
        assert token_counts.read(path, "a", seen=True, search="(").total == 0

    def test_a_damaged_file_is_explained(self, path: Path):
        path.write_bytes(path.read_bytes()[:40])
        with pytest.raises(LoadFailed, match="run the analysis again"):
            token_counts.read(path, "a", seen=True)
        path.unlink()
        with pytest.raises(LoadFailed, match="cannot be read"):
            token_counts.read(path, "a", seen=True)
