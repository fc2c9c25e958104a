"""The inputs that break encoders: throughput on each, with the limit."""

from typing import Any

from lab_app.benchmarks.growth_result import Pathological, PathologicalRow
from lab_app.charts.benchmarks.curves import LIMIT_COLOUR
from lab_app.charts.benchmarks.speed import decades
from lab_app.charts.benchmarks.subjects import ENGINE_TITLES, RowLook, row_looks
from lab_app.charts.chart import Chart, ChartKey, ChartTable, NoChart, plain
from lab_app.charts.look import PANEL, axis, figure, hue, layout, marker, rule
from lab_app.number_words import short, size_words, time_words

LINE_PX = 26
AROUND_PX = 64


class _Entrant:
    """A tokenizer in an engine, with its look."""

    is_hollow = False

    def __init__(self, look: RowLook, name: str, rows: list[PathologicalRow]) -> None:
        self.number, self.mark, self.name, self.rows = look.number, look.mark, name, rows


def pathological(result: Pathological, letters: str = "") -> Chart:
    """A line per input with a mark per tokenizer and engine, in the hue of the tokenizer's letter (`subjects.row_looks`).

    Raises NoChart if nothing was measured."""
    entrants = _entrants(result, letters)
    speeds = [row.throughput_mb_per_s for row in result.rows if row.throughput_mb_per_s]
    if not speeds:
        raise NoChart("nothing was measured")
    inputs = list(dict.fromkeys(row.input for row in result.rows))
    words = {row.input: row.description for row in result.rows}
    y = axis(
        tickvals=list(range(len(inputs))),
        ticktext=[plain(words[each]) for each in inputs],
        range=[len(inputs) - 0.5, -0.5],
        fixedrange=True,
        tickfont={"color": "var(--ink)"},
    )
    x = axis("MB/s", type="log", dtick=1, tickformat="~g", range=decades([*speeds, result.limit_mb_per_s]), side="top")
    limit = rule(
        [result.limit_mb_per_s] * 2,
        [-0.5, len(inputs) - 0.5],
        {"color": LIMIT_COLOUR, "width": 1.2, "dash": "5px,4px"},
        name="limit",
    )
    slow = [row for row in result.rows if row.within_limit is False]
    lost = [row for row in result.rows if row.throughput_mb_per_s is None]
    form = layout(x, y, height=len(inputs) * LINE_PX + AROUND_PX, margin={"l": 48, "r": 16, "t": 44, "b": 8})
    if len(entrants) > 1:
        form |= {
            "showlegend": True,
            "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "bgcolor": "rgba(0,0,0,0)"},
            "margin": {"l": 48, "r": 16, "t": 44, "b": 34},
            "height": len(inputs) * LINE_PX + AROUND_PX + 26,
        }
    return Chart(
        name="pathological",
        title="Inputs that break encoders",
        subtitle=f"MB/s of input, {size_words(result.bytes)} each; dashed: the limit, {short(result.limit_mb_per_s, 3)} MB/s",
        summary=_summary(result, slow, lost),
        keys=[ChartKey(each.mark, each.name) for each in entrants],
        figure=figure([limit, *(_marks(each, inputs, result.limit_mb_per_s) for each in entrants)], form),
        table=ChartTable(
            ["input", "engine", "tokenizer", "state", "MB/s", "median ns", "tokens", "within the limit"],
            [
                [
                    row.description, row.engine, row.tokenizer, row.state, row.throughput_mb_per_s, row.elapsed_ns, row.tokens,
                    None if row.within_limit is None else ("yes" if row.within_limit else "no"),
                ]
                for row in result.rows
            ],
        ),
    )  # fmt: skip


def _entrants(result: Pathological, letters: str) -> list[_Entrant]:
    keys = list(dict.fromkeys((row.engine, row.tokenizer) for row in result.rows))
    engines, tokenizers = {engine for engine, _ in keys}, {tokenizer for _, tokenizer in keys}
    found = []
    looks = row_looks([tokenizer for _, tokenizer in keys], letters)
    for (engine, tokenizer), look in zip(keys, looks, strict=True):
        title = ENGINE_TITLES.get(engine, engine)
        name = tokenizer if len(engines) == 1 and len(tokenizers) > 1 else title
        if len(engines) > 1 and len(tokenizers) > 1:
            name = f"{title}, {tokenizer}"
        rows = [row for row in result.rows if (row.engine, row.tokenizer) == (engine, tokenizer)]
        found.append(_Entrant(look, name, rows))
    return found


def _marks(entrant: _Entrant, inputs: list[str], limit: float) -> dict[str, Any]:
    rows = [row for row in entrant.rows if row.throughput_mb_per_s]
    is_numbered = entrant.mark.isdigit()
    colours = [LIMIT_COLOUR if row.within_limit is False else hue(entrant) for row in rows]
    return {
        "type": "scatter",
        "mode": "markers+text" if is_numbered else "markers",
        "name": f"{entrant.mark} {plain(entrant.name)}",
        "legendgroup": entrant.mark,
        # Engines of one tokenizer have one hue and one shape: the number tells them apart.
        **({"text": [entrant.mark] * len(rows), "textfont": {"color": PANEL, "size": 9}} if is_numbered else {}),
        "x": [row.throughput_mb_per_s for row in rows],
        "y": [inputs.index(row.input) for row in rows],
        "marker": marker(entrant, 14 if is_numbered else 9, line={"color": colours, "width": 2}),
        "hoverinfo": "text",
        "hovertext": [
            f"{plain(entrant.name)}<br>{plain(row.description)}: {short(row.throughput_mb_per_s or 0, 3)} MB/s,"
            f" {time_words(row.elapsed_ns or 0)}" + ("" if row.within_limit else f"<br>slower than {short(limit)} MB/s")
            for row in rows
        ],
    }


def _summary(result: Pathological, slow: list[PathologicalRow], lost: list[PathologicalRow]) -> str:
    if not slow and not lost:
        return f"All are at {short(result.limit_mb_per_s)} MB/s or above."
    parts = []
    if slow:
        named = ", ".join(f"{row.description} ({short(row.throughput_mb_per_s or 0, 3)} MB/s)" for row in slow)
        parts.append(f"Slower than the limit: {named}.")
    if lost:
        parts.append(f"Not measured: {', '.join(row.description for row in lost)}.")
    return " ".join(parts)
