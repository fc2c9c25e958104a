"""A row per language with the values of all tokenizers, for the metrics that every language has."""

from collections.abc import Callable
from dataclasses import dataclass

from lab_app.analysis.corpus.language import has_spaced_words
from lab_app.analysis.corpus.result import CorpusResult, LanguageResult
from lab_app.charts.chart import (
    Chart,
    ChartTable,
    NoChart,
    Series,
    keys_of,
    much_unknown,
    plain,
    series_of,
    unknown_note,
)
from lab_app.charts.dots import Dots, dot_plot
from lab_app.charts.language_answer import answer
from lab_app.charts.premium import language_name, left_out, reference_name
from lab_app.number_words import THIN_SPACE, short


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
MAX_NAMED = 3
"""Languages in the line under the title."""
OF_WORDS = ("fertility", "continued_words")


def languages(result: CorpusResult, letters: str = "", *, name: str) -> Chart:
    """One of `MEASURES` per language, the highest first; hollow if more than 5 % is unknown.

    If one language is far above the others, the axis is logarithmic. Figures of words leave out languages that put no
    spaces between them. Raises NoChart if the corpus names no languages or the metric was not measured.
    """
    measure = MEASURES[name]
    series = series_of(result, letters)
    results = [(each.letter, one) for each in series for one in each.result.languages]
    if not results:
        raise NoChart("the corpus names no languages")
    unspaced = {one.language for _, one in results if name in OF_WORDS and not has_spaced_words(one)}
    found = {
        (letter, one.language): one
        for letter, one in results
        if measure.value(one) is not None and one.language not in unspaced
    }
    if not found:
        raise NoChart(_why_none(result, measure, unspaced))
    dots = Dots(
        found,
        measure.value,
        lambda one: f"{short(measure.value(one) or 0, 3)}{measure.suffix}{unknown_note(one)}",
        measure.suffix,
    )
    order = dots.order
    reference = result.settings.reference_language
    is_premium = measure.metric == "premium"
    notes = (
        f"; hollow: over 5{THIN_SPACE}% unknown" if any(map(much_unknown, found.values())) else "",
        f"; left out, no spaces between words: {_named(unspaced)}" if unspaced else "",
        left_out(series, reference) if is_premium else "",
        "; logarithmic axis" if dots.is_skewed else "",
    )
    return Chart(
        name=name,
        title=measure.title,
        subtitle=measure.unit.format(reference=language_name(reference or "")) + "".join(notes),
        summary=" ".join(_sentence(each, dots) for each in series),
        keys=keys_of(result, letters),
        figure=dot_plot(series, dots, order, at_one=is_premium),
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
                if (one := found.get((each.letter, language)))
            ],
        ),
        answer=answer(measure.metric, found, series, measure.value, reference_name(reference or "")),
    )


def _why_none(result: CorpusResult, measure: Measure, unspaced: set[str]) -> str:
    if measure.metric in result.not_measured:
        return result.not_measured[measure.metric]
    return f"{_named(unspaced)} put no spaces between words" if unspaced else "was not measured"


def _named(found: set[str]) -> str:
    return ", ".join(map(plain, sorted(found))) if len(found) <= MAX_NAMED else f"{len(found)} languages"


def _sentence(series: Series, dots: Dots) -> str:
    mine = {language: dots.of(one) for (letter, language), one in dots.found.items() if letter == series.letter}
    if not mine:
        return f"{series.letter} {series.result.name}: not measured."
    low, high = min(mine, key=mine.__getitem__), max(mine, key=mine.__getitem__)
    suffix = dots.suffix.replace(THIN_SPACE, " ")
    return (
        f"{series.letter} {series.result.name}: from {short(mine[low], 3)}{suffix} ({low})"
        f" to {short(mine[high], 3)}{suffix} ({high})."
    )
