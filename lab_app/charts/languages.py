"""A bar per language and tokenizer, for the metrics that every language has."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, LanguageResult
from lab_app.charts.chart import (
    MAX_LANGUAGE,
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
from lab_app.charts.look import PANEL, axis, figure, hatch, hue, layout, pattern

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
    "language_unknown": Measure(
        "unknown_rate",
        "Unknown tokens in each language",
        "% of the tokens of the text",
        lambda one: None if one.unknown_rate is None else 100 * one.unknown_rate,
        f"{THIN_SPACE}%",
    ),
}
MAX_NAMED = 3
"""Languages in the line under the title."""
OF_WORDS = ("fertility", "continued_words")


def languages(result: CorpusResult, letters: str = "", *, name: str) -> Chart:
    """Bars of one of `MEASURES` per language; hollow if more than 5 % is unknown.

    Raises NoChart if the corpus names no languages or the metric was not measured.
    """
    measure = MEASURES[name]
    series = series_of(result, letters)
    order = list(dict.fromkeys(one.language for each in series for one in each.result.languages))
    values = {
        (each.letter, one.language): one
        for each in series
        for one in each.result.languages
        if measure.value(one) is not None
    }
    if not order:
        raise NoChart("the corpus names no languages")
    if not values:
        raise NoChart(result.not_measured.get(measure.metric, "was not measured"))
    names = axis(
        tickvals=list(range(len(order))), ticktext=[plain(each, MAX_LANGUAGE) for each in order], showgrid=False
    )
    bars = [_bars(each, measure, values, order) for each in series]
    form = layout(names, axis(rangemode="tozero", ticksuffix=measure.suffix), barmode="group", bargap=0.3)
    return Chart(
        name=name,
        title=measure.title,
        subtitle=measure.unit + _hollow(values) + (_unspaced(values) if name in OF_WORDS else ""),
        summary=" ".join(_sentence(each, measure, values) for each in series),
        keys=keys_of(result, letters),
        figure=figure(bars, form),
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


def _hollow(values: Values) -> str:
    return f"; hollow: more than 5{THIN_SPACE}% unknown" if any(map(much_unknown, values.values())) else ""


def _unspaced(values: Values) -> str:
    found = sorted({one.language for one in values.values() if one.script in UNSPACED})
    names = ", ".join(map(plain, found)) if len(found) <= MAX_NAMED else f"{len(found)} languages"
    return f"; {names} put no spaces between words" if found else ""


def _bars(series: Series, measure: Measure, values: Values, order: list[str]) -> dict[str, Any]:
    mine = [(n, one) for n, language in enumerate(order) if (one := values.get((series.letter, language)))]
    hollow = [much_unknown(one) for _, one in mine]
    return {
        "type": "bar",
        "name": series.label,
        "legendgroup": series.letter,
        "x": [n for n, _ in mine],
        "y": [measure.value(one) for _, one in mine],
        "marker": {
            "color": [PANEL if each else hue(series) for each in hollow],
            "line": {"color": hue(series), "width": 1.8 if any(hollow) else 1},
            "pattern": {**hatch(series), "shape": ["" if each else pattern(series) for each in hollow]},
        },
        "hoverinfo": "text",
        "hovertext": [
            f"{series.label}<br>{plain(one.language)}: {short(measure.value(one) or 0, 3)}{measure.suffix}{unknown_note(one)}"
            for _, one in mine
        ],
        "customdata": [{"tokenizer": series.result.tokenizer, "language": one.language} for _, one in mine],
    }


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
