"""The page of speeds: what a reader sees of floors, of libraries that are missing, and of training."""

from dataclasses import asdict

from lab_app.benchmarks.environment import environment
from tests.performance.engine.page import page
from tests.performance.engine.rows import Case, Floor
from tests.performance.engine.verdict import Measured, row

CASE = Case("warm", "cl100k_base", "english", "warm", Floor("times_faster", 2.0, ("two",)))


def measured(name: str, milliseconds: float) -> Measured:
    return Measured(name, "measured", None, (milliseconds * 1e6,) * 5, 1e6)


def result(**fields: object) -> dict[str, object]:
    return {
        "environment": asdict(environment()),
        "noise_spread": 0.01,
        "versions": {"tokenlab": "1", "two": "2.0", "three": None},
        "settings": {"rounds": 5},
        "texts": {"english": {"bytes": 1_000_000}},
        "elapsed_s": 60.0,
        **fields,
    }


def test_floors_and_libraries():
    others = [
        Measured("three", "missing", "not installed: pip install three"),
        Measured("four", "inexact", "other ids"),
    ]
    rows = [
        asdict(row(CASE, [measured("tokenlab", 10), measured("two", 15), *others])),
        asdict(row(CASE, [], "its process ended")),
    ]
    text = page([result(rows=rows, notes={"gemma": "made up"})])
    assert "two 2.0. Not installed: three." in text
    assert "english 1.00 MB" in text
    assert "| at least 2 x two | **missed by 25 %**: 1.50 x of two |" in text
    assert "two 66.7 (66.7–66.7) MB/s, 1.50 x (1.50–1.50); three not installed; four inexact" in text
    assert "| Ids as numpy, warm | at least 2 x two | 0 | 1 | 1 | cl100k_base, english: **missed by 25 %**" in text
    assert "its process ended | at least 2 x two | not measured | – |" in text
    assert "`gemma` is made up" in text


def test_a_floor_that_is_nearly_met_is_not_missed_by_nothing():
    found = asdict(row(CASE, [measured("tokenlab", 10), measured("two", 19.99)]))
    assert "**missed by less than 1 %**: 2.00 x of two" in page([result(rows=[found])])


def test_training():
    row = {
        "library": "rustbpe", "threads": 1, "seconds": 2.0, "lowest": 1.0, "highest": 3.0, "counting": 0.4, "memory": 5e6,
        "tokens": 8192, "ratio": 1.4, "floor": "at least 2.8 x", "outcome": "missed", "short_by": 0.5,
    }  # fmt: skip
    absent = {"library": "gigatoken", "threads": 1, "seconds": None}
    linear = [{"bytes": 2_000_000, "seconds": 1.0, "peak": 3e6}]
    text = page([result(trainings=[{"title": "bpe, 8192 tokens", "rows": [row, absent]}], linear=linear)])
    assert "| rustbpe | 1 | 2.00 (1.00–3.00) | 0.40 | 1.40 x | at least 2.8 x | **missed** by 50 % | 5 | 8192 |" in text
    assert "| gigatoken | 1 | not installed |" in text
    assert "| 2.0 | 1.00 | 500.0 | 3 |" in text


def test_without_results_the_page_has_the_floors():
    text = page([])
    assert "| BERT | bert-base-uncased | at least 4 x the best of model2vec-rs, splintr, tokie |" in text
    assert "| One call from Python | cl100k_base | at most 0.4 us per call |" in text
