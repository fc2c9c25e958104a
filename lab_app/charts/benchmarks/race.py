"""The race of BPE encoders: time and steps against the length of the text. Not here: that of trainers (`trainers`)."""

from collections.abc import Sequence
from dataclasses import replace

from lab_app.benchmarks.growth_result import GrowthPoint, Race, RaceEntrant
from lab_app.charts.benchmarks.curves import HEIGHT_PX, MARGIN, Curve, curve_chart
from lab_app.charts.benchmarks.growth import stop_words
from lab_app.charts.chart import Chart, ChartTable, NoChart, plain
from lab_app.charts.look import axis, figure, hue, layout, line, marker, read_points
from lab_app.number_words import short, size_words, thin, thin_number_of


def race(result: Race) -> Chart:
    """Time of each algorithm. Raises NoChart if nothing was measured."""
    return curve_chart(
        "race",
        "Time of each algorithm against text length",
        f"{result.text}, {result.tokenizer}; one call, median; exponent ± 95 % interval; 1 is linear",
        _curves(result),
        unit="bytes",
        limit_ns=result.limit_ns,
    )


def race_steps(result: Race) -> Chart:
    """Steps that each algorithm counts. Raises NoChart if none counts its steps."""
    return steps_chart(
        "race_steps",
        "Steps of each algorithm against text length",
        f"merges, lookups, moves and other steps that the algorithm counts; {result.text}, {result.tokenizer}",
        _curves(result),
    )


def steps_chart(name: str, title: str, subtitle: str, raced: Sequence[Curve]) -> Chart:
    """Steps by size for the curves whose points have steps. Raises NoChart if none has."""
    curves = [replace(curve, points=[point for point in curve.points if point.steps]) for curve in raced]
    drawn = [curve for curve in curves if curve.points]
    if not drawn:
        raise NoChart("no algorithm counts its steps")
    traces = [
        read_points(
            curve.label,
            curve.name,
            [point.size for point in curve.points],
            [_steps(point) for point in curve.points],
            [f"{curve.label}<br>{size_words(point.size)}: {_parts(point)}" for point in curve.points],
            mode="lines+markers",
            line=line(curve),
            marker=marker(curve, 6),
        )
        for curve in drawn
    ]
    ticks = [10**n for n in range(10)]
    form = layout(
        axis(type="log", tickvals=ticks, ticktext=[size_words(tick) for tick in ticks]),
        axis(type="log", dtick=1, tickformat=",d"),
        height=HEIGHT_PX,
        margin=MARGIN,
        annotations=[
            {
                "text": f"<b>{curve.label}</b>", "x": 1, "xref": "paper", "xshift": 18, "xanchor": "left",
                "y": 1 - 0.12 * place, "yref": "paper", "yanchor": "top", "showarrow": False, "font": {"color": hue(curve)},
            }
            for place, curve in enumerate(sorted(drawn, key=lambda one: -_steps(one.points[-1])))
        ],
    )  # fmt: skip
    names = list(dict.fromkeys(name for curve in drawn for point in curve.points for name in point.steps or {}))
    return Chart(
        name=name,
        title=title,
        subtitle=subtitle,
        summary=" ".join(
            f"{curve.name}: {thin_number_of(_steps(curve.points[-1]), 'step')} at {size_words(curve.points[-1].size)}."
            for curve in drawn
        ),
        keys=[],
        figure=figure(traces, form),
        table=ChartTable(
            ["algorithm", "bytes", *names],
            [
                [curve.name, point.size, *((point.steps or {}).get(n) for n in names)]
                for curve in drawn
                for point in curve.points
            ],
        ),
    )


def _curves(result: Race) -> list[Curve]:
    return [
        Curve(number, algorithm_words(entrant), entrant.points, entrant.exponent, stop_words(entrant.points))
        for number, entrant in enumerate(result.entrants)
    ]


def algorithm_words(entrant: RaceEntrant) -> str:
    """The name of an algorithm in words: "linked list", "naive, Python"."""
    name = entrant.algorithm.replace("_", " ")
    return name if entrant.language == "Rust" or "python" in name.lower() else f"{name}, {entrant.language}"


def _steps(point: GrowthPoint) -> int:
    return sum((point.steps or {}).values())


def _parts(point: GrowthPoint) -> str:
    parts = "<br>".join(f"{plain(name)} {thin(count)}" for name, count in (point.steps or {}).items())
    return f"{short(_steps(point))} steps<br>{parts}"
