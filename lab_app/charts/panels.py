"""Small multiples: a panel per tokenizer, the others grey behind it, on the same axes."""

from dataclasses import replace
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult
from lab_app.charts.chart import Chart, Maker, NoChart, Series, series_of
from lab_app.charts.look import figure, hue

COLUMNS = 3
PANEL_PX = 240
MARGIN = {"l": 48, "r": 12, "t": 24, "b": 40}
BEHIND = {"color": "var(--line-2)", "width": 1, "dash": "solid"}


def grid(rows: int, columns: int, xgap: float = 0.18) -> dict[str, Any]:
    """Plotly's grid of panels, in the order of reading; `xgap` is a share of a panel's width."""
    return {"rows": rows, "columns": columns, "pattern": "independent", "xgap": xgap, "ygap": 0.2}


def panel_title(series: Series, suffix: str) -> dict[str, Any]:
    """The name of a tokenizer over its panel, whose axes have that suffix."""
    return {
        "text": f"<b>{series.label}</b>",
        "xref": f"x{suffix} domain",
        "yref": f"y{suffix} domain",
        "x": 0,
        "y": 1,
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": hue(series)},
    }


def multiples(result: CorpusResult, letters: str = "", *, make: Maker) -> Chart:
    """The chart of `make` with a panel per tokenizer. Raises NoChart with one tokenizer, and what `make` raises."""
    whole = make(result, letters)
    data, form = whole.figure["data"], dict(whole.figure["layout"])
    series = [
        each for each in series_of(result, letters) if any(trace.get("legendgroup") == each.letter for trace in data)
    ]
    if len(series) < 2:
        raise NoChart("needs two tokenizers or more")
    columns = min(COLUMNS, len(series))
    rows = -(-len(series) // columns)
    x, y = ({**form.pop(name), "tickangle": 0} for name in ("xaxis", "yaxis"))
    if x.get("type") == "log" and x["dtick"] == 1:
        x["dtick"] = 2  # a panel has no room for more
    form |= {"grid": grid(rows, columns), "height": rows * PANEL_PX, "annotations": []}
    form["margin"] = MARGIN
    traces: list[dict[str, Any]] = []
    for n, each in enumerate(series):
        suffix = "" if n == 0 else str(n + 1)
        place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        form[f"xaxis{suffix}"] = {**x, **({"matches": "x"} if n else {})}
        form[f"yaxis{suffix}"] = {**y, **({"matches": "y"} if n else {})}
        form["annotations"].append(panel_title(each, suffix))
        others = [trace for trace in data if trace.get("legendgroup") != each.letter and _is_curve(trace)]
        traces += [{**_behind(trace), **place} for trace in others]
        traces += [{**trace, **place} for trace in data if trace.get("legendgroup") == each.letter]
    return replace(
        whole,
        name=f"{whole.name}_panels",
        title=f"{whole.title}, by tokenizer",
        subtitle=f"{whole.subtitle}; grey: the other tokenizers",
        figure=figure(traces, form),
    )


def _is_curve(trace: dict[str, Any]) -> bool:
    return "lines" in trace.get("mode", "") and trace.get("hoverinfo") != "skip"


def _behind(trace: dict[str, Any]) -> dict[str, Any]:
    """A curve in grey, without marks and without values to read."""
    shape = trace["line"].get("shape", "linear")
    return {
        "type": trace["type"],
        "mode": "lines",
        "x": trace["x"],
        "y": trace["y"],
        "line": {**BEHIND, "shape": shape},
        "showlegend": False,
        "hoverinfo": "skip",
    }
