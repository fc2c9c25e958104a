"""How many boundaries each pair of tokenizers shares, as a heat map."""

from typing import Any

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.chart import Chart, ChartTable, NoChart, keys_of, series_of
from lab_app.charts.look import PANEL, axis, figure, layout
from lab_app.number_words import short

MAX_WRITTEN = 16
"""Tokenizers up to which the value is written into each cell."""


def agreement(result: CorpusResult, letters: str = "") -> Chart:
    """Jaccard index of the boundaries inside documents. Raises NoChart with fewer than two tokenizers."""
    series = series_of(result, letters)
    if len(series) < 2:
        raise NoChart("needs two tokenizers or more")
    if result.agreement is None:
        raise NoChart(result.not_measured.get("agreement", "was not measured"))
    at = list(range(len(series)))
    words = [
        [
            f"{a.label}<br>{b.label}<br>{'not measured' if value is None else short(value, 3)}"
            for b, value in zip(series, row, strict=True)
        ]
        for a, row in zip(series, result.agreement, strict=True)
    ]
    heat = {
        "type": "heatmap",
        "name": "agreement",
        "x": at,
        "y": at,
        "z": result.agreement,
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, PANEL], [1, "var(--accent)"]],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "texttemplate": "%{z:.2f}" if len(series) <= MAX_WRITTEN else "",
        "hoverinfo": "text",
        "hovertext": words,
    }
    ticks: dict[str, Any] = {
        "tickvals": at,
        "ticktext": [each.letter for each in series],
        "showgrid": False,
        "fixedrange": True,
    }
    form = layout(axis(**ticks), axis(**ticks, autorange="reversed"), dragmode=False)
    pairs = {
        (a.letter, b.letter): value
        for place, (a, row) in enumerate(zip(series, result.agreement, strict=True))
        for b, value in list(zip(series, row, strict=True))[place + 1 :]
        if value is not None
    }
    low, high = min(pairs, key=pairs.__getitem__), max(pairs, key=pairs.__getitem__)
    return Chart(
        name="agreement",
        title="Boundaries that two tokenizers share",
        subtitle="Jaccard index of the boundaries inside documents: shared / in either, 0 to 1",
        summary=f"Most between {' and '.join(high)}: {short(pairs[high], 3)}; least between {' and '.join(low)}:"
        f" {short(pairs[low], 3)}.",
        keys=keys_of(result, letters),
        figure=figure([heat], form),
        table=ChartTable(
            ["tokenizer", *(each.result.name for each in series)],
            [[each.result.name, *row] for each, row in zip(series, result.agreement, strict=True)],
        ),
    )
