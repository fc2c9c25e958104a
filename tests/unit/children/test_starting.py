"""No child of the lab imports from the current folder, holds more memory than it may, or outlives its time."""

import contextlib
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from lab_app import children
from lab_app.children import parent, starting
from tests.conftest import ROOT
from tests.processes import runs
from tests.rules.sources import files, name
from tests.waiting import until

# What the children, and what they import, import first.
STRANGERS = (
    *("json.py", "sys.py", "os.py", "struct.py", "subprocess.py", "lab_app/__init__.py", "jinja2/__init__.py"),
    *(
        "PySide6/__init__.py",
        "pip/__main__.py",
        "pip/__init__.py",
        "encodings/__init__.py",
        "sitecustomize.py",
        "site.py",
    ),
)
STARTED = {
    "chat": "from lab_app.chat.render import render; assert render('{{ 1 }}', {}) == '1'",
    "plug-in": (
        "from lab_app.library.plugins.discovery import Plugin; from lab_app.library.plugins.process import PluginProcess\n"
        "try: PluginProcess(Plugin('x', 'no_such_module:X', '', ''), 60).load()\n"
        "except Exception as error: assert 'no_such_module' in str(error), error"
    ),
    "window": (
        "from lab_app.desktop.window_check import window_problem; said = window_problem()\n"
        "assert '--child' not in (said or ''), said"
    ),
}


@pytest.fixture
def hostile(tmp_path) -> tuple[Path, Path]:
    """A folder whose modules write the second path when they are imported."""
    folder, marker = tmp_path / "hostile", tmp_path / "marker"
    for each in STRANGERS:
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text(f"open({str(marker)!r}, 'a').write({each!r})\n")
    return folder, marker


@pytest.mark.parametrize("what", STARTED)
def test_no_child_imports_from_the_current_folder(hostile, what):
    folder, marker = hostile
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    run = subprocess.run(
        [sys.executable, "-P", "-c", STARTED[what]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert not marker.exists(), f"{marker.read_text()} of the current folder was imported"


def test_the_current_folder_is_left_out_of_the_path(monkeypatch):
    monkeypatch.setattr(sys, "path", ["", ".", "relative", "/somewhere"])
    assert starting._path() == ["/somewhere", str(ROOT)]


def sleep() -> None:
    sys.stdin.read()
    sys.stdin.close()
    while True:
        pass


def eat() -> None:
    try:
        print(len(bytearray(400_000_000)))
    except MemoryError:
        print("no room")


def show_environment() -> None:
    print(json.dumps(dict(os.environ)))


@pytest.mark.parametrize("given", [None, {"LAB_API_KEY": "s3cret", "TOKENLAB_OFFLINE": "1"}])
def test_a_child_gets_no_secrets(monkeypatch, given):
    for variable in ("HF_TOKEN", "TOKENLAB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD"):
        monkeypatch.setenv(variable, "s3cret")
    monkeypatch.setenv("TOKENLAB_OFFLINE", "1")
    environment = given and {**os.environ, **given}
    stdout, _ = children.ask(children.start(show_environment, environment=environment), None, 60)
    found = json.loads(stdout)
    assert found["TOKENLAB_OFFLINE"] == "1" and "s3cret" not in found.values()


def test_a_child_that_takes_too_long_is_ended():
    process = children.start(sleep)
    with pytest.raises(children.TookTooLong):
        children.ask(process, b"", 2)
    assert process.poll() is not None and process.stdout.closed


def leave_a_process() -> None:
    """Starts a process that keeps the pipes open, says its number and stays."""
    code = "import signal; signal.pause()"
    print(subprocess.Popen([sys.executable, "-c", code], stdin=0, stdout=1, stderr=2).pid, flush=True)
    sys.stdin.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process that only waits for a signal")
def test_a_child_is_ended_while_what_it_started_keeps_its_pipes_open():
    process = children.start(leave_a_process, stderr=subprocess.PIPE)
    left = int(process.stdout.readline())
    readers = [threading.Thread(target=read, args=(stream,)) for stream in (process.stdout, process.stderr)]
    try:
        for reader in readers:
            reader.start()
        ending = threading.Thread(target=children.end, args=(process,), daemon=True)
        ending.start()
        ending.join(60)
        assert not ending.is_alive() and process.poll() is not None
        assert all(reader.is_alive() for reader in readers), "the pipes have ended: nothing was kept open"
    finally:
        os.kill(left, signal.SIGKILL)
        for reader in readers:
            reader.join()


def read(stream: IO[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):  # it is closed meanwhile
        stream.read()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a process's memory")
@pytest.mark.parametrize(("memory_bytes", "said"), [(200_000_000, b"no room\n"), (None, b"400000000\n")])
def test_a_child_has_no_more_memory_than_it_may(memory_bytes, said):
    assert children.ask(children.start(eat, memory_bytes=memory_bytes), None, 60)[0] == said


PROGRAM = """#!{python}
# What PyInstaller makes: one program, of which `sys.executable` is the file, and which runs `lab_app/__main__.py` only.
import runpy, sys
sys.path[:] = {path!r}
sys.frozen, sys.executable = True, __file__
runpy.run_module("lab_app", run_name="__main__", alter_sys=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no first line that names a program")
@pytest.mark.parametrize("what", STARTED)
def test_a_frozen_program_starts_its_children(hostile, tmp_path, what):
    folder, marker = hostile
    program = tmp_path / "tokenlab"
    program.write_text(PROGRAM.format(python=f"{sys.executable} -P", path=[*starting._path()]))
    program.chmod(0o755)
    code = f"import sys; sys.frozen, sys.executable = True, {str(program)!r}\n{STARTED[what]}"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert not marker.exists(), f"{marker.read_text()} of the current folder was imported"


def test_one_module_starts_all_children():
    found = [
        f"{name(path)}: {line.strip()}"
        for path in files("lab_app", ".py")
        if name(path) != "lab_app/children/starting.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"sys\.executable|subprocess\.(run|Popen|call|check_)|os\.(system|exec|spawn)", line)
    ]
    assert not [line for line in found if ": subprocess.Popen[" not in line and '"subprocess.Popen[' not in line], found


def loop() -> None:
    print("looping", flush=True)
    while True:
        pass


def loop_unknown_to_linux() -> None:
    """As on a system that does not kill a child with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(parent.PR_SET_PDEATHSIG, 0)
    loop()


PARENT = """
import sys, threading
from lab_app import children

def start():
    child = children.start("tests.unit.children.test_starting:" + sys.argv[1], stdin=-3)
    print(child.stdout.readline() and child.pid, flush=True)

starter = threading.Thread(target=start)
starter.start()
starter.join()  # the child does not end with the thread
sys.stdin.readline()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell a child that its parent has ended")
@pytest.mark.parametrize("function", [loop, loop_unknown_to_linux])
def test_a_child_that_loops_ends_when_its_parent_is_killed(function):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PARENT, function.__name__]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    child = int(process.stdout.readline())
    assert runs(child)
    process.kill()
    process.wait()
    until(lambda: not runs(child), "the child runs on")
    process.stdin.close()
    process.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit processor time")
def test_a_child_has_no_more_processor_time_than_it_may():
    process = children.start(loop, cpu_s=1)
    with contextlib.suppress(children.TookTooLong):
        children.ask(process, None, 60)
    assert process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
