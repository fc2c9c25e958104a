"""Where there is no window: the browser, or the address alone; and it says which and why."""

import re
import signal
import stat
import sys
import urllib.request
from pathlib import Path

import pytest


def address_in(line: str) -> str:
    return re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)[0]


def answers(address: str) -> bool:
    base = address.partition("?")[0]
    with urllib.request.urlopen(f"{base}healthz", timeout=10) as response:
        return response.status == 200


@pytest.fixture
def browser(tmp_path) -> tuple[str, Path]:
    """A program that stands for a browser: it notes what it is asked to open."""
    script, note = tmp_path / "browser", tmp_path / "opened"
    script.write_text(f"#!{sys.executable}\nimport sys\nopen({str(note)!r}, 'a').write(sys.argv[1] + '\\n')\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script), note


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_without_a_display_and_a_browser_it_prints_the_address_and_stays_up(start, number):
    program = start()
    line = program.says("The lab is at")
    assert "No window: there is no display" in line and "No browser: there is no display" in line
    assert answers(address_in(line))
    program.remember_family()
    program.process.send_signal(number)
    assert program.ends() == 0
    assert not [line for line in program.errors if "Traceback" in line]


def test_without_a_display_it_opens_the_browser_there_is(start, browser):
    program = start(BROWSER=browser[0])
    line = program.says("open in the browser")
    assert "No window: there is no display" in line
    assert answers(address_in(line))
    assert browser[1].read_text().strip() == address_in(line)
    # A second start opens it once more.
    second = start(BROWSER=browser[0])
    assert address_in(second.says("open already")) == address_in(line)
    assert second.process.wait(30) == 0
    assert browser[1].read_text().split() == [address_in(line)] * 2


def test_the_browser_can_be_asked_for(start, browser):
    line = start("--browser", QT_QPA_PLATFORM="offscreen", BROWSER=browser[0]).says("open in the browser")
    assert "No window" not in line and browser[1].read_text().strip() == address_in(line)


def test_a_display_that_does_not_answer_is_no_window(start):
    line = start(DISPLAY=":99", QT_QPA_PLATFORM="xcb").says("The lab is")
    assert "No window:" in line


def test_who_wants_a_window_only_is_told_and_gets_a_status(start):
    program = start(TOKENLAB_DISPLAY="window")
    assert "No window" in program.says("No window")
    assert program.process.wait(30) == 1


def test_serve_prints_its_address_first(start):
    program = start("serve", "--port", "0", "--token", "T")
    line = program.says("http://")
    assert program.lines[0] == line and re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=T\n", line)
    assert answers(address_in(line))
    program.process.terminate()
    assert program.process.wait(30) == 0


def test_a_taken_port_is_told(start):
    first = start("serve", "--port", "0", "--token", "T")
    port = first.says("http://").split(":")[2].partition("/")[0]
    second = start("serve", "--port", port)
    assert second.process.wait(30) == 1
    assert any(port in line for line in second.errors)
