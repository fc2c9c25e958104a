"""A row per language with a dot per tokenizer: the figure that the charts of languages share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log10
from statistics import median
from typing import Any

from lab_app.analysis.corpus.result import LanguageResult
from lab_app.charts.chart import Series, much_unknown, plain
from lab_app.charts.look import FAINT, axis, figure, layout, log_axis, marker, read_points, rule, spans, symbol

Found = dict[tuple[str, str], LanguageResult]
"""The results that have a value, by the letter of the tokenizer and the language."""
SKEWED = 10
"""The highest value over the median value from which the axis is logarithmic."""
ROW_PX = 18
"""Less, and every other name is left out."""
BEYOND = 0.2
"""The axis of names reaches beyond the first and the last row, in rows."""
AROUND_PX = 40
MARGIN = {"l": 48, "r": 16, "t": 28, "b": 8}
MAX_NAME = 30
"""Characters of a language in front of its row."""
GAP = "⋮"


@dataclass(frozen=True)
class Dots:
    """What the dots show: `value` of a result, `words` of it when it is pointed at, and the suffix of the axis."""

    found: Found
    value: Callable[[LanguageResult], float | None]
    words: Callable[[LanguageResult], str]
    suffix: str = ""

    def of(self, one: LanguageResult) -> float:
        """The value of a result that has one."""
        return self.value(one) or 0.0

    @property
    def order(self) -> list[str]:
        """The languages, the one with the highest median first."""
        values: dict[str, list[float]] = {}
        for (_, language), one in self.found.items():
            values.setdefault(language, []).append(self.of(one))
        return sorted(values, key=lambda each: (-median(values[each]), -max(values[each]), each))

    @property
    def is_skewed(self) -> bool:
        """Whether one value is far above the others, and all can be on a logarithmic axis."""
        values = [self.of(one) for one in self.found.values()]
        return min(values) > 0 and max(values) > SKEWED * median(values)


def ends_of(order: Sequence[str], most: int) -> list[str | None]:
    """The languages at both ends of the order with a gap, None, between them; all if there are hardly more than `most`.

    >>> ends_of("abcdefgh", 4)
    ['a', 'b', None, 'g', 'h']
    """
    if len(order) <= most + 2:
        return list(order)
    return [*order[: most - most // 2], None, *order[-(most // 2) :]]


def dot_plot(series: Sequence[Series], dots: Dots, rows: Sequence[str | None], *, at_one: bool) -> dict[str, Any]:
    """The figure with these rows; a grey line joins the lowest and the highest dot of each, a dashed one is `at_one`.

    A dot is hollow if more than 5 % is unknown. None is an empty row.
    """
    names = names_axis([GAP if each is None else plain(each, MAX_NAME) for each in rows])
    each_row = [[dots.of(one) for (_, language), one in dots.found.items() if language == row] for row in rows]
    traces = [spans(each_row), *(_marks(each, dots, rows) for each in series)]
    if at_one:
        traces.insert(0, level_line(1, len(rows)))
    form = layout(_amounts(dots) | {"side": "top"}, names, height=height_of(len(rows)), margin=MARGIN)
    return figure(traces, form)


def names_axis(names: Sequence[str]) -> dict[str, Any]:
    """The axis of the rows, the first one at the top."""
    return axis(
        tickvals=list(range(len(names))),
        ticktext=list(names),
        range=[len(names) - 0.5 + BEYOND / 2, -0.5 - BEYOND / 2],
        showgrid=False,
        fixedrange=True,
    )


def height_of(rows: int) -> int:
    """The height of a figure with so many rows, in pixels: each has `ROW_PX`."""
    return ceil(ROW_PX * (rows + BEYOND)) + AROUND_PX


def _amounts(dots: Dots) -> dict[str, Any]:
    """The axis of the values."""
    if not dots.is_skewed:
        return axis(rangemode="tozero", ticksuffix=dots.suffix)
    values = [dots.of(one) for one in dots.found.values()]
    ends = [log10(0.9 * min(values)), log10(1.1 * max(values))]
    return log_axis("", 1, max(values), range=ends, dtick="D2", tickformat="~r", ticksuffix=dots.suffix)


def level_line(at: float, rows: int) -> dict[str, Any]:
    """A dashed line at a value, across all rows."""
    return rule([at, at], [-0.6, rows - 0.4], {"color": FAINT, "width": 1, "dash": "4px,3px"})


def _marks(series: Series, dots: Dots, rows: Sequence[str | None]) -> dict[str, Any]:
    mine = [(n, one) for n, language in enumerate(rows) if (one := dots.found.get((series.letter, language or "")))]
    return read_points(
        series.label,
        series.letter,
        [dots.of(one) for _, one in mine],
        [n for n, _ in mine],
        [f"{series.label}<br>{plain(one.language)}: {dots.words(one)}" for _, one in mine],
        mode="markers",
        marker=marker(series, symbol=[symbol(series, hollow=much_unknown(one)) for _, one in mine]),
        customdata=[{"tokenizer": series.result.tokenizer, "language": one.language} for _, one in mine],
    )
