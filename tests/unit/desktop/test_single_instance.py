import io
import os
import stat
import sys
import urllib.error
from pathlib import Path

import pytest

from lab_app.desktop import single_instance
from lab_app.desktop.single_instance import Instance, Running
from lab_app.errors import LabError, Unavailable

HERE = Running("http://127.0.0.1:9/?token=T", "T", 42)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such bits")
def test_the_secret_can_be_read_by_this_user_alone(tmp_path):
    instance = Instance(tmp_path / "window.lock")
    instance.acquire()
    old = os.umask(0)
    try:
        instance.announce(HERE)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "window.json").stat().st_mode) == 0o600


def test_the_lock_is_one_and_can_be_had_again(tmp_path):
    first, second = Instance(tmp_path / "window.lock"), Instance(tmp_path / "window.lock")
    assert first.acquire() and not second.acquire()
    first.announce(HERE)
    first.release()
    assert not (tmp_path / "window.json").exists()
    assert second.acquire()
    second.release()


def test_what_a_killed_one_left_is_not_believed(tmp_path):
    (tmp_path / "window.json").write_text('{"address": "http://127.0.0.1:1/", "token": "old"}')
    instance = Instance(tmp_path / "window.lock")
    assert instance.acquire()
    assert not (tmp_path / "window.json").exists()
    instance.release()


def test_a_first_one_that_does_not_answer_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(single_instance, "ANSWER_TIMEOUT_S", 0.2)
    first, second = Instance(tmp_path / "window.lock"), Instance(tmp_path / "window.lock")
    first.acquire()
    first.announce(HERE)
    with pytest.raises(Unavailable, match=r"process 42, http://127\.0\.0\.1:9/\) but does not answer"):
        second.acquire_or_call()
    first.release()


def test_a_refusal_is_told_at_once_in_the_words_of_the_lab_that_is_open(tmp_path, monkeypatch):
    first, second = Instance(tmp_path / "window.lock"), Instance(tmp_path / "window.lock")
    first.acquire()
    first.announce(HERE)
    body, asked = b'{"error": {"code": "too_large", "message": "too much", "hint": "send less"}}', []

    def refuse(*_: object) -> None:
        asked.append(body)
        raise urllib.error.HTTPError("", 413, "", {}, io.BytesIO(body))  # type: ignore[arg-type]

    monkeypatch.setattr(single_instance, "call", refuse)
    with pytest.raises(LabError, match="too much: send less"):
        second.acquire_or_call([Path("/a.txt")])
    body = b"<html>a proxy"
    with pytest.raises(LabError, match="the lab that is open refused with status 413"):
        second.acquire_or_call()
    assert len(asked) == 2, "no call is repeated"
    first.release()


def test_a_second_start_takes_over_from_one_that_is_closing(tmp_path, monkeypatch):
    first, second = Instance(tmp_path / "window.lock"), Instance(tmp_path / "window.lock")
    first.acquire()
    first.announce(HERE)
    asked = []

    def refuse(running: Running, _files: object) -> None:
        asked.append(running)
        first.release()
        raise ConnectionRefusedError

    monkeypatch.setattr(single_instance, "_post", refuse)
    assert second.acquire_or_call() is None and asked == [HERE]
    assert not Instance(tmp_path / "window.lock").acquire()
    second.release()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match=r"window\.lock"):
        Instance(tmp_path / "file" / "window.lock").acquire()
