"""The files that paths, folders and patterns mean, and what is refused."""

import os
from pathlib import Path

import pytest

from lab_app.corpora.finding import find_files
from lab_app.errors import BadValue, LoadFailed


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that cannot be read, in one that can be. The tests may run as root, whom permissions do not stop."""
    folder = tmp_path / "texts" / "locked"
    folder.mkdir(parents=True)
    (folder / "b.txt").write_text("b")
    (tmp_path / "texts" / "a.txt").write_text("a")
    scandir = os.scandir

    def refuse(path: os.PathLike[str]) -> object:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return folder


@pytest.mark.parametrize("path", ["texts", "texts/locked", "texts/**", "texts/locked/*.txt"])
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, locked: Path, path: str):
    with pytest.raises(LoadFailed, match=f"the folder {locked} cannot be read: Permission denied") as found:
        find_files([tmp_path / path])
    assert "permissions" in found.value.hint


def test_a_pattern_looks_into_the_folders_it_names_only(tmp_path: Path, locked: Path):
    assert find_files([tmp_path / "texts" / "*.txt"]) == [tmp_path / "texts" / "a.txt"]
    with pytest.raises(BadValue, match="there is no file"):
        find_files([tmp_path / "none" / "*.txt"])
    with pytest.raises(BadValue, match="there is no file"):
        find_files([tmp_path / "texts" / "a.txt" / "*.txt"])


def test_an_empty_path_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.txt").write_text("a")
    monkeypatch.chdir(tmp_path)
    assert find_files(["."]) == [tmp_path / "a.txt"]
    with pytest.raises(BadValue, match="the path is empty"):
        find_files([".", ""])
