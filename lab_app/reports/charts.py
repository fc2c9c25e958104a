"""The charts of an analysis, by name. The page, reports and the HTTP interface show these.

Not here: how a chart is made (`lab_app.charts`), analyses (`lab_app.services.analyses.analyses`).
"""

import re
from dataclasses import dataclass

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.changes import changes
from lab_app.charts.chart import Chart, NoChart
from lab_app.charts.registry import CHARTS
from lab_app.errors import BadValue, NotFound
from lab_app.services.csv_lines import csv_line

LETTERS = re.compile("[A-Z]+")


@dataclass(frozen=True)
class FigureEntry:
    """A chart in the list of an analysis."""

    name: str
    title: str | None
    """None if the analysis has no values for it."""
    reason: str | None
    """Why it has none."""


@dataclass(frozen=True)
class FigureList:
    """The charts of an analysis, in the order of a report."""

    figures: list[FigureEntry]


@dataclass(frozen=True, kw_only=True)
class Figure(Chart):
    """A chart with its table as a file."""

    csv: str
    """The table, RFC 4180."""


@dataclass(frozen=True)
class Figures:
    """Some charts."""

    figures: list[Figure]


def figures(result: CorpusResult) -> FigureList:
    """Lists the charts, with the reason for each that the analysis has no values for."""
    return FigureList([_entry(name, result) for name in CHARTS])


def figure(result: CorpusResult, name: str, letters: str = "") -> Figure:
    """Makes a chart, with these letters for the tokenizers; without any they are A, B, C.

    Raises NotFound for a name that no chart has and if the analysis has no values for it, BadValue for wrong letters.
    """
    if name not in CHARTS:
        raise NotFound(f'no chart is called "{name}"', f"choose one of {', '.join(CHARTS)}")
    check_letters(letters, len(result.tokenizers))
    try:
        made = CHARTS[name](result, letters)
    except NoChart as missing:
        raise NotFound(
            f'the analysis has no values for the chart "{name}": {missing.reason}', "choose another chart"
        ) from None
    return Figure(**vars(made), csv=csv_text(made))


def change_figures(before: CorpusResult, after: CorpusResult, letters: str = "") -> Figures:
    """The chart of what changed between two analyses; none if nothing that it shows differs. Raises BadValue for wrong letters."""
    check_letters(letters, len(after.tokenizers))
    try:
        made = changes(before, after, letters)
    except NoChart:
        return Figures([])
    return Figures([Figure(**vars(made), csv=csv_text(made))])


def check_letters(letters: str, tokenizers: int) -> None:
    """Checks letters: none at all, or a different one from A to Z for each tokenizer. Raises BadValue."""
    if letters and not (len(set(letters)) == len(letters) == tokenizers and LETTERS.fullmatch(letters)):
        raise BadValue(
            f'the letters "{letters[:30]}" do not fit the tokenizers, {tokenizers} in number',
            "give another letter from A to Z for each tokenizer",
        )


def charts(result: CorpusResult) -> list[Chart]:
    """Makes every chart that the analysis has values for."""
    return [made for name in CHARTS if isinstance(made := _made(name, result), Chart)]


def csv_text(chart: Chart) -> str:
    """The table of a chart as CSV."""
    return csv_line(chart.table.head) + "".join(map(csv_line, chart.table.rows))


def _made(name: str, result: CorpusResult) -> Chart | NoChart:
    try:
        return CHARTS[name](result)
    except NoChart as missing:
        return missing


def _entry(name: str, result: CorpusResult) -> FigureEntry:
    made = _made(name, result)
    if isinstance(made, NoChart):
        return FigureEntry(name, None, made.reason)
    return FigureEntry(name, made.title, None)
