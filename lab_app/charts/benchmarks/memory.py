"""Memory above that of an empty process: after loading, after a pass over the text, and the highest."""

from typing import Any

from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.benchmarks.speed import DOT_PX
from lab_app.charts.benchmarks.subjects import SubjectSeries, line_chart
from lab_app.charts.chart import Cell, Chart
from lab_app.charts.look import axis, hue, read_points, symbol
from lab_app.number_words import short

MB = 1e6
PHASES = (("loaded_bytes", "after loading"), ("resident_bytes", "after a pass"), ("peak_bytes", "highest"))


def memory(result: BenchmarkResult, letters: str = "") -> Chart:
    """MB of each process. Raises NoChart if they were not measured."""
    return line_chart(
        result,
        letters,
        name="memory",
        title="Memory of each engine",
        subtitle="MB above the process before the library was imported; small: after loading and after a pass; large: highest",
        trace=_traces,
        x=axis("MB", rangemode="tozero", nticks=5, tickformat=",d"),
        sentence=_sentence,
        head=["loaded bytes", "resident bytes", "peak bytes", "load ns", "first call ns"],
        cells=_cells,
    )


def _traces(series: SubjectSeries, place: int) -> list[dict[str, Any]]:
    found = [(value, words) for name, words in PHASES if (value := getattr(series.row, name)) is not None]
    if not found:
        return []
    sizes = [6] * (len(found) - 1) + [DOT_PX]
    return [
        read_points(
            series.label,
            series.mark,
            [value / MB for value, _ in found],
            [place] * len(found),
            [f"{series.label}<br>{words}: {short(value / MB, 3)} MB" for value, words in found],
            mode="lines+markers",
            line={"color": hue(series), "width": 1.5},
            marker={
                "color": hue(series),
                "symbol": symbol(series),
                "size": sizes,
                "line": {"color": hue(series), "width": 1.5},
                "opacity": 1,
            },
        )
    ]


def _sentence(series: SubjectSeries) -> str | None:
    peak = series.row.peak_bytes
    return None if peak is None else f"{series.name}: at most {short(peak / MB, 3)} MB."


def _cells(row: BenchmarkRow) -> list[Cell] | None:
    if all(getattr(row, name) is None for name, _ in PHASES):
        return None
    return [row.loaded_bytes, row.resident_bytes, row.peak_bytes, row.load_ns, row.first_call_ns]
