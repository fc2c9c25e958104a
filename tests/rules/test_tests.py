"""Tests do not judge by the clock and wait for what happens instead of for a time: they pass on a slow, busy machine."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import processor_s, tied
from tests.rules.sources import ROOT, files, name
from tests.scale import LAB_TEXTS, MOST_PROCESSOR_S, SLOW, excess_s

# What measures, and judges nothing.
MEASURES = ROOT / "tests" / "performance"
TESTS = [path for path in files("tests", ".py") if MEASURES not in path.parents]

ENGINES = ROOT / "tests" / "fake_engines"
"""Their waits are the known cost that a benchmark has to find."""
WAIT = {
    "tests/waiting.py": "looks again until a deadline",
    "tests/browser/conftest.py": "looks again until a deadline",
    "tests/browser/slow_trainings.py": "a server that is slow, so that a test need not be quick",
}
SLEEPS = {"sleep", "wait_for_timeout"}
CLOCKS = {"monotonic", "perf_counter", "process_time", "monotonic_ns", "perf_counter_ns", "time", "thread_time"}


def called(node: ast.AST) -> str:
    """The last name of a call: `sleep` of `time.sleep(1)`; empty for what is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def sleeps(source: str) -> list[int]:
    """Lines of every wait for a fixed time, and of every loop that only looks whether something has happened."""
    return [node.lineno for node in ast.walk(ast.parse(source)) if called(node) in SLEEPS or looks_again(node)]


def looks_again(node: ast.AST) -> bool:
    """Whether it is a loop that does nothing until something has happened; one for ever is what a test has ended."""
    is_for_ever = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
    return isinstance(node, ast.While) and not is_for_ever and all(isinstance(line, ast.Pass) for line in node.body)


def judged_by_the_clock(source: str) -> list[int]:
    """Lines of assertions that compare a time: one that calls a clock, or a name that was made from a clock's answer."""
    tree = ast.parse(source)
    found = []
    for scope in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        timed = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and any(called(part) in CLOCKS for part in ast.walk(node.value))
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        found += [
            node.lineno
            for node in ast.walk(scope)
            if isinstance(node, ast.Assert)
            for part in ast.walk(node.test)
            if called(part) in CLOCKS or (isinstance(part, ast.Name) and part.id in timed)
        ]
    return sorted(set(found))


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def test():\n    start = time.monotonic()\n    act()\n    assert time.monotonic() - start < 10", [4]),
        ("def test():\n    took = perf_counter() - start\n    assert took < 1", [3]),
        ("def test():\n    end = later()\n    assert end < 10", []),
    ],
)
def test_a_timed_assertion_is_found(source: str, lines: list[int]):
    assert judged_by_the_clock(source) == lines


def test_no_assertion_is_timed():
    found = [f"{name(path)}:{line}" for path in TESTS for line in judged_by_the_clock(path.read_text(encoding="utf-8"))]
    assert not found, f"count steps or calls instead of seconds; `make bench` measures: {found}"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("page.wait_for_timeout(200)", [1]),
        ("for _ in range(3):\n    act()\n    time.sleep(1)", [3]),
        ("while not done():\n    time.sleep(0.01)", [2]),
        ("while not done():\n    pass", [1]),
        ("while True:\n    pass", []),
    ],
)
def test_a_fixed_wait_is_found(source: str, lines: list[int]):
    assert sleeps(source) == lines


def test_no_test_waits_for_a_fixed_time():
    tests = [path for path in TESTS if ENGINES not in path.parents and name(path) not in WAIT]
    found = [f"{name(path)}:{line}" for path in tests for line in sleeps(path.read_text(encoding="utf-8"))]
    assert not found, f"wait for what happens: `until(...)`, `lab.idle()`, `expect(...)` or an event: {found}"


def test_a_test_that_takes_long_is_found():
    """`tests/conftest.py` fails such a test when it has run."""
    assert excess_s("tests/test_a.py::test_b[c]", MOST_PROCESSOR_S * LAB_TEXTS + 1) == 1
    assert excess_s("tests/test_a.py::test_b[c]", MOST_PROCESSOR_S * LAB_TEXTS) == 0


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="only Linux tells of children that live")
def test_the_work_of_a_child_that_lives_is_seen():
    before = processor_s(os.getpid())
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(tied(sys.executable, "-c", work), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout and child.stdout.readline()
        assert child.poll() is None and processor_s(os.getpid()) >= before + 0.25


def test_tests_that_may_take_long_exist():
    found = {
        f"{name(path)}::{test}"
        for path in TESTS
        for test in re.findall(r"^ *def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    assert set(SLOW) <= found and all(SLOW.values())


def test_stored_pictures_have_no_letters():
    """Every version of a font and of a browser draws letters differently: what is stored to compare with has none."""
    readers = {name(path) for path in TESTS if re.search(r"Image\.open\((?!io\.)", path.read_text(encoding="utf-8"))}
    assert readers <= {"tests/browser/test_looks.py"}, f"compare what the page says it draws: {sorted(readers)}"


def test_no_browser_test_waits_by_a_script():
    """The policy of the page lets Playwright evaluate a script once, not again: such a wait fails if it has to wait."""
    found = [name(path) for path in files("tests/browser", ".py") if "wait_for_function" in path.read_text("utf-8")]
    assert not found, f"wait with `expect(...)` or `lab.until(lambda: lab.page.evaluate(...), ...)`: {found}"
