"""Time of one call with one document: median, 95th, 99th percentile and the slowest."""

from typing import Any

from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.benchmarks.speed import DOT_PX, decades
from lab_app.charts.benchmarks.subjects import SubjectSeries, line_chart, settings_words
from lab_app.charts.chart import Cell, Chart
from lab_app.charts.look import axis, hue, read_points, symbol
from lab_app.number_words import time_words

PERCENTILES = ("p50", "p95", "p99", "maximum")
SIZES = (DOT_PX, 8, 6, 9)
TICKS_NS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]


def latency(result: BenchmarkResult, letters: str = "") -> Chart:
    """Percentiles on a logarithmic axis of time. Raises NoChart if they were not measured."""
    values = [float(value) for row in result.rows if row.latency_ns for value in _values(row)]
    return line_chart(
        result,
        letters,
        name="latency",
        title="Time of one call with one document",
        subtitle=f"{settings_words(result)}; dot: median; small marks: 95th and 99th percentile; line at the end: the slowest",
        trace=_traces,
        x=time_axis(values),
        sentence=_sentence,
        head=["p50 ns", "p95 ns", "p99 ns", "slowest ns", "calls"],
        cells=_cells,
    )


def time_axis(values: list[float], title: str = "") -> dict[str, Any]:
    """A logarithmic axis of times in ns, labelled with their units."""
    return axis(
        title,
        type="log",
        tickvals=TICKS_NS,
        ticktext=[time_words(tick) for tick in TICKS_NS],
        range=decades(values),
    )


def _values(row: BenchmarkRow) -> list[int]:
    found = row.latency_ns
    return [max(1, getattr(found, name)) for name in PERCENTILES] if found else []


def _traces(series: SubjectSeries, place: int) -> list[dict[str, Any]]:
    values = _values(series.row)
    if not values:
        return []
    words = ["median", "95 % take at most", "99 % take at most", "slowest"]
    mark = symbol(series)
    return [
        read_points(
            series.label,
            series.mark,
            values,
            [place] * len(values),
            [f"{series.label}<br>{name}: {time_words(value)}" for name, value in zip(words, values, strict=True)],
            mode="lines+markers",
            line={"color": hue(series), "width": 1.5},
            marker={
                "color": hue(series),
                "symbol": [mark, mark, mark, "line-ns-open"],
                "size": list(SIZES),
                "line": {"color": hue(series), "width": 1.5},
                "opacity": 1,
            },
        )
    ]


def _sentence(series: SubjectSeries) -> str | None:
    found = series.row.latency_ns
    if found is None:
        return None
    return f"{series.name}: median {time_words(found.p50)}, 99 % within {time_words(found.p99)}, slowest {time_words(found.maximum)}."


def _cells(row: BenchmarkRow) -> list[Cell] | None:
    found = row.latency_ns
    return [found.p50, found.p95, found.p99, found.maximum, found.calls] if found else None
