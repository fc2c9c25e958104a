"""How many different tokens a sample of each size would hold: vocabularies compared at equal sample size."""

from typing import Any

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.chart import Chart, ChartTable, NoChart, Series, hollow_words, keys_of, series_of, unknown_note
from lab_app.charts.look import count_axis, figure, layout, line, marker, read_points, sparse
from lab_app.number_words import thin, thin_number_of


def rarefaction(result: CorpusResult, letters: str = "") -> Chart:
    """Expected types by tokens of a sample drawn without replacement. Raises NoChart if it was not measured."""
    series = [each for each in series_of(result, letters) if each.result.rarefaction]
    if not series:
        raise NoChart(result.not_measured.get("rarefaction", "was not measured"))
    points = [point for each in series for point in each.result.rarefaction]
    size = count_axis("tokens in the sample", max(point.tokens for point in points))
    types = count_axis("", max(point.types for point in points))
    return Chart(
        name="rarefaction",
        title="Different tokens in a sample of n tokens",
        subtitle=f"expected types, drawn without replacement{hollow_words(series)}",
        summary=" ".join(map(_sentence, series)),
        keys=keys_of(result, letters),
        figure=figure([_curve(each) for each in series], layout(size, types)),
        table=ChartTable(
            ["tokenizer", "tokens", "expected types"],
            [[each.result.name, point.tokens, point.types] for each in series for point in each.result.rarefaction],
        ),
    )


def _curve(series: Series) -> dict[str, Any]:
    points = series.result.rarefaction
    note = unknown_note(series.result)
    return read_points(
        series.label,
        series.letter,
        [point.tokens for point in points],
        [point.types for point in points],
        [
            f"{series.label}<br>{thin_number_of(point.tokens, 'token')}: {thin_number_of(point.types, 'type')} expected{note}"
            for point in points
        ],
        mode="lines+markers",
        line=line(series),
        marker=marker(series, sparse(len(points))),
    )


def _sentence(series: Series) -> str:
    one = series.result
    return (
        f"{series.letter} {one.name}: {thin(one.types)} of {thin(one.vocab_size)} entries in "
        f"{thin_number_of(one.tokens, 'token')}."
    )
