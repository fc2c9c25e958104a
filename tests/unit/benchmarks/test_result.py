"""The description of a result: JSON and back, and the kept example."""

import json

from pydantic import TypeAdapter

from lab_app.benchmarks.result import BenchmarkResult
from tests.benchmark_result import GOLDEN, benchmark_result, golden_text


def test_json_and_back_is_the_same_result():
    result = benchmark_result()
    assert TypeAdapter(BenchmarkResult).validate_python(json.loads(golden_text())) == result


def test_the_kept_example_is_the_one_made_here():
    assert GOLDEN.read_text(encoding="utf-8") == golden_text(), "run python -m tests.benchmark_result"


def test_the_example_has_a_row_in_every_state_and_no_figure_is_zero():
    rows = benchmark_result().rows
    assert {row.state for row in rows} == {
        *("ok", "inexact", "missing", "unsupported", "failed", "timed_out", "cancelled")
    }
    assert all((row.rank is not None) == (row.state == "ok") for row in rows)
    assert not [row for row in rows if row.throughput_mb_per_s is None and row.ratio is not None]
