"""Tokens for the same sentence in each language, against the reference language."""

from statistics import median
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
    thin_number_of,
    unknown_note,
)
from lab_app.charts.look import FAINT, axis, figure, layout, marker, spans, symbol


def premium(result: CorpusResult, letters: str = "") -> Chart:
    """A mark per tokenizer and language, hollow if more than 5 % is unknown; the line joins lowest and highest.

    Languages are in the order of their median, the dearest first. Raises NoChart if the text is not parallel.
    Source: Petrov et al. (2023), arXiv:2305.15425.
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
    order = _order(found)
    at = {language: n for n, language in enumerate(order)}
    hollow = any(much_unknown(one) for one in found.values())
    why = f"; hollow: over 5{THIN_SPACE}% unknown, so too low" if hollow else ""
    names = axis(
        tickvals=list(range(len(order))),
        ticktext=[plain(language, MAX_LANGUAGE) for language in order],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
    )
    values = [[one.premium or 0 for (_, each), one in found.items() if each == language] for language in order]
    joined = spans(values, upright=True)
    traces = [_one(len(order), reference), joined, *(_marks(each, found, at) for each in series)]
    return Chart(
        name="premium",
        title=f"Tokens for the same sentence, against {language_name(reference)}",
        subtitle=f"premium per language, parallel text; 1 = {language_name(reference)}{why}{left_out(series, reference)}",
        summary=" ".join(_sentence(each, found) for each in series),
        keys=keys_of(result, letters),
        figure=figure(traces, layout(names, axis(rangemode="tozero"))),
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
    )


Found = dict[tuple[str, str], LanguageResult]


def left_out(series: list[Series], reference: str | None) -> str:
    """The tokenizers that lack languages, whose text is mostly unknown to them: their premium would flatter."""
    parts = []
    for each in series:
        number = sum(
            one.premium is None and one.language != reference and much_unknown(one) for one in each.result.languages
        )
        if number:
            parts.append(f"{number} of {each.letter}")
    return f"; left out, over 10{THIN_SPACE}% unknown: {', '.join(parts)}" if parts else ""


def _order(found: Found) -> list[str]:
    values: dict[str, list[float]] = {}
    for (_, language), one in found.items():
        values.setdefault(language, []).append(one.premium or 0)
    return sorted(values, key=lambda language: (-median(values[language]), language))


def language_name(code: str) -> str:
    """A language as a title names it."""
    return "English" if code == "en" else plain(code)


def _one(languages: int, reference: str) -> dict[str, Any]:
    """The line at 1."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"1 = {language_name(reference)}",
        "showlegend": False,
        "x": [-0.6, languages - 0.4],
        "y": [1, 1],
        "line": {"color": FAINT, "width": 1, "dash": "4px,3px"},
        "hoverinfo": "skip",
    }


def _marks(series: Series, found: Found, at: dict[str, int]) -> dict[str, Any]:
    mine = [(language, found[series.letter, language]) for language in at if (series.letter, language) in found]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": series.label,
        "legendgroup": series.letter,
        "x": [at[language] for language, _ in mine],
        "y": [one.premium for _, one in mine],
        "marker": marker(series, symbol=[symbol(series, hollow=much_unknown(one)) for _, one in mine]),
        "hoverinfo": "text",
        "hovertext": [f"{series.label}<br>{plain(language)}: {_words(one)}" for language, one in mine],
        "customdata": [{"tokenizer": series.result.tokenizer, "language": language} for language, _ in mine],
    }


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
