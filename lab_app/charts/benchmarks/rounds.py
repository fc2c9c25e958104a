"""Time of each round divided by the median of its engine: what disturbed the run, and when."""

from statistics import median
from typing import Any

from lab_app.benchmarks.result import BenchmarkResult
from lab_app.charts.benchmarks.subjects import SubjectSeries, keys_of_subjects, settings_words, subjects_of
from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import FAINT, axis, figure, layout, line, marker, read_points, rule
from lab_app.number_words import short, time_words


def rounds(result: BenchmarkResult, letters: str = "") -> Chart:
    """A line per engine over the rounds. Raises NoChart with fewer than two rounds."""
    series = [each for each in subjects_of(result, letters) if len(_samples(each)) > 1]
    if not series:
        raise NoChart("needs two rounds or more")
    traces = [_one(max(len(each.row.samples_ns or []) for each in series)), *map(_trace, series)]
    form = layout(
        axis("round", tickformat=",d", nticks=8),
        axis(tickformat=".2~f", ticksuffix=" ×", nticks=5),
    )
    return Chart(
        name="rounds",
        title="Time of each round",
        subtitle=f"divided by the median of its engine; 1 is undisturbed; {settings_words(result)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of_subjects(series),
        figure=figure(traces, form),
        table=ChartTable(
            ["engine", "round", "ns per pass"],
            [[each.name, n + 1, value] for each in series for n, value in enumerate(each.row.samples_ns or [])],
        ),
    )


def _samples(series: SubjectSeries) -> list[int]:
    return [value for value in series.row.samples_ns or [] if value is not None]


def _one(total: int) -> dict[str, Any]:
    return rule([1, total], [1, 1], {"color": FAINT, "width": 1, "dash": "4px,3px"})


def _trace(series: SubjectSeries) -> dict[str, Any]:
    middle = median(_samples(series))
    samples = series.row.samples_ns or []
    shares = [None if value is None else value / middle for value in samples]
    return read_points(
        series.label,
        series.mark,
        list(range(1, len(samples) + 1)),
        shares,
        [
            f"{series.label}<br>round {n}: not measured"
            if value is None
            else f"{series.label}<br>round {n}: {time_words(value)} per pass, {short(value / middle, 3)} × its median"
            for n, value in enumerate(samples, 1)
        ],
        mode="lines+markers",
        line=line(series, series.look.variant, width=1.2),
        marker=marker(series, 5),
    )


def _sentence(series: SubjectSeries) -> str:
    samples = _samples(series)
    middle = median(samples)
    return f"{series.name}: rounds from {short(min(samples) / middle, 3)} to {short(max(samples) / middle, 3)} times its median."
