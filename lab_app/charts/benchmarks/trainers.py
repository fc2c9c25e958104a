"""The race of the algorithms of BPE training: time and steps against the size of the text."""

from lab_app.benchmarks.growth_result import TrainerRace
from lab_app.charts.benchmarks.curves import Curve, curve_chart
from lab_app.charts.benchmarks.growth import stop_words
from lab_app.charts.benchmarks.race import steps_chart
from lab_app.charts.chart import Chart
from lab_app.number_words import thin_number_of


def trainers(result: TrainerRace) -> Chart:
    """Time of each algorithm. Raises NoChart if nothing was measured."""
    return curve_chart(
        "trainers",
        "Time of each training algorithm against text size",
        f"{_text(result)}; {merges_words(result)}; median; exponent ± 95 % interval; 1 is linear",
        _curves(result),
        unit="bytes",
        limit_ns=result.limit_ns,
    )


def trainer_steps(result: TrainerRace) -> Chart:
    """Steps that each algorithm counts. Raises NoChart if nothing was measured."""
    return steps_chart(
        "trainer_steps",
        "Steps of each training algorithm against text size",
        f"pairs counted or compared, words read, entries of the heap and other steps; {_text(result)}",
        _curves(result),
    )


def merges_words(result: TrainerRace) -> str:
    """Whether the algorithms agree.

    >>> merges_words(TrainerRace("a text", 5, 1, []))
    'nothing was compared'
    """
    compared = [each for each in result.entrants if each.same_merges is not None]
    if not compared:
        return "nothing was compared"
    differing = [each.algorithm for each in compared if not each.same_merges]
    if differing:
        return f"the merges of {', '.join(differing)} differ"
    return "all make the same merges"


def _text(result: TrainerRace) -> str:
    return f"{result.text}, up to {thin_number_of(result.merges, 'merge')}"


def _curves(result: TrainerRace) -> list[Curve]:
    return [
        Curve(number, entrant.algorithm, entrant.points, entrant.exponent, stop_words(entrant.points))
        for number, entrant in enumerate(result.entrants)
    ]
