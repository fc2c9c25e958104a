import io
import sys

import pytest

from lab_app.cli.output import decoded, print_error, size_in_bytes
from lab_app.cli.running import running_job
from lab_app.errors import BadValue
from lab_app.spelling import spelled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc", "abc"),
        (" a b", "·a·b"),
        ("\n\t\r\u00a0", "⏎→␍⍽"),
        ("\u200d", "\\u{200d}"),
        ("\x1b[31m", "\\u{1b}[31m"),  # a token must not speak to the terminal
        ("\u202e", "\\u{202e}"),
        ("日👩", "日👩"),
    ],
)
def test_a_token_for_people(text, shown):
    assert spelled(text, "") == shown


def test_a_token_that_is_no_text_is_shown_as_bytes():
    assert spelled(None, "e697") == "<e6 97>"


@pytest.mark.parametrize(
    ("data", "byte"), [(b"\xff", 0), (b"ab\xc3", 2), ("é".encode("utf-16"), 0), (b"\xed\xa0\xbd", 0)]
)
def test_bytes_that_are_not_utf8_are_told_with_their_place(data, byte):
    with pytest.raises(BadValue, match=f"here is not UTF-8: byte {byte} "):
        decoded(data, "here")


def test_an_error_does_not_speak_to_the_terminal(capsys):
    print_error(BadValue("there is no file \x1b]0;title\x07", "look\x1b[2J"))
    assert capsys.readouterr().err == "error: there is no file \\u{1b}]0;title\\u{7}\n       look\\u{1b}[2J\n"


def test_a_title_with_brackets_is_drawn_as_it_is(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with running_job("scan", "a[/b]", "lines") as running:
        running.report(1, 2, "c[/d]")
    assert "a[/b]" in terminal.getvalue()


def test_sizes():
    assert (size_in_bytes("1.5 kB"), size_in_bytes("200"), size_in_bytes("2 GB")) == (1500, 200, 2e9)
    for wrong in ("", "MB", "5 parsecs", "inf", "nan MB", "-1", "1e3", "1" * 400):
        with pytest.raises(BadValue):
            size_in_bytes(wrong)


def test_a_job_that_says_the_time_left_is_drawn_without_an_estimate(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with running_job("analysis", "texts", says_time_left=True) as running:
        running.report(1, 2, "3 s left")
    assert "3 s left" in terminal.getvalue() and "-:--" not in terminal.getvalue()
