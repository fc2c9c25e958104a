"""The charts of a training: the page asks for them again while it runs, its report has them once.

Not here: how a chart is made (`lab_app.charts.training`), the values (`lab_app.services.trainings.steps`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lab_app.charts.chart import Chart, NoChart, letter_of
from lab_app.charts.training.registry import HEIGHT_PX, WIDTH_PX, charts_of
from lab_app.charts.training.subject import DrawnTraining, Reference
from lab_app.reports.charts import Figure, FigureEntry, check_letters, csv_text
from lab_app.services.lab import Lab
from lab_app.services.trainings.results import Training, TrainingCurve, TrainingReference
from lab_app.services.trainings.steps import curve
from lab_app.services.trainings.trainings import load


@dataclass(frozen=True)
class TrainingFigures:
    """The charts of a training at one moment."""

    figures: list[Figure]
    missing: list[FigureEntry]
    """Charts without values yet, with the reason."""
    references: list[TrainingReference]
    """The tokenizers that are marked, and those that cannot encode the held-out text."""


def figures(
    lab: Lab,
    id: int,
    tokenizers: Sequence[str] = (),
    letters: str = "",
    width: int = WIDTH_PX,
    height: int = HEIGHT_PX,
) -> TrainingFigures:
    """Makes the charts, with `tokenizers` of the catalog as marks that have these letters, or A, B, C.

    Names of marks are placed for a drawing of that many px. Raises NotFound, BadValue.
    """
    check_letters(letters, len(tokenizers))
    values = curve(lab, id, tokenizers)
    found = TrainingFigures([], [], values.references)
    for name, (title, make) in charts_of(drawn(load(lab, id), values, letters), width, height).items():
        try:
            chart = make()
        except NoChart as why:
            found.missing.append(FigureEntry(name, title, why.reason))
        else:
            found.figures.append(Figure(**vars(chart), csv=csv_text(chart)))
    return found


def charts(training: Training, values: TrainingCurve) -> list[Chart]:
    """The charts that the training has values for, for paper."""
    found = []
    for _, make in charts_of(drawn(training, values)).values():
        try:
            found.append(make())
        except NoChart:
            continue
    return found


def drawn(training: Training, values: TrainingCurve, letters: str = "") -> DrawnTraining:
    """What the charts show."""
    numbers = [ord(letter) - ord("A") for letter in letters] or range(len(values.references))
    references = [
        Reference(
            number, letter_of(number), each.title, each.vocab_size, each.bytes_per_token, each.unknown_rate, each.lossy or ""
        )
        for number, each in zip(numbers, values.references, strict=True)
        if each.bytes_per_token
    ]  # fmt: skip
    held = training.body.held_out
    return DrawnTraining(
        vars(training.options),
        training.state in ("running", "paused"),
        training.state == "done",
        held is not None,
        training.held_out,
        training.total,
        values.points,
        values.counts,
        values.losses,
        references,
    )
