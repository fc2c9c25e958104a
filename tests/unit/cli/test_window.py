"""`tokenlab FILE...`: which words are files, and what is said of those that cannot be opened."""

import pytest

from lab_app.desktop import shell
from lab_app.desktop.single_instance import Instance, Running


@pytest.fixture
def opened(monkeypatch) -> list[list[str]]:
    """The names of the files that each start opens, in place of a lab."""
    starts = []
    monkeypatch.setenv("TOKENLAB_DISPLAY", "none")
    monkeypatch.setattr("lab_app.desktop.window_check.missing_for_window", lambda: "no window in this test")

    def open_lab(_settings, _window, _problem, files):
        assert all(file.is_absolute() for file in files)
        starts.append([file.name for file in files])
        return 0

    monkeypatch.setattr(shell, "open_lab", open_lab)
    return starts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("encode", "notes", "a b.txt", "-x"):
        (tmp_path / name).write_text("text")
    return tmp_path


def test_words_that_are_files_open_the_lab(tokenlab, opened, folder):
    for words in ((), ("--browser",), ("notes",), ("a b.txt", "notes"), ("./encode", "--browser"), ("./-x",)):
        tokenlab(*words)
    assert opened == [[], [], ["notes"], ["a b.txt", "notes"], ["encode"], ["-x"]]


def test_the_name_of_a_command_is_the_command(tokenlab, opened, folder):
    assert tokenlab("encode", "-t", "gpt2", "--format", "ids", "Hello").stdout == b"15496\n"
    assert not opened


def test_a_misspelt_command_gets_a_suggestion(tokenlab, opened, folder):
    assert "Did you mean 'encode'" in " ".join(tokenlab("encod", status=2).stderr.decode().split())
    assert not opened


@pytest.mark.parametrize(
    ("words", "said", "status"),
    [
        (("notes", "gone.txt"), "gone.txt cannot be read: No such file or directory", 1),
        (("bad.txt",), "bad.txt is not UTF-8 text: byte 0 is 0xff", 2),
        (("notes", "--format", "json"), "--format is not an option of `tokenlab FILE...`", 2),
    ],
)
def test_what_cannot_be_opened_is_named_and_nothing_is_opened(tokenlab, opened, folder, words, said, status):
    (folder / "bad.txt").write_bytes(b"\xff\x00")
    assert said in tokenlab(*words, status=status).stderr.decode()
    assert not opened


def test_more_files_than_the_lab_takes_are_refused_before_it_starts(tokenlab, opened, folder):
    said = tokenlab(*["notes"] * 1001, status=2).stderr.decode()
    assert "1001 files are named" in said and "name a folder" in said
    assert not opened


def test_the_lab_that_runs_is_handed_the_files(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr("lab_app.desktop.single_instance.call", lambda *arguments: calls.append(arguments))
    first, second = Instance(tmp_path / "window.lock"), Instance(tmp_path / "window.lock")
    first.acquire()
    first.announce(Running("http://127.0.0.1:9/?token=T", "T"))
    assert second.acquire_or_call([tmp_path / "a.txt"])
    ((_, token, method, path, _, body),) = calls
    assert (token, method, path, body) == ("T", "POST", "window/files", {"paths": [str(tmp_path / "a.txt")]})
    first.release()
