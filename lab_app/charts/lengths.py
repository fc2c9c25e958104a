"""Documents by their length in tokens: one histogram per tokenizer, drawn as steps, with medians."""

from itertools import pairwise
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, LengthHistogram
from lab_app.charts.chart import (
    Cell,
    Chart,
    ChartTable,
    NoChart,
    Series,
    hollow_words,
    keys_of,
    series_of,
    short,
    thin,
    unknown_note,
)
from lab_app.charts.look import axis, figure, hue, layout, line, marker, sparse


def lengths(result: CorpusResult, letters: str = "") -> Chart:
    """Documents per bin of length. The last bin holds all longer documents, and the line under the title says so.

    Raises NoChart if no lengths were measured.
    """
    series = [each for each in series_of(result, letters) if each.result.length_histogram]
    if not series:
        raise NoChart("no document lengths were measured")
    histogram = _histogram(series[0])
    last = histogram.edges[-1]
    top = max(max([*_histogram(each).documents, _histogram(each).overflow]) for each in series)
    traces = [trace for n, each in enumerate(series) for trace in (_steps(each), _median(each, top, n)) if trace]
    overflow = f"; {thin(last)} and more in the last bin" if any(_histogram(each).overflow for each in series) else ""
    return Chart(
        name="lengths",
        title="Tokens per document",
        subtitle=f"documents per bin{_width_words(histogram)}{overflow}{hollow_words(series)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of(result, letters),
        figure=figure(traces, layout(axis("tokens"), axis("", rangemode="tozero", tickformat=",d"))),
        table=ChartTable(
            ["tokenizer", "from tokens", "below tokens", "documents"],
            [row for each in series for row in _rows(each)],
        ),
    )


def _histogram(series: Series) -> LengthHistogram:
    assert series.result.length_histogram
    return series.result.length_histogram


def _width_words(histogram: LengthHistogram) -> str:
    widths = {b - a for a, b in pairwise(histogram.edges)}
    width = widths.pop()
    return f" of {thin(width)} token{'s' if width > 1 else ''}" if not widths else ""


def _rows(series: Series) -> list[list[Cell]]:
    histogram = _histogram(series)
    rows: list[list[Cell]] = [
        [series.result.name, histogram.edges[n], histogram.edges[n + 1], documents]
        for n, documents in enumerate(histogram.documents)
    ]
    return [*rows, [series.result.name, histogram.edges[-1], None, histogram.overflow]]


def _steps(series: Series) -> dict[str, Any]:
    """A step per bin; the bin of the longer documents is as wide as the one before it."""
    histogram = _histogram(series)
    edges, documents = histogram.edges, [*histogram.documents, histogram.overflow]
    end = 2 * edges[-1] - edges[-2]
    bins = [f"{thin(a)} to {thin(b - 1)}" for a, b in pairwise(edges)] + [f"{thin(edges[-1])} or more"]
    note = unknown_note(series.result)
    words = [
        f"{series.label}<br>{span} tokens: {thin(n)} documents{note}" for span, n in zip(bins, documents, strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": series.label,
        "legendgroup": series.letter,
        "x": [*edges, end],
        "y": [*documents, documents[-1]],
        "line": line(series, shape="hv"),
        "marker": marker(series, sparse(len(documents) + 1)),
        "hoverinfo": "text",
        "hovertext": [*words, words[-1]],
    }


def _median(series: Series, top: int, place: int) -> dict[str, Any] | None:
    """The median as a line with its number; the numbers of several tokenizers are one below the other."""
    if series.result.lengths is None:
        return None
    median = series.result.lengths.median
    histogram = _histogram(series)
    if median >= histogram.edges[-1]:
        return None
    height = 1.05 * top
    return {
        "type": "scatter",
        "mode": "lines+text",
        "name": f"{series.label}, median",
        "legendgroup": series.letter,
        "showlegend": False,
        "x": [median, median, median],
        "y": [0, height * (1 - 0.07 * (place + 0.5)), height],
        "text": ["", f" {series.letter} median {thin(median)}", ""],
        "textposition": "middle right",
        "textfont": {"color": hue(series)},
        "line": line(series, width=1, dash="3px,3px"),
        "hoverinfo": "skip",
    }


def _sentence(series: Series) -> str:
    one = series.result.lengths
    if one is None:
        return f"{series.letter} {series.result.name}: lengths were not measured."
    return (
        f"{series.letter} {series.result.name}: median {thin(one.median)} tokens, mean {short(one.mean, 3)},"
        f" 95 % have at most {thin(one.p95)}, the longest {thin(one.max)}."
    )
