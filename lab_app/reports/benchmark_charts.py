"""The charts of benchmarks, by name, and those of measurements of cost. The page and the HTTP interface show these.

Not here: how a chart is made (`lab_app.charts.benchmarks`), runs (`lab_app.services.benchmarks.benchmarks`).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import partial

from lab_app.benchmarks.growth_result import CostReport, Exponent, Profile, StageReport
from lab_app.charts.benchmarks.growth import growth
from lab_app.charts.benchmarks.history import history
from lab_app.charts.benchmarks.pathological import pathological
from lab_app.charts.benchmarks.profile import profile
from lab_app.charts.benchmarks.race import race, race_steps
from lab_app.charts.benchmarks.registry import BENCHMARK_CHARTS, TABLE_CHARTS
from lab_app.charts.benchmarks.stages import stage_report
from lab_app.charts.benchmarks.trainers import trainer_steps, trainers
from lab_app.charts.chart import Chart, NoChart
from lab_app.errors import BadValue, NotFound, plain_number
from lab_app.reports.charts import Figure, FigureEntry, FigureList, Figures, check_letters, csv_text
from lab_app.services.benchmarks import benchmarks
from lab_app.services.lab import Lab

HISTORY = "history"
POSITIVE = {"size", "limit_mb_per_s"}
"""Numbers of a report of cost that are never 0."""
MOST_RUNS = 30
"""Runs in the chart of history."""


def figures(lab: Lab, id: int) -> FigureList:
    """Lists the charts of a run, with the reason for each that it has no values for. Raises NotFound."""
    result = benchmarks.load(lab, id)
    made = [(name, _made(partial(make, result))) for name, make in {**BENCHMARK_CHARTS, **TABLE_CHARTS}.items()]
    made.append((HISTORY, _made(partial(_history, lab, id))))
    return FigureList([
        FigureEntry(name, None, each.reason) if isinstance(each, NoChart) else FigureEntry(name, each.title, None)
        for name, each in made
    ])  # fmt: skip


def figure(lab: Lab, id: int, name: str, letters: str = "") -> Figure:
    """Makes a chart of a run, with these letters for its tokenizers in the order in which they occur, or A, B, C.

    Raises NotFound for an unknown run or name and if the run has no values for it, BadValue for wrong letters.
    """
    makers = {**BENCHMARK_CHARTS, **TABLE_CHARTS}
    if name not in (*makers, HISTORY):
        raise NotFound(f'no chart is called "{name}"', f"choose one of {', '.join((*makers, HISTORY))}")
    result = benchmarks.load(lab, id)
    check_letters(letters, len({row.tokenizer for row in result.rows}))
    try:
        chart = _history(lab, id, letters) if name == HISTORY else makers[name](result, letters)
    except NoChart as missing:
        raise NotFound(
            f'the run has no values for the chart "{name}": {missing.reason}', "choose another chart"
        ) from None
    return Figure(**vars(chart), csv=csv_text(chart))


def cost_figures(report: CostReport, letters: str = "") -> Figures:
    """Makes every chart that a report of cost has values for.

    `letters` are those of the tokenizers of growth and of hard inputs, in the order in which they occur; without any they
    are A, B, C. Raises BadValue for numbers that nobody has measured and for wrong letters.
    """
    _check(report)
    makers: list[Callable[[], Chart]] = []
    if report.stages:
        makers.append(partial(stage_report, report.stages))
    for each in report.growth or []:
        check_letters(letters, len({curve.tokenizer for curve in each.curves}))
        makers.append(partial(growth, each, letters))
    if report.pathological:
        check_letters(letters, len({row.tokenizer for row in report.pathological.rows}))
        makers.append(partial(pathological, report.pathological, letters))
    if report.race:
        makers += [partial(race, report.race), partial(race_steps, report.race)]
    if report.trainers:
        makers += [partial(trainers, report.trainers), partial(trainer_steps, report.trainers)]
    return _figures(makers)


def profile_figures(found: Profile) -> Figures:
    """Makes the charts of one document: the time along it, and its stages on both paths. Raises as `cost_figures`."""
    _check(found)
    stages = StageReport(found.tokenizer, found.rows, {})
    return _figures([partial(profile, found), partial(stage_report, stages)])


def _figures(makers: Iterable[Callable[[], Chart]]) -> Figures:
    found = [made for make in makers if isinstance(made := _made(make), Chart)]
    return Figures([Figure(**vars(chart), csv=csv_text(chart)) for chart in found])


def _check(value: object, name: str = "report") -> None:
    """Raises BadValue for a number below 0 or without an end, and for 0 where a logarithmic axis needs more."""
    if isinstance(value, int | float):
        if not math.isfinite(value) or value < 0 or (not value and name in POSITIVE):
            raise BadValue(f"{name} is {plain_number(value)}", "send a report as the lab has measured it")
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            _check(each, name)
    elif is_dataclass(value) and not isinstance(value, Exponent):  # an exponent may be below 0
        for field in fields(value):
            _check(getattr(value, field.name), field.name)


def _history(lab: Lab, id: int, letters: str = "") -> Chart:
    """The run and those before it."""
    ids = [each.id for each in benchmarks.list_benchmarks(lab).benchmarks if each.id <= id and each.state == "done"]
    wanted = sorted({*ids[:MOST_RUNS], id})
    return history([benchmarks.load(lab, each) for each in wanted], letters)


def _made(make: Callable[[], Chart]) -> Chart | NoChart:
    try:
        return make()
    except NoChart as missing:
        return missing
