"""Rank and frequency on logarithmic axes, with the fitted power law of each tokenizer."""

from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, Zipf
from lab_app.charts.chart import Chart, ChartTable, Series, hollow_words, keys_of, series_of, unknown_note
from lab_app.charts.look import figure, hue, layout, line, log_axis, marker, read_points, rule, sparse
from lab_app.number_words import short, thin, thin_number_of

MAX_WRITTEN = 4
"""Exponents in the line under the title."""


def zipf(result: CorpusResult, letters: str = "") -> Chart:
    """Occurrences of the token of each rank.

    The thin line is the power law that maximum likelihood fits to the counts. It ends at the rank where the fit ends.
    Source: Clauset, Shalizi, Newman (2009).
    """
    series = series_of(result, letters)
    traces = [trace for each in series for trace in (_curve(each), _fit(each)) if trace]
    # The axes are those of the counts: a fit that misses the head by far would leave no room for them.
    most_types = max([1, *(each.result.types for each in series)])
    most_counted = max([1, *(count for each in series for count in each.result.curve.counts[:1])])
    return Chart(
        name="zipf",
        title="Rank and frequency",
        subtitle=f"occurrences by rank; thin lines: fitted power law{_exponents(series)}{hollow_words(series)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of(result, letters),
        figure=figure(traces, layout(log_axis("rank", 1, most_types), log_axis("", 1, most_counted))),
        table=ChartTable(
            ["tokenizer", "rank", "occurrences"],
            [
                [each.result.name, rank, count]
                for each in series
                for rank, count in zip(each.result.curve.ranks, each.result.curve.counts, strict=True)
            ],
        ),
    )


def _exponents(series: list[Series]) -> str:
    """The exponents, if they fit into a line."""
    fits = [(each.letter, each.result.zipf) for each in series if each.result.zipf]
    if not fits or len(fits) > MAX_WRITTEN:
        return ""
    return ", exponent " + ", ".join(f"{letter} {fit.exponent:.2f}" for letter, fit in fits)


def _curve(series: Series) -> dict[str, Any] | None:
    curve = series.result.curve
    if not curve.ranks:
        return None
    note = unknown_note(series.result)
    return read_points(
        series.label,
        series.letter,
        curve.ranks,
        curve.counts,
        [
            f"{series.label}<br>rank {thin(rank)}: {thin_number_of(count, 'occurrence')}{note}"
            for rank, count in zip(curve.ranks, curve.counts, strict=True)
        ],
        mode="lines+markers",
        line=line(series),
        marker=marker(series, sparse(len(curve.ranks))),
    )


def _fit(series: Series) -> dict[str, Any] | None:
    fit = series.result.zipf
    if fit is None:
        return None
    return rule(
        [1, fit.types],
        [fitted_count(fit, 1), fitted_count(fit, fit.types)],
        {"color": hue(series), "width": 1, "dash": "dot"},
        name=f"{series.label}, fit",
        legendgroup=series.letter,
        opacity=0.7,
    )


def fitted_count(fit: Zipf, rank: int) -> float:
    """Occurrences at a rank under the fitted power law: xmin * (rank / types) ** -rank_exponent.

    >>> fitted_count(Zipf(2.0, (1.9, 2.1), 5, 100, 0.02, 1.0), 10)
    50.0
    """
    return float(fit.xmin * (rank / fit.types) ** -fit.rank_exponent)


def _sentence(series: Series) -> str:
    one = series.result
    if not one.curve.ranks:
        return f"{series.letter} {one.name} has no tokens."
    words = f"{series.letter} {one.name}: {thin_number_of(one.types, 'type')}, the most frequent "
    words += thin_number_of(one.curve.counts[0], "time")
    if one.zipf is None:
        return f"{words}; no power law was fitted."
    low, high = one.zipf.interval
    return (
        f"{words}; exponent {short(one.zipf.exponent, 3)} ({short(low, 3)} to {short(high, 3)}),"
        f" for types with {thin_number_of(one.zipf.xmin, 'occurrence')} or more."
    )
