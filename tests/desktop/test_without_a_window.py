"""Where there is no window: the browser, or the address alone; and it says which and why."""

import html
import re
import signal
import stat
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.desktop.conftest import PATIENCE_S


def address_in(line: str) -> str:
    return re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)[0]


def answers(address: str) -> bool:
    base = address.partition("?")[0]
    with urllib.request.urlopen(f"{base}healthz", timeout=PATIENCE_S) as response:
        return response.status == 200


BROWSER = """#!{python}
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

command = Path("/proc/self/cmdline")
page = Path(unquote(urlsplit(sys.argv[1]).path))
with open({note!r}, "a") as note:
    note.write((command.read_text() if command.exists() else "\\0".join(sys.argv)).replace("\\0", " ") + "\\n")
    note.write(f"{{page.stat().st_mode & 0o777:o}} {{page.read_text()}}\\n".replace("\\n", " ") + "\\n")
"""


@pytest.fixture
def browser(tmp_path) -> tuple[str, Path]:
    """A program that stands for a browser: it notes its command line, then the mode and the content of the page."""
    script, note = tmp_path / "browser", tmp_path / "opened"
    script.write_text(BROWSER.format(python=sys.executable, note=str(note)))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script), note


def opened(note: Path, address: str) -> int:
    """How often the browser was opened, each time by way of a private page and without the secret on its command line."""
    lines = note.read_text().splitlines()
    secret = address.partition("token=")[2]
    for command, page in zip(lines[::2], lines[1::2], strict=True):
        assert "file:///" in command and secret not in command and "token=" not in command
        assert page.startswith("600 ") and f'url={html.escape(address)}"' in page
    return len(lines) // 2


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


def test_without_a_data_folder_it_opens_all_the_same(start, data_dir):
    data_dir.rmdir()
    data_dir.write_text("a file")
    program = start()
    assert "Nothing can be saved" in program.says(str(data_dir))
    assert answers(address_in(program.says("The lab is at")))
    program.remember_family()
    program.process.send_signal(signal.SIGTERM)
    assert program.ends() == 0


def test_without_a_display_it_opens_the_browser_there_is(start, browser):
    program = start(BROWSER=browser[0])
    line = program.says("open in the browser")
    assert "No window: there is no display" in line
    assert answers(address_in(line))
    assert opened(browser[1], address_in(line)) == 1
    # A second start opens it once more.
    second = start(BROWSER=browser[0])
    assert address_in(second.says("already open")) == address_in(line)
    assert second.status() == 0
    assert opened(browser[1], address_in(line)) == 2


def test_the_browser_can_be_asked_for(start, browser):
    line = start("--browser", QT_QPA_PLATFORM="offscreen", BROWSER=browser[0]).says("open in the browser")
    assert "No window" not in line and opened(browser[1], address_in(line)) == 1


def test_a_display_that_does_not_answer_is_no_window(start):
    line = start(DISPLAY=":99", QT_QPA_PLATFORM="xcb").says("The lab is")
    assert "No window:" in line


def test_who_wants_a_window_only_is_told_and_gets_a_status(start):
    program = start(TOKENLAB_DISPLAY="window")
    assert "No window" in program.says("No window")
    assert program.status() == 1


def test_who_wants_no_window_gets_none_where_one_could_open(start):
    program = start(TOKENLAB_DISPLAY="none", QT_QPA_PLATFORM="offscreen")
    assert "No window" not in program.says("The lab is at")
    assert program.remember_family() == {program.process.pid}


def test_serve_prints_its_address_first(start):
    program = start("serve", "--port", "0", TOKENLAB_TOKEN="T" * 16)
    line = program.says("http://")
    assert program.lines[0] == line and re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=T{16}\n", line)
    assert answers(address_in(line))
    program.process.terminate()
    assert program.status() == 0


def test_a_taken_port_is_told(start):
    first = start("serve", "--port", "0", TOKENLAB_TOKEN="T" * 16)
    port = first.says("http://").split(":")[2].partition("/")[0]
    second = start("serve", "--port", port)
    assert second.status() == 1
    assert any(port in line for line in second.errors)


@pytest.mark.parametrize(("host", "is_warned"), [("0.0.0.0", True), ("127.0.0.1", False)])
def test_who_serves_other_machines_is_warned(start, host, is_warned):
    program = start("serve", "--port", "0", "--host", host)
    program.says("http://")
    program.process.terminate()
    assert program.status() == 0
    assert any("warning" in line and "other machines" in line for line in program.errors) == is_warned


@pytest.mark.parametrize("host", ["203.0.113.7", "x" * 70])
def test_a_host_that_is_not_this_machines_is_at_fault(start, host):
    program = start("serve", "--port", "0", "--host", host)
    assert program.status() == 1
    said = "".join(program.errors)
    assert host in said and "choose a host" in said and "another port" not in said


def test_the_secret_is_no_option(start):
    program = start("serve", "--token", "T")
    assert program.status() == 2
