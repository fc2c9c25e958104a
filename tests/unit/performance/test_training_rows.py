"""Rows of the table of trainings: floors on one thread, counting on two, memory, a library that is missing."""

import pytest

from tests.performance.train import training_row


def runs(seconds: float, counting: float = 1.0, memory: float = 10e6) -> list[dict[str, float]]:
    return [{"seconds": seconds, "memory": memory, "tokens": 8192.0, "counting": counting}] * 3


TIMES = {
    ("tokenlab", 1): runs(1.0, counting=1.0),
    ("tokenlab", 2): runs(0.8, counting=0.8),
    ("tokenizers", 1): runs(7.0),
    ("tokenizers", 2): runs(7.0),
    ("rustbpe", 1): runs(1.4),
    ("gigatoken", 1): [],
}


@pytest.mark.parametrize(
    ("library", "threads", "ratio", "outcome", "short_by"),
    [
        ("tokenizers", 1, 7.0, "met", None),
        ("tokenizers", 2, 8.75, "none", None),
        ("rustbpe", 1, 1.4, "missed", 0.5),
        ("tokenlab", 1, None, "met", None),
        ("tokenlab", 2, 1.25, "missed", 0.21875),
    ],
)
def test_floors(library: str, threads: int, ratio: float | None, outcome: str, short_by: float | None):
    row = training_row("bpe", library, threads, TIMES)
    assert (row["ratio"], row["outcome"]) == (ratio if ratio is None else pytest.approx(ratio), outcome)
    assert row["short_by"] == (None if short_by is None else pytest.approx(short_by))


def test_a_library_that_is_missing_has_no_figures():
    assert training_row("bpe", "gigatoken", 1, TIMES) == {"library": "gigatoken", "threads": 1, "seconds": None}


def test_memory_over_the_limit():
    row = training_row("bpe", "tokenlab", 1, {("tokenlab", 1): runs(1.0, memory=90e6)})
    assert (row["outcome"], row["short_by"], row["floor"]) == ("missed", 0.5, "at most 60 MB over the text")
