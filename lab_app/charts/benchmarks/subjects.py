"""The rows of a run in a chart: their names, their order, their looks, and the frame that charts with a line per row share.

A row has the hue and the marker of its tokenizer's letter, as in the page. Engines of one tokenizer differ by the number of
the row, and lines by their dash.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.charts.chart import Cell, Chart, ChartKey, ChartTable, NoChart, letter_of, plain
from lab_app.charts.look import axis, figure, layout
from lab_app.number_words import thin_number_of

ROW_PX = 46
"""Height of a line. The page's table has rows of the same height (`--bench-row` in benchmark.css)."""
HEAD_PX = 26
"""Height of the axis above the lines in the page's table."""
ENGINE_TITLES = {"tokenlab": "Tokenlab"}
LEFT_OUT = ("missing", "unsupported")
"""States of rows that have no line: the page lists them below."""


@dataclass(frozen=True)
class RowLook:
    """The hue, marker, dash and letter of a row. The page computes the same (`linesOf` of `benchmark_words.js`)."""

    number: int
    """Of its tokenizer's letter, from 0: gives hue and marker."""
    variant: int
    """Of the rows of its tokenizer, from 0: gives the dash of a line."""
    mark: str
    """What readers see: the letter, or the number of the row if a tokenizer has several rows."""


def row_looks(tokenizers: Sequence[str], letters: str = "") -> list[RowLook]:
    """The looks of rows with these tokenizers, whose letters are given in the order in which they first occur, or A, B, C.

    >>> [look.mark for look in row_looks(["gpt2", "bert"], "CA")], [look.mark for look in row_looks(["gpt2", "gpt2"])]
    (['C', 'A'], ['1', '2'])
    """
    different = list(dict.fromkeys(tokenizers))
    numbers = [ord(letter) - ord("A") for letter in letters] or list(range(len(different)))
    own = dict(zip(different, numbers, strict=True))
    has_letters = len(different) == len(tokenizers)
    return [
        RowLook(own[each], list(tokenizers[:n]).count(each), letter_of(own[each]) if has_letters else str(n + 1))
        for n, each in enumerate(tokenizers)
    ]


@dataclass(frozen=True)
class SubjectSeries:
    """A row with its look."""

    place: int
    """In the order they were asked for, from 0."""
    look: RowLook
    name: str
    row: BenchmarkRow

    @property
    def number(self) -> int:
        """Of its tokenizer's letter, from 0: gives hue and marker."""
        return self.look.number

    @property
    def mark(self) -> str:
        """The letter or number that readers see."""
        return self.look.mark

    @property
    def label(self) -> str:
        """Mark and name, safe in a figure."""
        return f"{self.mark} {plain(self.name)}"

    @property
    def is_hollow(self) -> bool:
        """Whether its ids are not those of the reference."""
        return self.row.state == "inexact"


def subjects_of(result: BenchmarkResult, letters: str = "") -> list[SubjectSeries]:
    """The rows that have a line, in the order of the page: by rank, then inexact ones, then those without figures.

    `letters` are those of the tokenizers, as in `row_looks`.
    """
    looks = row_looks([row.tokenizer for row in result.rows], letters)
    engines = {row.engine for row in result.rows}
    tokenizers = {row.tokenizer for row in result.rows}
    found = [
        SubjectSeries(place, look, _name(row, len(engines) > 1, len(tokenizers) > 1), row)
        for place, (row, look) in enumerate(zip(result.rows, looks, strict=True))
        if row.state not in LEFT_OUT
    ]
    return sorted(found, key=_place)


def _name(row: BenchmarkRow, has_engines: bool, has_tokenizers: bool) -> str:
    engine = ENGINE_TITLES.get(row.engine, row.engine)
    if has_engines and has_tokenizers:
        return f"{engine}, {row.tokenizer}"
    return row.tokenizer if has_tokenizers else engine


def _place(series: SubjectSeries) -> tuple[float, float, int]:
    row = series.row
    speed = row.throughput_mb_per_s.median if row.throughput_mb_per_s else 0
    return (row.rank or float("inf"), -speed, series.place)


def keys_of_subjects(series: Sequence[SubjectSeries]) -> list[ChartKey]:
    """The letters or numbers of the rows."""
    return [ChartKey(each.mark, each.name) for each in series]


def settings_words(result: BenchmarkResult) -> str:
    """What was measured: "warm, ids only, 1 thread".

    The words of every chart of a run.
    """
    settings = result.settings
    temperature = {"warm": "warm", "cold": "cold", "first_pass": "first pass"}[settings.temperature]
    shape = {"whole": "whole text", "documents": "document by document", "batch": "one batch"}[settings.shape]
    output = {"ids": "IDs only", "spans": "IDs and spans", "lists": "IDs as lists"}[settings.output]
    threads = thin_number_of(settings.threads, "thread")
    return f"{temperature}, {shape}, {output}, {threads}"


def line_chart(
    result: BenchmarkResult,
    letters: str,
    *,
    name: str,
    title: str,
    subtitle: str,
    trace: Callable[[SubjectSeries, int], list[dict[str, Any]]],
    x: dict[str, Any],
    sentence: Callable[[SubjectSeries], str | None],
    head: list[str],
    cells: Callable[[BenchmarkRow], list[Cell] | None],
) -> Chart:
    """A chart with one horizontal line per row. Raises NoChart if no row has values.

    `trace`, `sentence` and `cells` return nothing for a row without values.
    """
    series = subjects_of(result, letters)
    traces = [made for place, each in enumerate(series) for made in trace(each, place)]
    if not traces:
        raise NoChart("no engine has figures for it")
    lines: dict[str, Any] = axis(
        tickvals=list(range(len(series))),
        ticktext=[each.label for each in series],
        range=[len(series) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
    )
    rows = [[each.name, *found] for each in series if (found := cells(each.row)) is not None]
    form = layout(x, lines, height=len(series) * ROW_PX + 2 * HEAD_PX)
    return Chart(
        name=name,
        title=title,
        subtitle=subtitle,
        summary=" ".join(filter(None, map(sentence, series))),
        keys=keys_of_subjects(series),
        figure=figure(traces, form),
        table=ChartTable(["engine", *head], rows),
    )


def in_table(chart: Chart) -> Chart:
    """The chart as the page draws it into its table: the axis on top, without the names, lines as high as the rows."""
    form = dict(chart.figure["layout"])
    lines = len(form["yaxis"]["tickvals"])
    x = form["xaxis"]
    title = (x.get("title") or {}).get("text")
    unit = {"ticksuffix": f" {title}", "showticksuffix": "first"} if title else {}
    form |= {
        "height": lines * ROW_PX + HEAD_PX,
        "margin": {"l": 26, "r": 26, "t": HEAD_PX, "b": 0},
        "xaxis": {**x, "side": "top", "automargin": False, "title": None, **unit},
        "yaxis": {**form["yaxis"], "visible": False, "automargin": False},
    }
    return replace(chart, name=f"{chart.name}_rows", figure=figure(chart.figure["data"], form))
