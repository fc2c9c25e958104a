"""Share of all tokens that the most frequent types cover, with marks at the milestones."""

from bisect import bisect_left
from math import log
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, Curve
from lab_app.charts.chart import Chart, ChartTable, Series, hollow_words, keys_of, series_of, unknown_note
from lab_app.charts.look import axis, figure, layout, line, log_axis, marker, read_points
from lab_app.number_words import THIN_SPACE, thin, thin_number_of


def coverage(result: CorpusResult, letters: str = "") -> Chart:
    """Cumulative share of tokens by rank; a mark is the smallest number of types that cover 50, 75, 90, 95, 99 %."""
    series = series_of(result, letters)
    traces = [trace for each in series for trace in (_curve(each), _milestones(each)) if trace]
    share = axis(range=[0, 102], dtick=20, ticksuffix=f"{THIN_SPACE}%")
    return Chart(
        name="coverage",
        title="Share of tokens covered, by rank",
        subtitle=f"% of all tokens that the r most frequent types cover; marks at 50, 75, 90, 95, 99{THIN_SPACE}%{hollow_words(series)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of(result, letters),
        figure=figure(traces, layout(log_axis("rank", 1, max([1, *(each.result.types for each in series)])), share)),
        table=ChartTable(
            ["tokenizer", "rank", "share of tokens"],
            [
                [each.result.name, rank, covered]
                for each in series
                for rank, covered in zip(each.result.curve.ranks, each.result.curve.cumulative, strict=True)
            ],
        ),
    )


def _curve(series: Series) -> dict[str, Any] | None:
    curve = series.result.curve
    if not curve.ranks:
        return None
    return read_points(
        series.label,
        series.letter,
        curve.ranks,
        [100 * share for share in curve.cumulative],
        [
            f"{series.label}<br>the {thin(rank)} most frequent: {100 * share:.1f}{THIN_SPACE}% of the tokens"
            for rank, share in zip(curve.ranks, curve.cumulative, strict=True)
        ],
        mode="lines",
        showlegend=False,
        line=line(series),
    )


def _milestones(series: Series) -> dict[str, Any] | None:
    marks = series.result.milestones
    if not marks:
        return None
    note = unknown_note(series.result)
    return read_points(
        series.label,
        series.letter,
        list(marks.values()),
        [100 * drawn_share(series.result.curve, types) for types in marks.values()],
        [
            f"{series.label}<br>{thin_number_of(types, 'type covers', 'types cover')} {percent}{THIN_SPACE}% of the tokens{note}"
            for percent, types in marks.items()
        ],
        mode="markers",
        marker=marker(series),
    )


def drawn_share(curve: Curve, rank: int) -> float:
    """Height of the drawn curve at a rank: between two points it is a straight line over the logarithm of the rank.

    >>> drawn_share(Curve([1, 4], [5, 1], [0.5, 0.9]), 2)
    0.7
    """
    after = bisect_left(curve.ranks, rank)
    if after == len(curve.ranks) or curve.ranks[after] == rank or after == 0:
        return curve.cumulative[min(after, len(curve.ranks) - 1)]
    start, end = curve.ranks[after - 1], curve.ranks[after]
    low, high = curve.cumulative[after - 1], curve.cumulative[after]
    return low + (high - low) * log(rank / start) / log(end / start)


def _sentence(series: Series) -> str:
    marks = series.result.milestones
    if not marks:
        return f"{series.letter} {series.result.name} has no tokens."
    words = ", ".join(f"{percent} % with {thin(types)}" for percent, types in marks.items())
    return f"{series.letter} {series.result.name} covers {words} types."
