"""How much the tests compare: `LAB_TEXTS` times what `make test` does, which proves every path once on every vocabulary.

`make test-all` and `make hunt` run the same tests with `LAB_TEXTS=10`.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

LAB_TEXTS = int(os.environ.get("LAB_TEXTS", "1"))


def scaled(count: int) -> int:
    """How many texts, examples or rounds to try where `make test` tries `count`."""
    return count * LAB_TEXTS


def few(cases: Sequence[Case], count: int = 1) -> Sequence[Case]:
    """The first cases, which `make test` tries, of those that take the same path: all with more texts.

    >>> few(["lines", "one line"]) == ["lines"] or LAB_TEXTS > 1
    True
    """
    return cases if LAB_TEXTS > 1 else cases[:count]


def step(every: int) -> int:
    """The step through a list of texts of which `make test` takes one in `every`."""
    return max(1, every // LAB_TEXTS)


MOST_PROCESSOR_S = 15
"""What one test may take of the processor, its children included; not elapsed time, which a busy machine stretches."""
SLOW = {
    "tests/api/test_killed.py::test_killed_while_it_counts_and_while_it_reads": "starts the lab again after every kill",
    "tests/browser/test_corpus.py::test_every_view_is_accessible": "six views with charts, all rules of axe for each",
    "tests/browser/test_benchmark.py::test_every_view_is_accessible_and_usable_by_keyboard": "as that one",
    "tests/browser/test_shell.py::test_opening_and_leaving_every_screen_leaves_nothing": "until the browser compiles no more",
}
"""Tests that may take longer, without their parameters, and why."""


def excess_s(name: str, processor_s: float) -> float:
    """How many processor seconds a test took beyond its limit; 0 if none.

    >>> excess_s("tests/test_a.py::test_b[c]", 14.0)
    0
    """
    return 0 if name.partition("[")[0] in SLOW else max(0, processor_s - MOST_PROCESSOR_S * LAB_TEXTS)
