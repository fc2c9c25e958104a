"""Time against a quantity on logarithmic axes: what the charts of growth and of the race of algorithms share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.benchmarks.growth_result import Exponent, GrowthPoint
from lab_app.charts.benchmarks.latency import TICKS_NS
from lab_app.charts.chart import Chart, ChartKey, ChartTable, NoChart, plain
from lab_app.charts.look import GRID, axis, figure, hue, layout, line, marker, read_points, rule
from lab_app.number_words import THIN_SPACE, size_words, thin, thin_number_of, time_words

LIMIT_COLOUR = "var(--bad)"
HEIGHT_PX = 360
MARGIN = {"l": 60, "r": 172, "t": 10, "b": 40}
PLOT_PX = HEIGHT_PX - MARGIN["t"] - MARGIN["b"]
TEXT_PX = 15
"""Height of a line of a label."""
MAX_LABEL = 24
"""Characters of a name right of its line."""
STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Curve:
    """A line of the chart."""

    number: int
    """Gives hue and marker, from 0."""
    name: str
    points: Sequence[GrowthPoint]
    exponent: Exponent | None
    note: str = ""
    """Below the exponent, in the colour of the limit."""
    is_hollow: bool = False
    variant: int = 0
    """Tells curves of one hue apart by their dash."""
    mark: str = ""
    """Its letter or number in a list; empty: the number, from 1."""

    @property
    def label(self) -> str:
        """Safe in a figure."""
        return plain(self.name)

    @property
    def measured(self) -> list[GrowthPoint]:
        """Points with a time. An inexact one has a time, too."""
        return [point for point in self.points if point.elapsed_ns]


def curve_chart(
    name: str,
    title: str,
    subtitle: str,
    curves: Sequence[Curve],
    *,
    unit: str,
    limit_ns: float | None = None,
    limit_ns_per_byte: float | None = None,
) -> Chart:
    """Time by size. `unit` is "bytes" or a word for what the axis counts. Raises NoChart without any time."""
    drawn = [curve for curve in curves if curve.measured]
    if not drawn:
        raise NoChart("nothing was measured")
    sizes = [point.size for curve in drawn for point in curve.measured]
    times = [float(point.elapsed_ns or 0) for curve in drawn for point in curve.measured]
    x_range = _range(sizes, 0.04)
    y_range = _range(times, 0.06)
    traces = [
        made for curve in drawn for made in (_line(curve, unit), *_over(curve, unit, limit_ns, limit_ns_per_byte))
    ]
    form = layout(_x_axis(unit, sizes, x_range), _time_axis(y_range), height=HEIGHT_PX, margin=MARGIN)
    form["annotations"], form["shapes"] = _labels(drawn, x_range, y_range)
    if limit_ns_per_byte:
        traces.insert(0, _limit(limit_ns_per_byte, x_range, y_range))
        form["annotations"].append(_limit_words(limit_ns_per_byte, x_range, y_range))
    elif limit_ns and math.log10(limit_ns) < y_range[1]:
        traces.insert(0, _level(limit_ns, x_range))
    return Chart(
        name=name,
        title=title,
        subtitle=subtitle,
        summary=" ".join(_sentence(curve, unit) for curve in curves),
        keys=[ChartKey(curve.mark or str(curve.number + 1), curve.name) for curve in drawn],
        figure=figure(traces, form),
        table=ChartTable(
            ["name", unit, "state", "median ns", "fastest ns", "slowest ns", "samples"],
            [
                [curve.name, point.size, point.state, point.elapsed_ns, point.low_ns, point.high_ns, point.samples]
                for curve in curves
                for point in curve.points
            ],
        ),
    )


def _range(values: Sequence[float], room: float) -> list[float]:
    """The range of a logarithmic axis, as powers of ten, with a share of it free at both ends."""
    low, high = math.log10(min(values)), math.log10(max(values))
    around = max(0.15, room * (high - low))
    return [low - around, high + around]


def _x_axis(unit: str, sizes: Sequence[int], span: list[float]) -> dict[str, Any]:
    if unit == "bytes":
        ticks = [10**n for n in range(10)]
        return axis(type="log", tickvals=ticks, ticktext=[size_words(tick) for tick in ticks], range=span)
    ticks = sorted(set(sizes))
    return axis(unit, type="log", tickvals=ticks, ticktext=[thin(tick) for tick in ticks], range=span)


def _time_axis(span: list[float]) -> dict[str, Any]:
    """Ticks at powers of ten, and at 2 and 5 of each if there are few of them."""
    few = span[1] - span[0] < 2
    ticks = [step * tick for tick in TICKS_NS for step in (STEPS if few else STEPS[:1])]
    return axis(type="log", tickvals=ticks, ticktext=[time_words(tick) for tick in ticks], range=span)


def _place(unit: str, size: int) -> str:
    return size_words(size) if unit == "bytes" else f"{thin(size)} {unit}"


def _line(curve: Curve, unit: str) -> dict[str, Any]:
    points = curve.measured
    return read_points(
        curve.label,
        curve.name,
        [point.size for point in points],
        [point.elapsed_ns for point in points],
        [_words(curve, point, unit) for point in points],
        mode="lines+markers",
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [(point.high_ns or point.elapsed_ns or 0) - (point.elapsed_ns or 0) for point in points],
            "arrayminus": [(point.elapsed_ns or 0) - (point.low_ns or point.elapsed_ns or 0) for point in points],
            "color": hue(curve),
            "thickness": 1,
            "width": 0,
        },
        line=line(curve, curve.variant),
        marker=marker(curve, 6),
    )


def _words(curve: Curve, point: GrowthPoint, unit: str) -> str:
    tokens = f"<br>{thin_number_of(point.tokens, 'token')}" if point.tokens else ""
    steps = f"<br>{thin_number_of(sum(point.steps.values()), 'step')}" if point.steps else ""
    state = "<br>other IDs than expected" if point.state == "inexact" else ""
    return f"{curve.label}<br>{_place(unit, point.size)}: {time_words(point.elapsed_ns or 0)}{tokens}{steps}{state}"


def _over(curve: Curve, unit: str, limit_ns: float | None, per_byte: float | None) -> list[dict[str, Any]]:
    """Circles around the points above the limit."""
    over = [
        point
        for point in curve.measured
        if (per_byte and (point.elapsed_ns or 0) > per_byte * point.size)
        or (limit_ns and (point.elapsed_ns or 0) > limit_ns)
    ]
    if not over:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"{curve.label}, over the limit",
            "legendgroup": curve.name,
            "showlegend": False,
            "x": [point.size for point in over],
            "y": [point.elapsed_ns for point in over],
            "marker": {"symbol": "circle-open", "size": 15, "color": LIMIT_COLOUR, "line": {"width": 1.5}},
            "hoverinfo": "skip",
        }
    ]


def _limit(per_byte: float, x: list[float], y: list[float]) -> dict[str, Any]:
    """A line of constant time per byte, within the axes."""
    low = max(x[0], y[0] - math.log10(per_byte))
    high = min(x[1], y[1] - math.log10(per_byte))
    ends = [10**low, 10**high] if high > low else []
    return _dashed(ends, [size * per_byte for size in ends])


def _level(limit_ns: float, x: list[float]) -> dict[str, Any]:
    return _dashed([10 ** x[0], 10 ** x[1]], [limit_ns, limit_ns])


def _dashed(x: list[float], y: list[float]) -> dict[str, Any]:
    return rule(x, y, {"color": LIMIT_COLOUR, "width": 1.2, "dash": "5px,4px"}, name="limit")


def _limit_words(per_byte: float, x: list[float], y: list[float]) -> dict[str, Any]:
    low = max(x[0], y[0] - math.log10(per_byte))
    high = min(x[1], y[1] - math.log10(per_byte))
    at = low + 0.3 * (high - low)
    return {
        "text": f"Limit: {time_words(per_byte)} per byte",
        "x": at,
        "y": at + math.log10(per_byte),
        "xanchor": "right",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": LIMIT_COLOUR},
    }


def _labels(
    curves: Sequence[Curve], x: list[float], y: list[float]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Names and exponents right of the ends of the lines, apart from each other, with leaders."""
    ends = []
    for curve in curves:
        last = curve.measured[-1]
        assert last.elapsed_ns
        ends.append((
            (math.log10(last.elapsed_ns) - y[0]) / (y[1] - y[0]),
            (math.log10(last.size) - x[0]) / (x[1] - x[0]),
            curve,
        ))  # fmt: skip
    ends.sort(key=lambda end: -end[0])
    places = spread([height for height, _, _ in ends], [_lines(curve) * TEXT_PX / PLOT_PX for _, _, curve in ends])
    words = [
        {
            "text": _label(curve),
            "xref": "paper",
            "yref": "paper",
            "x": 1,
            "xshift": 18,
            "y": place,
            "xanchor": "left",
            "yanchor": "middle",
            "align": "left",
            "showarrow": False,
            "font": {"color": hue(curve)},
        }
        for place, (_, _, curve) in zip(places, ends, strict=True)
    ]
    leaders = [
        {
            "type": "line", "xref": "paper", "yref": "paper", "x0": across, "y0": height, "x1": 1.02, "y1": place,
            "line": {"color": GRID, "width": 1}, "layer": "below",
        }
        for place, (height, across, _) in zip(places, ends, strict=True)
    ]  # fmt: skip
    return words, leaders


