"""The ratio of each engine over the runs of the same question: did something become faster or slower?"""

import math
from collections.abc import Sequence
from typing import Any

from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.benchmarks.subjects import SubjectSeries, keys_of_subjects, settings_words, subjects_of
from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import FAINT, axis, figure, layout, line, marker, read_points
from lab_app.number_words import short, thin_number_of

HEIGHT_PX = 300
STEPS = (1, 2, 5)


def same_question(a: BenchmarkResult, b: BenchmarkResult) -> bool:
    """Whether two runs have the same text, baseline and way to measure, so that their ratios can be compared."""
    one, other = a.settings, b.settings
    return a.text.sha256 == b.text.sha256 and (
        one.baseline, one.temperature, one.shape, one.output, one.threads
    ) == (other.baseline, other.temperature, other.shape, other.output, other.threads)  # fmt: skip


def history(runs: Sequence[BenchmarkResult], letters: str = "") -> Chart:
    """A line per engine over `runs`, the newest last. Raises NoChart with fewer than two runs of the same question."""
    if not runs:
        raise NoChart("no run is kept")
    newest = runs[-1]
    compared = [run for run in runs if same_question(run, newest)]
    if len(compared) < 2:
        raise NoChart("needs two runs of the same text, baseline and mode")
    series = [each for each in subjects_of(newest, letters) if each.row.ratio]
    if not series:
        raise NoChart("no engine was compared with the baseline")
    places = list(range(len(compared)))
    shown = [row.ratio for run in compared for each in series if (row := _row(run, each.row.key)) and row.ratio]
    low, high = min(each.low for each in shown), max(each.high for each in shown)
    ticks = [step * 10.0**power for power in range(-4, 5) for step in STEPS]
    span = [math.log10(low) - 0.1, math.log10(high) + 0.1]
    form = layout(
        axis("run", tickvals=places, ticktext=[str(run.id) for run in compared], range=[-0.3, len(places) - 0.7]),
        axis(type="log", tickvals=ticks, ticktext=[f"{short(tick)} ×" for tick in ticks], range=span),
        height=HEIGHT_PX,
        margin={"l": 48, "r": 16, "t": 34, "b": 40},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"color": FAINT}},
    )
    return Chart(
        name="history",
        title="Ratio in each run",
        subtitle=f"to {newest.settings.baseline} of the same run, with 95 % intervals; {newest.text.title};"
        f" {settings_words(newest)}",
        summary=" ".join(_sentence(each, compared) for each in series),
        keys=keys_of_subjects(series),
        figure=figure([_line(each, compared) for each in series], form),
        table=ChartTable(
            ["engine", "run", "ratio", "low", "high"],
            [
                [
                    each.name,
                    run.id,
                    *((row.ratio.median, row.ratio.low, row.ratio.high) if row and row.ratio else [None] * 3),
                ]
                for each in series
                for run in compared
                for row in [_row(run, each.row.key)]
            ],
        ),
    )


def _row(run: BenchmarkResult, key: str) -> BenchmarkRow | None:
    return next((row for row in run.rows if row.key == key), None)


def _line(series: SubjectSeries, runs: Sequence[BenchmarkResult]) -> dict[str, Any]:
    points = [
        (place, run, row.ratio)
        for place, run in enumerate(runs)
        if (row := _row(run, series.row.key)) is not None and row.ratio is not None
    ]
    return read_points(
        series.label,
        series.mark,
        [place for place, _, _ in points],
        [ratio.median for _, _, ratio in points],
        [
            f"{series.label}<br>run {run.id}: {short(ratio.median, 3)} × ({short(ratio.low, 3)} to {short(ratio.high, 3)})"
            for _, run, ratio in points
        ],
        mode="lines+markers",
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [ratio.high - ratio.median for _, _, ratio in points],
            "arrayminus": [ratio.median - ratio.low for _, _, ratio in points],
            "thickness": 1.2,
            "width": 4,
        },
        line=line(series, series.look.variant, width=1.2),
        marker=marker(series),
        customdata=[{"run": run.id} for _, run, _ in points],
    )


def _sentence(series: SubjectSeries, runs: Sequence[BenchmarkResult]) -> str:
    found = [row.ratio.median for run in runs if (row := _row(run, series.row.key)) and row.ratio]
    return f"{series.name}: from {short(min(found), 3)} to {short(max(found), 3)} times the baseline in {thin_number_of(len(found), 'run')}."
