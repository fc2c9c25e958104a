"""The loss of a Unigram training after each iteration."""

from math import isfinite
from typing import Any

from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import axis, figure
from lab_app.charts.training.subject import DrawnTraining, curve, end_value, form
from lab_app.number_words import ratio, thin, thin_number_of

TITLE = "Loss per iteration"
FEW = 7
"""Iterations up to which each has a tick."""
LARGE = 1000
"""A loss from which on it is written without fractions."""


def loss(training: DrawnTraining) -> Chart:
    """A line over the iterations that measured a loss. Raises NoChart."""
    drawn = [each for each in training.losses if isfinite(each.loss)]
    if not drawn:
        ended = "No iteration has ended."
        raise NoChart("Not measured yet: the first iteration has not ended." if training.is_live else ended)
    numbers, values = [each.iteration + 1 for each in drawn], [each.loss for each in drawn]
    room = max(0.12 * (max(values) - min(values)), abs(max(values)) * 0.01, 1e-6)
    ticks: dict[str, Any] = {"dtick": 1} if max(numbers) < FEW else {"nticks": FEW}
    x = axis(range=[0.5, max(*numbers, 2) + 0.5], tickformat=",d", **ticks)
    y = axis(range=[min(values) - room, max(values) + room], nticks=FEW, tickformat=",~r")
    words = [
        f"iteration {thin(each.iteration + 1)}<br>loss {loss_words(each.loss)}<br>{thin_number_of(each.tokens, 'token')}"
        for each in drawn
    ]
    return Chart(
        name="loss",
        title=TITLE,
        subtitle="negative log-likelihood of the corpus against iteration, natural logarithm",
        summary=f"The loss is {loss_words(values[0])} after the first iteration and {loss_words(values[-1])} after the last,"
        f" with {thin_number_of(drawn[-1].tokens, 'token')}.",
        keys=[],
        figure=figure(
            curve("loss", numbers, values, words),
            form(x, y, annotations=[end_value(numbers[-1], values[-1], loss_words(values[-1]))]),
        ),
        table=ChartTable(
            ["iteration", "loss", "tokens"], [[each.iteration + 1, each.loss, each.tokens] for each in drawn]
        ),
    )


def loss_words(value: float) -> str:
    """A loss with three digits after the point, or none if it is large.

    >>> loss_words(12.3456)
    '12.346'
    """
    return thin(round(value)) if abs(value) >= LARGE else ratio(value, 3)
