"""The most frequent tokens as bars: a panel per tokenizer, unknown tokens first and in the warning colour.

Tokens with parts of characters are left out, unless there are no others: nobody can read them.
"""

from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, FrequencyRow
from lab_app.charts.chart import Chart, ChartTable, NoChart, Series, keys_of, series_of, token_label
from lab_app.charts.look import WARNING, axis, count_axis, figure, hatch, hue, layout, pattern
from lab_app.charts.panels import MARGIN, grid, panel_title
from lab_app.number_words import THIN_SPACE, thin, thin_number_of

TOP = 20
"""Bars per tokenizer."""
BAR_PX = 20
AROUND_PX = 56
COLUMNS = 3
LABEL_GAP = 0.45
MAX_TOKEN = 14
"""Characters of a token next to its bar."""


def frequency(result: CorpusResult, letters: str = "") -> Chart:
    """The `TOP` most frequent tokens of each tokenizer. A click on a bar reports the token.

    Raises NoChart if no tokenizer has frequencies.
    """
    series = [each for each in series_of(result, letters) if each.result.frequencies]
    if not series:
        raise NoChart(result.not_measured.get("frequencies", "the text has no tokens"))
    rows = {each.letter: shown(each) for each in series}
    columns = min(COLUMNS, len(series))
    lines = -(-len(series) // columns)
    bars = max(map(len, rows.values()))
    form = layout({}, {}, grid=grid(lines, columns, LABEL_GAP), bargap=0.35, height=lines * (bars * BAR_PX + AROUND_PX))
    form["annotations"] = []
    if len(series) > 1:
        form["margin"] = MARGIN
    traces = []
    for n, each in enumerate(series):
        suffix = "" if n == 0 else str(n + 1)
        mine = rows[each.letter]
        traces.append({**_bars(each, mine), "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
        form[f"xaxis{suffix}"] = count_axis("", max(row.count for row in mine), nticks=4)
        form[f"yaxis{suffix}"] = axis(
            tickvals=list(range(len(mine))),
            ticktext=[token_label(row, MAX_TOKEN) for row in mine],
            autorange="reversed",
            showgrid=False,
            tickfont={"family": "var(--mono)", "color": "var(--ink)"},
        )
        if len(series) > 1:
            form["annotations"].append(panel_title(each, suffix))
    has_unknown = any(row.unknown for mine in rows.values() for row in mine)
    notes = "; unknown tokens first: text that is lost" if has_unknown else ""
    has_parts = any(0 < len(_whole(each.result.frequencies)) < len(each.result.frequencies) for each in series)
    notes += "; without tokens that are parts of characters" if has_parts else ""
    return Chart(
        name="frequency",
        title="The most frequent tokens",
        subtitle=f"occurrences; {bars} types of each tokenizer{notes}",
        summary=" ".join(_sentence(each, rows[each.letter]) for each in series),
        keys=keys_of(result, letters),
        figure=figure(traces, form),
        table=ChartTable(
            ["tokenizer", "rank", "id", "token", "occurrences", "share of tokens", "unknown"],
            [
                [each.result.name, row.rank, row.id, row.token, row.count, row.share, "yes" if row.unknown else "no"]
                for each in series
                for row in rows[each.letter]
            ],
        ),
    )


def shown(series: Series) -> list[FrequencyRow]:
    """The rows of a panel: unknown tokens first, then by rank."""
    rows = _whole(series.result.frequencies) or series.result.frequencies
    return sorted(rows[:TOP], key=lambda row: (not row.unknown, row.rank))


def _whole(rows: list[FrequencyRow]) -> list[FrequencyRow]:
    return [row for row in rows if row.unknown or row.text is not None]


def _bars(series: Series, rows: list[FrequencyRow]) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": series.label,
        "legendgroup": series.letter,
        "x": [row.count for row in rows],
        "y": list(range(len(rows))),
        "marker": {
            "color": [WARNING if row.unknown else hue(series) for row in rows],
            "line": {"width": 0},
            "pattern": {**hatch(series), "shape": ["" if row.unknown else pattern(series) for row in rows]},
        },
        "hoverinfo": "text",
        "hovertext": [
            f"{series.label}<br>{token_label(row)}, id {row.id}, rank {thin(row.rank)}<br>"
            f"{thin_number_of(row.count, 'occurrence')}, {100 * row.share:.2f}{THIN_SPACE}% of the tokens"
            for row in rows
        ],
        "customdata": [{"tokenizer": series.result.tokenizer, "id": row.id, "token": row.token} for row in rows],
    }


def _sentence(series: Series, rows: list[FrequencyRow]) -> str:
    words = ", ".join(f"“{row.token}” {thin_number_of(row.count, 'time')}" for row in rows[:3])
    return f"{series.letter} {series.result.name}: {words}."
