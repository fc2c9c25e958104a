"""A row per language with the values of all tokenizers, for the metrics that every language has."""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log10
from statistics import median
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, LanguageResult
from lab_app.charts.chart import (
    THIN_SPACE,
    Chart,
    ChartTable,
    NoChart,
    Series,
    keys_of,
    much_unknown,
    plain,
    series_of,
    short,
    unknown_note,
)
from lab_app.charts.look import (
    FAINT,
    PANEL,
    axis,
    figure,
    hatch,
    hue,
    layout,
    log_axis,
    marker,
    pattern,
    spans,
    symbol,
)
from lab_app.charts.premium import language_name, left_out

UNSPACED = {"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}
"""Scripts that put no spaces between words."""


@dataclass(frozen=True)
class Measure:
    """A metric of a language as a chart."""

    metric: str
    title: str
    unit: str
    value: Callable[[LanguageResult], float | None]
    suffix: str = ""


MEASURES = {
    "fertility": Measure(
        "fertility",
        "Tokens per word in each language",
        "fertility: tokens that overlap a word, per word between white space",
        lambda one: one.fertility,
    ),
    "continued_words": Measure(
        "continued_word_rate",
        "Words of several tokens in each language",
        "continued words: % of the words between white space",
        lambda one: None if one.continued_word_rate is None else 100 * one.continued_word_rate,
        f"{THIN_SPACE}%",
    ),
    "language_bytes": Measure(
        "bytes_per_token",
        "Bytes per token in each language",
        "UTF-8 bytes of the text per token; scripts of three bytes per character look better",
        lambda one: one.bytes_per_token,
    ),
    "language_premium": Measure(
        "premium",
        "Tokens for the same text in each language",
        "premium: tokens per token of the same text in {reference}, which is 1",
        lambda one: one.premium,
    ),
    "language_unknown": Measure(
        "unknown_rate",
        "Unknown tokens in each language",
        "% of the tokens of the text",
        lambda one: None if one.unknown_rate is None else 100 * one.unknown_rate,
        f"{THIN_SPACE}%",
    ),
}
MOST_BARS = 3
"""Tokenizers with a bar each; more are marks."""
SKEWED = 10
"""The highest value over the median value from which the axis is logarithmic."""
ROW_PX = 18
BAR_PX = 7
AROUND_PX = 40
MARGIN = {"l": 48, "r": 16, "t": 28, "b": 8}
MAX_NAME = 30
"""Characters of a language in front of its row."""
MAX_NAMED = 3
"""Languages in the line under the title."""
OF_WORDS = ("fertility", "continued_words")


def languages(result: CorpusResult, letters: str = "", *, name: str) -> Chart:
    """One of `MEASURES` per language, the highest first; hollow if more than 5 % is unknown.

    A few tokenizers are bars, many are marks. If one language is far above the others, the axis is logarithmic.
    Raises NoChart if the corpus names no languages or the metric was not measured.
    """
    measure = MEASURES[name]
    series = series_of(result, letters)
    if not any(each.result.languages for each in series):
        raise NoChart("the corpus names no languages")
    values = {
        (each.letter, one.language): one
        for each in series
        for one in each.result.languages
        if measure.value(one) is not None
    }
    if not values:
        raise NoChart(result.not_measured.get(measure.metric, "was not measured"))
    by_language = _by_language(values, measure)
    order = sorted(by_language, key=lambda each: (-median(by_language[each]), -max(by_language[each]), each))
    drawn = [value for each in by_language.values() for value in each]
    is_skewed = min(drawn) > 0 and max(drawn) > SKEWED * median(drawn)
    has_bars = len(series) <= MOST_BARS
    row = max(ROW_PX, BAR_PX * len(series) + BAR_PX) if has_bars else ROW_PX
    names = axis(
        tickvals=list(range(len(order))),
        ticktext=[plain(each, MAX_NAME) for each in order],
        range=[len(order) - 0.4, -0.6],
        showgrid=False,
        fixedrange=True,
    )
    amounts = _amounts(drawn, measure, is_log=is_skewed) | {"side": "top"}
    make = _bars if has_bars else _marks
    traces = [make(each, measure, values, order) for each in series]
    if not has_bars:
        traces.insert(0, spans([by_language[each] for each in order], upright=False))
    reference = result.settings.reference_language
    is_premium = measure.metric == "premium"
    if is_premium:
        traces.insert(0, _one(len(order)))
    notes = (
        _hollow(values),
        _unspaced(values) if name in OF_WORDS else "",
        left_out(series, reference) if is_premium else "",
        "; logarithmic axis" if is_skewed else "",
    )
    form = layout(amounts, names, barmode="group", bargap=0.3, height=row * len(order) + AROUND_PX, margin=MARGIN)
    return Chart(
        name=name,
        title=measure.title,
        subtitle=measure.unit.format(reference=language_name(reference or "")) + "".join(notes),
        summary=" ".join(_sentence(each, measure, values) for each in series),
        keys=keys_of(result, letters),
        figure=figure(traces, form),
        table=ChartTable(
            ["tokenizer", "language", measure.metric + (", %" if measure.suffix else ""), "unknown tokens", "hollow"],
            [
                [
                    each.result.name,
                    language,
                    measure.value(one),
                    one.unknown_rate,
                    "yes" if much_unknown(one) else "no",
                ]
                for each in series
                for language in order
                if (one := values.get((each.letter, language)))
            ],
        ),
    )


Values = dict[tuple[str, str], LanguageResult]


def _by_language(values: Values, measure: Measure) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for (_, language), one in values.items():
        found.setdefault(language, []).append(measure.value(one) or 0)
    return found


def _amounts(drawn: list[float], measure: Measure, *, is_log: bool) -> dict[str, Any]:
    """The axis of the values. A bar on a logarithmic axis starts at a power of ten: 1 token per word, 1 = the reference."""
    if not is_log:
        return axis(rangemode="tozero", ticksuffix=measure.suffix)
    start = floor(log10(min(drawn)))
    return log_axis("", 1, max(drawn), range=[start, log10(1.1 * max(drawn))], dtick="D2", tickformat="~r")


def _one(languages: int) -> dict[str, Any]:
    """The line at 1."""
    return {
        "type": "scatter",
        "mode": "lines",
        "showlegend": False,
        "x": [1, 1],
        "y": [-0.6, languages - 0.4],
        "line": {"color": FAINT, "width": 1, "dash": "4px,3px"},
        "hoverinfo": "skip",
    }


def _hollow(values: Values) -> str:
    return f"; hollow: over 5{THIN_SPACE}% unknown" if any(map(much_unknown, values.values())) else ""


def _unspaced(values: Values) -> str:
    found = sorted({one.language for one in values.values() if one.script in UNSPACED})
    names = ", ".join(map(plain, found)) if len(found) <= MAX_NAMED else f"{len(found)} languages"
    return f"; {names} put no spaces between words" if found else ""


def _bars(series: Series, measure: Measure, values: Values, order: list[str]) -> dict[str, Any]:
    common, mine = _points(series, measure, values, order)
    hollow = [much_unknown(one) for one in mine]
    return common | {
        "type": "bar",
        "orientation": "h",
        "marker": {
            "color": [PANEL if each else hue(series) for each in hollow],
            "line": {"color": hue(series), "width": 1.8 if any(hollow) else 1},
            "pattern": {**hatch(series), "shape": ["" if each else pattern(series) for each in hollow]},
        },
    }


def _marks(series: Series, measure: Measure, values: Values, order: list[str]) -> dict[str, Any]:
    common, mine = _points(series, measure, values, order)
    symbols = [symbol(series, hollow=much_unknown(one)) for one in mine]
    return common | {"type": "scatter", "mode": "markers", "marker": marker(series, symbol=symbols)}


def _points(
    series: Series, measure: Measure, values: Values, order: list[str]
) -> tuple[dict[str, Any], list[LanguageResult]]:
    """What bars and marks share, and the languages that the tokenizer has values for."""
    mine = [(n, one) for n, language in enumerate(order) if (one := values.get((series.letter, language)))]
    return {
        "name": series.label,
        "legendgroup": series.letter,
        "x": [measure.value(one) for _, one in mine],
        "y": [n for n, _ in mine],
        "hoverinfo": "text",
        "hovertext": [
            f"{series.label}<br>{plain(one.language)}: {short(measure.value(one) or 0, 3)}{measure.suffix}{unknown_note(one)}"
            for _, one in mine
        ],
        "customdata": [{"tokenizer": series.result.tokenizer, "language": one.language} for _, one in mine],
    }, [one for _, one in mine]


def _sentence(series: Series, measure: Measure, values: Values) -> str:
    mine = {language: measure.value(one) or 0 for (letter, language), one in values.items() if letter == series.letter}
    if not mine:
        return f"{series.letter} {series.result.name}: not measured."
    low, high = min(mine, key=mine.__getitem__), max(mine, key=mine.__getitem__)
    suffix = measure.suffix.replace(THIN_SPACE, " ")
    return (
        f"{series.letter} {series.result.name}: from {short(mine[low], 3)}{suffix} ({low})"
        f" to {short(mine[high], 3)}{suffix} ({high})."
    )
