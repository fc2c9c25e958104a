"""Tokens for the same sentence in each language, against the reference language."""

from lab_app.analysis.corpus.parity import MOST_UNKNOWN_PERCENT
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
from lab_app.charts.dots import Dots, Found, dot_plot, ends_of
from lab_app.charts.language_answer import answer
from lab_app.number_words import THIN_SPACE, short, thin_number_of

MOST_ROWS = 10
"""Languages in the chart, from both ends of the order; `language_premium` has all."""


def premium(result: CorpusResult, letters: str = "") -> Chart:
    """The languages at both ends, in the order of their median, the dearest first.

    Raises NoChart if the text is not parallel. Source: Petrov et al. (2023), arXiv:2305.15425.
    """
    reference = result.settings.reference_language
    series = series_of(result, letters)
    found = {
        (each.letter, one.language): one
        for each in series
        for one in each.result.languages
        if one.premium is not None and one.language != reference
    }
    if reference is None or not found:
        raise NoChart(result.not_measured.get("premium", "needs parallel text: line N is the same sentence everywhere"))
    dots = Dots(found, lambda one: one.premium, _words)
    order = dots.order
    rows = ends_of(order, MOST_ROWS)
    hollow = any(much_unknown(one) for one in found.values())
    notes = (
        f"; the ends of {len(order)} languages" if None in rows else "",
        f"; hollow: over 5{THIN_SPACE}% unknown, so too low" if hollow else "",
        left_out(series, reference),
        "; logarithmic axis" if dots.is_skewed else "",
    )
    return Chart(
        name="premium",
        title=f"Tokens for the same sentence, against {language_name(reference)}",
        subtitle=f"premium per language, parallel text; 1 = {language_name(reference)}{''.join(notes)}",
        summary=" ".join(_sentence(each, found) for each in series),
        keys=keys_of(result, letters),
        figure=dot_plot(series, dots, rows, at_one=True),
        table=ChartTable(
            ["tokenizer", "language", "premium", "parity", "lines", "unknown tokens", "hollow"],
            [
                [
                    each.result.name,
                    one.language,
                    one.premium,
                    one.parity,
                    one.premium_lines,
                    one.unknown_rate,
                    "yes" if much_unknown(one) else "no",
                ]
                for each in series
                for language in order
                if (one := found.get((each.letter, language)))
            ],
        ),
        answer=answer("premium", found, series, lambda one: one.premium, reference_name(reference)),
    )


def left_out(series: list[Series], reference: str | None) -> str:
    """The tokenizers that lack languages, whose text is mostly unknown to them: their premium would flatter."""
    parts = []
    for each in series:
        lost = [one for one in each.result.languages if one.premium is None and one.language != reference]
        number = sum(100 * (one.unknown_character_rate or 0) > MOST_UNKNOWN_PERCENT for one in lost)
        if number:
            parts.append(f"{number} of {each.letter}")
    why = f"; left out, over {MOST_UNKNOWN_PERCENT}{THIN_SPACE}% of the characters unknown: "
    return why + ", ".join(parts) if parts else ""


def reference_name(code: str) -> str:
    """A language in words."""
    return "English" if code == "en" else code


def language_name(code: str) -> str:
    """A language as a title of a figure names it."""
    return plain(reference_name(code))


def _words(one: LanguageResult) -> str:
    assert one.premium is not None
    return f"{short(one.premium, 3)} tokens per token, {thin_number_of(one.premium_lines, 'line')}{unknown_note(one)}"


def _sentence(series: Series, found: Found) -> str:
    mine = {language: one for (letter, language), one in found.items() if letter == series.letter}
    if not mine:
        return f"{series.letter} {series.result.name}: not measured."
    sound = {language: one.premium or 0 for language, one in mine.items() if not much_unknown(one)}
    lost = [language for language, one in mine.items() if much_unknown(one)]
    words = f"{series.letter} {series.result.name}: "
    if sound:
        low, high = min(sound, key=sound.__getitem__), max(sound, key=sound.__getitem__)
        words += f"from {short(sound[low], 3)} ({low}) to {short(sound[high], 3)} ({high})"
    if lost:
        words += f"{'; ' if sound else ''}more than 5 % unknown in {', '.join(lost)}"
    return f"{words}."
