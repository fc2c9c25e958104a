"""How much each metric changed between two analyses, for the tokenizers of both.

Ratios alone: a larger corpus has more tokens of everything. Not here: all numbers that differ (`services.analyses.changes`).
"""

from typing import Any

from lab_app.analysis.corpus.registry import METRICS, Metric, is_comparable
from lab_app.analysis.corpus.result import CorpusResult, TokenizerResult
from lab_app.charts.chart import Chart, ChartTable, NoChart, Series, keys_of, series_of
from lab_app.charts.dots import MARGIN, height_of, level_line, names_axis
from lab_app.charts.look import axis, figure, layout, marker, read_points, spans
from lab_app.number_words import THIN_SPACE, short


def changes(before: CorpusResult, after: CorpusResult, letters: str = "") -> Chart:
    """A row per metric that differs, a dot per tokenizer; `letters` are those of the tokenizers of `after`.

    Raises NoChart if no tokenizer is in both, or no ratio differs.
    """
    old = {each.tokenizer: each for each in before.tokenizers}
    series = [each for each in series_of(after, letters) if each.result.tokenizer in old]
    if not series:
        raise NoChart("the two analyses share no tokenizer")
    found = {
        (metric.name, each.letter): (was, now)
        for metric in METRICS
        if metric.denominator and is_comparable(metric.name, before, after)
        for each in series
        if (was := _value(old[each.result.tokenizer], metric)) and (now := _value(each.result, metric)) is not None
    }
    rows = [
        metric
        for metric in METRICS
        if any(was != now for (name, _), (was, now) in found.items() if name == metric.name)
    ]
    if not rows:
        raise NoChart("no ratio of the two analyses differs")
    shares = [[_percent(*pair) for (name, _), pair in found.items() if name == metric.name] for metric in rows]
    names = names_axis([metric.title for metric in rows])
    traces = [
        level_line(0, len(rows)),
        spans([[0, *row] for row in shares]),
        *(_marks(each, rows, found) for each in series),
    ]
    height = height_of(len(rows))
    return Chart(
        name="changes",
        title="Change of each ratio",
        subtitle=f"% of the value of the earlier analysis, whole corpus; 0: as before; {len(rows)} ratios differ",
        summary=" ".join(_sentence(each, rows, found) for each in series),
        keys=[key for key in keys_of(after, letters) if key.letter in {each.letter for each in series}],
        figure=figure(
            traces,
            layout(axis(ticksuffix=f"{THIN_SPACE}%") | {"side": "top"}, names, height=height, margin=MARGIN),
        ),
        table=ChartTable(
            ["tokenizer", "metric", "unit", "before", "after", "change, %"],
            [
                [each.result.name, metric.title, metric.unit, *pair, _percent(*pair)]
                for metric in rows
                for each in series
                if (pair := found.get((metric.name, each.letter)))
            ],
        ),
    )


Found = dict[tuple[str, str], tuple[float, float]]
"""Values before and after, by metric and letter."""


def _value(result: TokenizerResult, metric: Metric) -> float | None:
    found: Any = result
    for part in metric.name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, int | float) else None


def _percent(was: float, now: float) -> float:
    return 100 * (now / was - 1)


def _marks(series: Series, rows: list[Metric], found: Found) -> dict[str, Any]:
    mine = [
        (n, metric, found[metric.name, series.letter])
        for n, metric in enumerate(rows)
        if (metric.name, series.letter) in found
    ]
    return read_points(
        series.label,
        series.letter,
        [_percent(*pair) for _, _, pair in mine],
        [n for n, _, _ in mine],
        [
            f"{series.label}<br>{metric.title}: {short(_percent(*pair), 3)}{THIN_SPACE}%<br>"
            f"from {short(pair[0])} to {short(pair[1])} {metric.unit}"
            for _, metric, pair in mine
        ],
        mode="markers",
        marker=marker(series),
    )


def _sentence(series: Series, rows: list[Metric], found: Found) -> str:
    mine = {
        metric.title: _percent(*found[metric.name, series.letter])
        for metric in rows
        if (metric.name, series.letter) in found
    }
    title = max(mine, key=lambda each: abs(mine[each]), default=None)
    if title is None:
        return f"{series.letter} {series.result.name}: no ratio differs."
    return f"{series.letter} {series.result.name}: {title} changed most, by {short(mine[title], 3)}{THIN_SPACE}%."
