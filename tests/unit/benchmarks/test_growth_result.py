"""The sample that charts and the page are built on has the shape of the results."""

import json
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from lab_app.benchmarks.growth_result import CostReport

SAMPLE = Path(__file__).parents[2] / "golden" / "growth_result.json"


def test_the_sample_is_a_result():
    sample = json.loads(SAMPLE.read_text(encoding="utf-8"))
    report = TypeAdapter(CostReport).validate_python(sample, strict=False)
    assert asdict(report) == sample


def test_what_was_not_measured_is_none():
    report = TypeAdapter(CostReport).validate_json(SAMPLE.read_text(encoding="utf-8"))
    points = [point for growth in report.growth for curve in growth.curves for point in curve.points]
    points += [point for entrant in report.race.entrants for point in entrant.points]
    points += [point for entrant in report.trainers.entrants for point in entrant.points]
    assert {point.state for point in points} >= {"ok", "timed_out", "skipped"}
    for point in points:
        assert (point.elapsed_ns is None) == (point.state != "ok") == (point.samples == 0)
