"""What a size of the vocabulary gives and costs: tokens per byte of the held-out text, parameters of embedding and output.

The first tokens of BPE are the vocabulary of that size, so one training measures all smaller ones.
"""

from math import log10
from typing import Any

from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import FAINT, figure, log_axis
from lab_app.charts.training.subject import DrawnTraining, curve, form
from lab_app.number_words import ratio, thin, thin_number_of

TITLE = "Cost of a vocabulary size"
WIDTHS = (1024, 8192)
"""Widths of models: a row of the embedding, or of the output layer, has so many parameters."""
END_PX = 58
"""The room for the axis on the right."""


def parameters(vocab_size: int, width: int) -> int:
    """Of an embedding and an output layer that does not share it.

    >>> parameters(32_000, 4096)
    262144000
    """
    return 2 * vocab_size * width


def size(training: DrawnTraining) -> Chart:
    """A line that falls, tokens per byte, over lines that rise, parameters at each width. Raises NoChart."""
    points = training.points
    if not points:
        raise NoChart("Needs held-out text, on which every size is measured.")
    sizes = [each.vocab_size for each in points]
    tokens = [1 / each.bytes_per_token for each in points]
    costs = {width: [parameters(each, width) for each in sizes] for width in WIDTHS}
    words = [
        f"{thin_number_of(each, 'token')}<br>{ratio(rate, 3)} tokens per byte<br>"
        + "<br>".join(f"width {thin(width)}: {thin(costs[width][at])} parameters" for width in WIDTHS)
        for at, (each, rate) in enumerate(zip(sizes, tokens, strict=True))
    ]
    low, high = costs[WIDTHS[0]][0], costs[WIDTHS[-1]][-1]
    x = log_axis("", sizes[0], max(sizes[-1], 2 * sizes[0]), tickformat="~s")
    y = log_axis("", min(tokens), max(tokens), tickformat="~r")
    right = log_axis("", low, high, tickformat="~s", overlaying="y", side="right", showgrid=False, automargin=False)
    layout = form(x, y, annotations=[_name(sizes[-1], width) for width in WIDTHS], yaxis2=right)
    layout["margin"]["r"] = END_PX
    return Chart(
        name="size",
        title=TITLE,
        subtitle="tokens per byte of the held-out text (left), parameters of embedding and output (right, grey)"
        " against vocabulary size",
        summary=f"{thin_number_of(sizes[-1], 'token')} need {ratio(tokens[-1], 3)} tokens per byte, and"
        f" {thin(costs[WIDTHS[-1]][-1])} parameters at width {thin(WIDTHS[-1])}.",
        keys=[],
        figure=figure(
            [*(_cost(sizes, costs[width], width) for width in WIDTHS), *curve("tokens per byte", sizes, tokens, words)],
            layout,
        ),
        table=ChartTable(
            ["vocabulary size", "tokens per byte", *(f"parameters at width {width}" for width in WIDTHS)],
            [
                [each, rate, *(costs[width][at] for width in WIDTHS)]
                for at, (each, rate) in enumerate(zip(sizes, tokens, strict=True))
            ],
        ),
    )


def _cost(sizes: list[int], costs: list[int], width: int) -> dict[str, Any]:
    words = [
        f"width {thin(width)}<br>{thin_number_of(each, 'token')}<br>{thin(cost)} parameters"
        for each, cost in zip(sizes, costs, strict=True)
    ]
    line = {"color": "var(--line-2)", "width": 1.5}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": f"width {thin(width)}",
        "x": sizes,
        "y": costs,
        "yaxis": "y2",
        "line": line,
        "hoverinfo": "text",
        "hovertext": words,
    }


def _name(last: int, width: int) -> dict[str, Any]:
    """The width below the end of its line."""
    return {
        "x": log10(last),
        "y": log10(parameters(last, width)),
        "yref": "y2",
        "text": f"width {thin(width)}",
        "xanchor": "right",
        "yanchor": "top",
        "showarrow": False,
        "font": {"color": FAINT},
    }