def spread(heights: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Moves labels, the highest first, so that none covers another and all are within 0 and 1 if they fit.

    >>> spread([0.9, 0.88, 0.2], [0.1, 0.1, 0.1])
    [0.9, 0.8, 0.2]
    """
    crowded = max(1.0, sum(sizes))
    halves = [size / crowded / 2 for size in sizes]
    places = [min(height, 1 - half) for height, half in zip(heights, halves, strict=True)]
    for n in range(1, len(places)):
        places[n] = min(places[n], places[n - 1] - halves[n - 1] - halves[n])
    floor = 0.0
    for n in range(len(places) - 1, -1, -1):
        places[n] = max(places[n], floor + halves[n])
        floor = places[n] + halves[n]
    return [round(place, 6) for place in places]


def _label(curve: Curve) -> str:
    name = plain(curve.name, MAX_LABEL)
    lines = [f"<b>{name}</b>"]
    if curve.exponent:
        half = (curve.exponent.high - curve.exponent.low) / 2
        lines.append(f"n<sup>{curve.exponent.value:.2f}</sup> ±{THIN_SPACE}{half:.2f}")
    if curve.note:
        lines.append(plain(curve.note))
    return "<br>".join(lines)


def _lines(curve: Curve) -> int:
    return 1 + (curve.exponent is not None) + bool(curve.note)


def _sentence(curve: Curve, unit: str) -> str:
    points = curve.measured
    if not points:
        return f"{curve.name}: not measured."
    last = points[-1]
    words = f"{curve.name}: {time_words(last.elapsed_ns or 0)} at {_place(unit, last.size)}"
    if curve.exponent:
        found = curve.exponent
        words += f", exponent {found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
    return f"{words}{'; ' + curve.note if curve.note else ''}."
