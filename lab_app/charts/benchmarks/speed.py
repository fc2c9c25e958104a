"""Throughput of each engine: the median as a dot, its interval as a bar, slowest to fastest round as a whisker."""

import math
from typing import Any

from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.benchmarks.subjects import SubjectSeries, line_chart, settings_words
from lab_app.charts.chart import Cell, Chart
from lab_app.charts.look import axis, hue, marker, read_points, rule
from lab_app.number_words import short, thin_number_of

DOT_PX = 10
INTERVAL_PX = 5


def speed(result: BenchmarkResult, letters: str = "") -> Chart:
    """MB/s of input on a logarithmic axis. Raises NoChart if nothing was measured."""
    values = [
        value
        for row in result.rows
        if (found := row.throughput_mb_per_s)
        for value in (found.minimum, found.maximum)
        if value > 0
    ]
    return line_chart(
        result,
        letters,
        name="speed",
        title="Speed of each engine",
        subtitle=f"MB/s of input, 1 MB = 10⁶ bytes; {settings_words(result)}; dot: median of the rounds;"
        " bar: its 95 % interval; whisker: slowest to fastest round; hollow: other IDs than the reference",
        trace=_traces,
        x=axis("MB/s", type="log", dtick=1, tickformat="~g", range=decades(values)),
        sentence=_sentence,
        head=[
            "median MB/s",
            "low",
            "high",
            "slowest round",
            "fastest round",
            "rounds",
            "ratio",
            "ratio low",
            "ratio high",
        ],
        cells=_cells,
    )


def decades(values: list[float]) -> list[float]:
    """The range of a logarithmic axis, as powers of ten, that holds `values` with room at both ends.

    >>> decades([12.5, 470])
    [1, 3]
    """
    if not values:
        return [0, 1]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [low, max(high, low + 1)]


def _traces(series: SubjectSeries, place: int) -> list[dict[str, Any]]:
    found = series.row.throughput_mb_per_s
    if found is None:
        return []
    words = (
        f"{series.label}<br>{short(found.median, 3)} MB/s, 95 % interval {short(found.low, 3)} to {short(found.high, 3)}"
        f"<br>{thin_number_of(found.samples, 'round')} from {short(found.minimum, 3)} to {short(found.maximum, 3)}{_exactness(series.row)}"
    )
    interval = {"color": hue(series), "width": INTERVAL_PX}
    return [
        rule([found.low, found.high], [place] * 2, interval, opacity=0.45, name=series.label, legendgroup=series.mark),
        read_points(
            series.label,
            series.mark,
            [found.median],
            [place],
            [words],
            mode="markers",
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [found.maximum - found.median],
                "arrayminus": [found.median - found.minimum],
                "color": hue(series),
                "thickness": 1.5,
                "width": 5,
            },
            marker=marker(series, DOT_PX),
            customdata=[{"row": series.row.key}],
        ),
    ]


def _exactness(row: BenchmarkRow) -> str:
    return "<br>other IDs than the reference" if row.state == "inexact" else ""


def _sentence(series: SubjectSeries) -> str | None:
    found, ratio = series.row.throughput_mb_per_s, series.row.ratio
    if found is None:
        return None
    words = f"{series.name}: {short(found.median, 3)} MB/s"
    if ratio:
        words += f", {short(ratio.median, 3)} times the baseline ({short(ratio.low, 3)} to {short(ratio.high, 3)})"
    return words + ("; its IDs differ from the reference." if series.row.state == "inexact" else ".")


def _cells(row: BenchmarkRow) -> list[Cell] | None:
    found, ratio = row.throughput_mb_per_s, row.ratio
    if found is None:
        return None
    ratios: list[Cell] = [ratio.median, ratio.low, ratio.high] if ratio else [None, None, None]
    return [found.median, found.low, found.high, found.minimum, found.maximum, found.samples, *ratios]
