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
    unknown_note,
)
from lab_app.charts.look import count_axis, figure, layout, line, marker, read_points, rule, sparse
from lab_app.number_words import short, thin, thin_number_of


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
    traces = [trace for each in series for trace in (_steps(each), _median(each, top)) if trace]
    end = _end(histogram)
    tokens = count_axis("tokens", last, range=[-0.02 * end, 1.02 * end])
    overflow = f"; {thin(last)} and more in the last bin" if any(_histogram(each).overflow for each in series) else ""
    return Chart(
        name="lengths",
        title="Tokens per document",
        subtitle=f"documents per bin{_width_words(histogram)}{overflow}{_medians(series)}{hollow_words(series)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of(result, letters),
        figure=figure(traces, layout(tokens, count_axis("", top, range=[0, 1.08 * top]))),
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
    return f" of {thin_number_of(width, 'token')}" if not widths else ""


def _rows(series: Series) -> list[list[Cell]]:
    histogram = _histogram(series)
    rows: list[list[Cell]] = [
        [series.result.name, histogram.edges[n], histogram.edges[n + 1], documents]
        for n, documents in enumerate(histogram.documents)
    ]
    return [*rows, [series.result.name, histogram.edges[-1], None, histogram.overflow]]


def _steps(series: Series) -> dict[str, Any]:
    """A step per bin."""
    histogram = _histogram(series)
    edges, documents = histogram.edges, [*histogram.documents, histogram.overflow]
    bins = [f"{thin(a)} to {thin(b - 1)}" for a, b in pairwise(edges)] + [f"{thin(edges[-1])} or more"]
    note = unknown_note(series.result)
    words = [
        f"{series.label}<br>{span} tokens: {thin_number_of(n, 'document')}{note}"
        for span, n in zip(bins, documents, strict=True)
    ]
    return read_points(
        series.label,
        series.letter,
        [*edges, _end(histogram)],
        [*documents, documents[-1]],
        [*words, words[-1]],
        mode="lines+markers",
        line=line(series, shape="hv"),
        marker=marker(series, sparse(len(documents) + 1)),
        cliponaxis=False,
    )


def _end(histogram: LengthHistogram) -> int:
    """The right end of the bin of the longer documents, which is as wide as the one before it."""
    return 2 * histogram.edges[-1] - histogram.edges[-2]


def _medians(series: list[Series]) -> str:
    """The medians, for the line under the title: next to their lines, those of many tokenizers cover each other."""
    found = [f"{each.letter} {thin(each.result.lengths.median)}" for each in series if each.result.lengths]
    return f"; dashed: median {', '.join(found)}" if found else ""


def _median(series: Series, top: int) -> dict[str, Any] | None:
    """The median as a line."""
    if series.result.lengths is None:
        return None
    median = series.result.lengths.median
    histogram = _histogram(series)
    if median >= histogram.edges[-1]:
        return None
    return rule(
        [median, median],
        [0, 1.05 * top],
        line(series, width=1, dash="3px,3px"),
        name=f"{series.label}, median",
        legendgroup=series.letter,
    )


def _sentence(series: Series) -> str:
    one = series.result.lengths
    if one is None:
        return f"{series.letter} {series.result.name}: lengths were not measured."
    return (
        f"{series.letter} {series.result.name}: median {thin_number_of(one.median, 'token')}, mean {short(one.mean, 3)},"
        f" 95 % have at most {thin(one.p95)}, the longest {thin(one.max)}."
    )
