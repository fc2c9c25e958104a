"""A file is written whole or not at all, and keeps what it was: its mode, a link, a pipe."""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from lab_app import files
from lab_app.files import replaced

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these modes nor named pipes")


def write(path, content):
    with replaced(path) as target:
        target.write_text(content)


def test_the_old_content_stays_until_the_new_is_whole(tmp_path):
    file = tmp_path / "x"
    file.write_text("old")
    with replaced(file) as target:
        target.write_text("half")
        assert file.read_text() == "old" and target.parent == tmp_path
    assert file.read_text() == "half" and list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("there", [True, False])
def test_an_error_changes_nothing(tmp_path, there):
    file = tmp_path / "x"
    if there:
        file.write_text("old")
    with pytest.raises(RuntimeError), replaced(file) as target:
        target.write_text("half")
        raise RuntimeError
    assert [each.read_text() for each in tmp_path.iterdir()] == (["old"] if there else [])


def test_a_link_stays_a_link_also_one_to_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/real")
    for content in ("first", "second"):
        write(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "folder" / "real").read_text() == content


@ON_POSIX
@pytest.mark.parametrize(("before", "after"), [(0o600, 0o600), (0o755, 0o755), (None, 0o640)])
def test_the_mode_is_that_of_the_old_file_or_of_any_new_one(tmp_path, before, after):
    file = tmp_path / "x"
    if before is not None:
        file.touch()
        file.chmod(before)
    umask = os.umask(0o027)
    try:
        write(file, "new")
    finally:
        os.umask(umask)
    assert file.stat().st_mode & 0o777 == after


@ON_POSIX
def test_a_pipe_takes_the_content_and_stays(tmp_path):
    pipe, came = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: came.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe, "content")
    reader.join()
    assert came == ["content"] and pipe.is_fifo()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot lock folders")
def test_temporary_folders_of_killed_programs_are_deleted_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "from lab_app.files import temporary_folder\nwith temporary_folder() as path: print(path, flush=True); input()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as other:
        left = Path(other.stdout.readline().strip())
        data = tmp_path / "tokenlab-data"
        data.mkdir()
        monkeypatch.setattr(files, "YOUNG_S", -1.0)
        with files.temporary_folder() as mine:
            assert left.is_dir() and mine.is_dir()
            other.kill()
            other.wait()
            with files.temporary_folder():
                assert not left.exists() and mine.is_dir() and data.is_dir()
    assert not mine.exists()
