"""The charts of a training by its algorithm."""

from collections.abc import Callable
from functools import partial

from lab_app.charts.chart import Chart
from lab_app.charts.training.compression import TITLE, compression
from lab_app.charts.training.counts import counts, counts_title
from lab_app.charts.training.loss import TITLE as LOSS
from lab_app.charts.training.loss import loss
from lab_app.charts.training.size import TITLE as SIZE
from lab_app.charts.training.size import size
from lab_app.charts.training.subject import DrawnTraining

WIDTH_PX, HEIGHT_PX = 720, 340
"""Of a drawing in a report."""


def charts_of(
    training: DrawnTraining, width: int = WIDTH_PX, height: int = HEIGHT_PX
) -> dict[str, tuple[str, Callable[[], Chart]]]:
    """The title of each chart and its maker, which raises NoChart, by name. Labels fit a drawing of that many px."""
    first = {"compression": (TITLE, partial(compression, training, width, height))}
    if training.options["algorithm"] == "unigram":
        return {**first, "loss": (LOSS, partial(loss, training))}
    more = {"size": (SIZE, partial(size, training))} if training.options["algorithm"] == "bpe" else {}
    return {**first, "counts": (counts_title(training), partial(counts, training)), **more}
