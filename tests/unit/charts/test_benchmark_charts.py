"""Charts of benchmarks hold the values of the result, say what was not measured, and do not flatter."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from lab_app.benchmarks.growth_result import CostReport, Profile, Slice
from lab_app.charts.benchmarks.curves import spread
from lab_app.charts.benchmarks.growth import growth
from lab_app.charts.benchmarks.history import history
from lab_app.charts.benchmarks.pathological import pathological
from lab_app.charts.benchmarks.profile import profile
from lab_app.charts.benchmarks.race import race, race_steps
from lab_app.charts.benchmarks.registry import BENCHMARK_CHARTS, TABLE_CHARTS
from lab_app.charts.benchmarks.stages import stage_report
from lab_app.charts.benchmarks.subjects import HEAD_PX, ROW_PX, subjects_of
from lab_app.charts.benchmarks.trainers import merges_words, trainer_steps, trainers
from lab_app.charts.chart import Chart, NoChart
from lab_app.charts.look import PRINT
from tests.benchmark_result import benchmark_result
from tests.rules.sources import ROOT

RESULT = benchmark_result()
COSTS = TypeAdapter(CostReport).validate_json((ROOT / "tests" / "golden" / "growth_result.json").read_bytes())
PROFILE = Profile(
    "gpt2", 40, [], [Slice(0, 10, 3, 1000), Slice(10, 10, 0, 5), Slice(10, 30, 5, 1000), Slice(30, 40, 9, 9000)]
)


def every_chart() -> dict[str, Chart]:
    made = {name: make(RESULT) for name, make in {**BENCHMARK_CHARTS, **TABLE_CHARTS}.items()}
    assert COSTS.stages and COSTS.pathological and COSTS.race and COSTS.growth
    costs = [stage_report(COSTS.stages), pathological(COSTS.pathological), race(COSTS.race), race_steps(COSTS.race)]
    assert COSTS.trainers
    costs += [trainers(COSTS.trainers), trainer_steps(COSTS.trainers)]
    made |= {"profile": profile(PROFILE)}
    return made | {f"cost {chart.name}": chart for chart in [*costs, *map(growth, COSTS.growth)]}


CHARTS = every_chart()


def marks(chart: Chart) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if trace.get("hoverinfo") != "skip"]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_says_what_it_shows(name: str):
    chart = CHARTS[name]
    assert chart.title and chart.subtitle and chart.summary
    assert chart.table.rows and {len(row) for row in chart.table.rows} == {len(chart.table.head)}
    text = json.dumps(chart.figure, allow_nan=False)
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= set(PRINT), "every colour has one for print"
    for trace in marks(chart):
        assert len(trace["hovertext"]) == len(trace["x"]) == len(trace["y"])


def test_names_are_escaped():
    rows = [replace(row, engine="<i>fast</i>") for row in RESULT.rows]
    for make in BENCHMARK_CHARTS.values():
        assert "<i>" not in json.dumps(make(replace(RESULT, rows=rows)).figure)


def test_lines_are_by_rank_then_inexact_then_without_figures():
    names = [(each.row.rank, each.row.state) for each in subjects_of(RESULT)]
    assert names == [
        (1, "ok"), (2, "ok"), (3, "ok"), (None, "inexact"), (None, "failed"), (None, "timed_out"), (None, "cancelled"),
    ]  # fmt: skip


def test_speed_has_median_and_slowest_and_fastest_round():
    chart = BENCHMARK_CHARTS["speed"](RESULT)
    measured = [row for row in RESULT.rows if row.throughput_mb_per_s]
    assert len(marks(chart)) == len(measured) == len(chart.table.rows)
    by_name = {trace["name"].split(" ", 1)[1]: trace for trace in marks(chart)}
    for row in measured:
        found = row.throughput_mb_per_s
        assert found
        trace = by_name["Tokenlab" if row.engine == "tokenlab" else row.engine]
        assert trace["x"] == [found.median]
        assert trace["x"][0] + trace["error_x"]["array"][0] == pytest.approx(found.maximum)
        assert trace["x"][0] - trace["error_x"]["arrayminus"][0] == pytest.approx(found.minimum)
        assert trace["marker"]["symbol"].endswith("-open") == (row.state == "inexact")


def looks(chart: Chart) -> set[tuple[str, str, str]]:
    """Mark, hue and shape of each series."""
    return {
        (trace["name"].split()[0], trace["marker"]["color"], str(trace["marker"]["symbol"]).removesuffix("-open"))
        for trace in marks(chart)
    }


def test_rows_have_the_hue_and_shape_of_their_tokenizers_letter():
    rows = [replace(RESULT.rows[0], key=f"{each}/tokenlab", tokenizer=each) for each in ("gpt2", "bert")]
    for make in (BENCHMARK_CHARTS["speed"], BENCHMARK_CHARTS["rounds"], TABLE_CHARTS["speed_rows"]):
        assert looks(make(replace(RESULT, rows=rows), "CA")) == {
            ("C", "var(--c)", "diamond"),
            ("A", "var(--a)", "circle"),
        }


def test_engines_of_one_tokenizer_have_its_look_with_numbers_and_other_dashes():
    chart = BENCHMARK_CHARTS["rounds"](RESULT, "B")
    found = looks(chart)
    assert {look[1:] for look in found} == {("var(--b)", "square")} and len({look[0] for look in found}) == len(found)
    assert len({trace["line"]["dash"] for trace in marks(chart)}) == len(found)


def test_hard_inputs_number_the_engines_of_one_tokenizer():
    assert COSTS.pathological
    row = COSTS.pathological.rows[0]
    both = replace(COSTS.pathological, rows=[row, replace(row, engine="other")])
    found = marks(pathological(both, "D"))
    assert [trace["text"] for trace in found] == [["1"], ["2"]]
    assert {trace["marker"]["symbol"] for trace in found} == {"triangle-up"}


def test_a_chart_in_the_table_has_a_line_per_row():
    chart = TABLE_CHARTS["speed_rows"](RESULT)
    layout = chart.figure["layout"]
    assert layout["height"] == HEAD_PX + ROW_PX * len(subjects_of(RESULT))
    assert layout["yaxis"]["visible"] is False and layout["margin"]["t"] == HEAD_PX


def test_a_run_that_goes_on_has_no_stages_yet():
    with pytest.raises(NoChart, match="timed after the rounds"):
        BENCHMARK_CHARTS["stages"](replace(RESULT, state="running"))


def test_stages_of_engines_that_do_not_report_them_are_hatched_and_have_no_zero():
    chart = BENCHMARK_CHARTS["stages"](RESULT)
    hatched = chart.figure["data"][-1]
    assert "does not report" in hatched["hovertext"][0]
    with_stages = [row for row in RESULT.rows if row.stages]
    without = [row for row in RESULT.rows if row.tokens and not row.stages]
    assert len(hatched["x"]) == len(without)
    shares = [sum(trace["x"][0] or 0 for trace in chart.figure["data"][:-1])]
    assert shares == [pytest.approx(100)] and len(with_stages) == 1
    rows = {row[0]: row[1:] for row in chart.table.rows}
    assert rows["tiktoken"][:5] == [None] * 5 and rows["Tokenlab"][0] is None


def test_without_figures_there_is_no_chart():
    empty = replace(RESULT, rows=[row for row in RESULT.rows if row.state in ("failed", "missing")])
    for make in BENCHMARK_CHARTS.values():
        with pytest.raises(NoChart):
            make(empty)


def test_the_race_of_trainers_says_whether_they_make_the_same_merges():
    found = COSTS.trainers
    assert found
    assert "all make the same merges" in trainers(found).subtitle
    other = replace(found, entrants=[found.entrants[0], replace(found.entrants[1], same_merges=False)])
    assert merges_words(other) == "the merges of naive differ"
    naive = [row for row in trainer_steps(found).table.rows if row[0] == "naive"]
    assert [row[1] for row in naive] == [1000, 10_000], "the size that took too long has no steps"


def test_history_has_the_runs_of_the_same_question_only():
    runs = [
        replace(RESULT, id=3),
        replace(RESULT, id=4, settings=replace(RESULT.settings, threads=2)),
        replace(RESULT, id=5, text=replace(RESULT.text, sha256="0" * 64)),
        replace(RESULT, id=6),
    ]
    chart = history(runs)
    assert chart.figure["layout"]["xaxis"]["ticktext"] == ["3", "6"]
    ratios = {row.key: row.ratio.median for row in RESULT.rows if row.ratio}
    assert sorted(trace["y"] for trace in marks(chart)) == sorted([ratio] * 2 for ratio in ratios.values())
    with pytest.raises(NoChart):
        history(runs[:2])


def test_growth_marks_points_over_the_limit_and_names_the_exponent():
    assert COSTS.growth
    lengths = next(one for one in COSTS.growth if one.axis == "bytes")
    text = json.dumps(growth(lengths).figure["layout"]["annotations"])
    for curve in lengths.curves:
        assert curve.exponent is None or f"{curve.exponent.value:.2f}" in text
    assert "Limit" in text
    over = [
        point
        for curve in lengths.curves
        for point in curve.points
        if point.elapsed_ns and (lengths.limit_ns_per_byte or 0) * point.size < point.elapsed_ns
    ]
    circled = [trace for trace in growth(lengths).figure["data"] if "over the limit" in trace.get("name", "")]
    assert sum(len(trace["x"]) for trace in circled) == len(over)


@pytest.mark.parametrize(
    ("heights", "expected"),
    [([], []), ([0.5], [0.5]), ([0.95, 0.94], [0.95, 0.85]), ([0.1, 0.09, 0.08], [0.25, 0.15, 0.05])],
)
def test_labels_keep_apart(heights: list[float], expected: list[float]):
    assert spread(heights, [0.1] * len(heights)) == pytest.approx(expected)


def test_a_profile_has_the_time_per_byte_of_each_part():
    chart = profile(PROFILE)
    assert chart.table.rows == [[0, 10, 3, 1000, 100.0], [10, 30, 5, 1000, 50.0], [30, 40, 9, 9000, 900.0]]
    assert "10 B from byte 30" in chart.summary
    first, second, slow = chart.figure["data"][0]["marker"]["color"]
    assert first == second != slow
    with pytest.raises(NoChart):
        profile(replace(PROFILE, slices=[]))
