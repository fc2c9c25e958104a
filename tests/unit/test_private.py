"""The lab's files are its user's alone: the folder, the database with saved texts, the page with the secret."""

import os
import stat
import sys
from pathlib import Path

import pytest

from lab_app import paths
from lab_app.desktop.single_instance import Instance
from lab_app.private import private_folder, write_private
from lab_app.services.lab import Lab
from lab_app.services.sessions import sessions
from lab_app.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def generous():
    before = os.umask(0o000)
    yield
    os.umask(before)


@pytest.mark.parametrize("is_there", [False, True])
def test_the_database_and_its_folder_are_the_users_alone(tmp_path, is_there):
    settings = Settings(data_dir=tmp_path / "data")
    if is_there:
        paths.data_dir(settings).mkdir(mode=0o755)
        paths.database(settings).touch(mode=0o644)
        (paths.data_dir(settings) / "tokenizers").mkdir()
    lab = Lab(settings)
    with lab.database.read():  # the files beside it are there while it is open
        sessions.save(lab, "mine", ["gpt2"], "a secret text")
        assert {file.name: mode(file) for file in tmp_path.glob("data/lab.sqlite3*")} == {
            "lab.sqlite3": 0o600,
            "lab.sqlite3-wal": 0o600,
            "lab.sqlite3-shm": 0o600,
        }
    assert mode(tmp_path / "data") == 0o700


def test_the_lock_makes_the_same_folder(tmp_path):
    instance = Instance(tmp_path / "data" / "window.lock")
    assert instance.acquire()
    instance.release()
    assert mode(tmp_path / "data") == 0o700


def test_an_empty_folder_for_all_users_stays_as_it_is(tmp_path):
    """As `/tmp` is in a new container."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    private_folder(tmp_path / "tmp", paths.OWN_NAMES)
    assert mode(tmp_path / "tmp") == 0o1777


def test_a_folder_with_other_files_stays_as_it_is(tmp_path):
    """It may be shared on purpose."""
    (tmp_path / "data").mkdir(mode=0o755)
    (tmp_path / "data" / "thesis.tex").touch()
    private_folder(tmp_path / "data", paths.OWN_NAMES)
    assert mode(tmp_path / "data") == 0o755


def test_home_stays_as_it_is(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    private_folder(tmp_path, paths.OWN_NAMES)
    assert mode(tmp_path) == 0o755


def test_a_file_is_never_readable_for_others(tmp_path):
    (tmp_path / "page").touch(mode=0o644)
    write_private(tmp_path / "page", "secret")
    assert mode(tmp_path / "page") == 0o600 and (tmp_path / "page").read_text() == "secret"


def test_every_file_of_the_data_folder_has_a_name_of_its_own(tmp_path):
    settings = Settings(data_dir=tmp_path)
    made = (
        paths.database,
        paths.tokenizers,
        paths.window_lock,
        paths.window_state,
        paths.browser_page,
    )
    assert {path(settings).name for path in made} <= paths.OWN_NAMES
