"""`tokenlab bench --cost`: what encoding and training cost, and how the cost grows. Not here: comparing engines (`bench`)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from lab_app.benchmarks.options import CostOptions
from lab_app.cli import output
from lab_app.cli.common import Format
from lab_app.cli.running import running_job
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of

if TYPE_CHECKING:
    from lab_app.benchmarks.growth_result import CostReport, GrowthPoint, StageTimes, TrainerRace
    from lab_app.benchmarks.result import Subject, TextSource
    from lab_app.services.lab import Lab
    from lab_app.services.trainings.results import TrainingSource


Cost = Literal["stages", "growth", "threads", "vocabulary", "pathological", "race", "trainers"]
"""What to measure."""

RACED = "random_letters"
PRACTICE = "practice:"


def measure(
    lab: "Lab",
    cost: Cost,
    subjects: "Sequence[Subject]",
    source: "TextSource | None",
    *,
    input: str | None,
    rounds: int,
    limit_s: float,
    max_bytes: int,
    seed: int,
    merges: int | None,
    format: Format,
) -> None:
    """Measures and prints one kind of cost. `source` is for the stages and the trainers; the others make their texts.

    Raises BadValue for merges without trainers.
    """
    if merges is not None and cost != "trainers":
        raise BadValue("--merges is given without --cost trainers", "leave it out")
    from lab_app.benchmarks.cost.trainers import MERGES
    from lab_app.benchmarks.result import BenchmarkSettings
    from lab_app.services.benchmarks import benchmarks, costs
    from lab_app.services.trainings import trainings

    usual = RACED if cost == "race" else CostOptions.input
    options = CostOptions(rounds, limit_s, max_bytes, input or usual, seed)
    ids = list(dict.fromkeys(subject.tokenizer for subject in subjects))
    with running_job("cost", cost, unit="steps") as running:
        match cost:
            case "stages":
                assert source is not None
                costs.check(lab, subjects, options)
                settings = BenchmarkSettings(list(subjects), source, "", max_bytes=max_bytes)
                workload = benchmarks.read_text(lab, settings)
                report = costs.measure_stages(lab, ids, workload, running, rounds)
            case "growth":
                report = costs.measure_growth(lab, subjects, "bytes", options, running)
            case "threads":
                report = costs.measure_growth(lab, subjects, "threads", options, running)
            case "vocabulary":
                report = costs.measure_growth(lab, subjects, "vocab_size", options, running)
            case "pathological":
                report = costs.measure_pathological(lab, subjects, options, running)
            case "race":
                if len(ids) > 1:
                    raise BadValue(
                        f"--cost race is given with {len(ids)} tokenizers", "give one: algorithms race on it"
                    )
                report = costs.measure_race(lab, ids[0], options, running)
            case "trainers":
                text = trainings.make_text(lab, _training_source(source))
                report = costs.measure_trainers(lab, text, merges or MERGES, options, running)
    output.print_found(report, format, _show)


def _show(report: "CostReport") -> None:
    if report.stages is not None:
        show_stages(report.stages.rows)
    for growth in report.growth or ():
        output.print_note(f"{growth.title}: {growth.text}")
        curves = [(curve.key, curve.points, curve.exponent, curve.problem) for curve in growth.curves]
        _show_curves(curves)
    if report.race is not None:
        output.print_note(f"{report.race.tokenizer}: {report.race.text}")
        _show_curves([(each.algorithm, each.points, each.exponent, each.problem) for each in report.race.entrants])
    if report.trainers is not None:
        show_trainers(report.trainers)
    if report.pathological is not None:
        rows = [
            (
                row.input,
                f"{row.tokenizer}/{row.engine}",
                "–" if row.throughput_mb_per_s is None else f"{row.throughput_mb_per_s:.3g}",
                {True: "yes", False: "no", None: "–"}[row.within_limit],
                row.message or "",
            )
            for row in report.pathological.rows
        ]
        limit = f"reaches {report.pathological.limit_mb_per_s:g} MB/s"
        output.table(("input", "subject", "MB/s", limit, ""), rows, right=("MB/s",))


def _training_source(source: "TextSource | None") -> "TrainingSource":
    """The same as the source of a training; None: the usual text."""
    from lab_app.services.benchmarks.costs import RACED_TEXT
    from lab_app.services.trainings.results import TrainingSource
    from lab_app.services.trainings.trainings import PASTED

    if source is None:
        return RACED_TEXT
    if source.kind == "text":
        return TrainingSource("text", name=PASTED, text=source.text)
    if source.kind == "file":
        return TrainingSource("path", path=source.name)
    if source.name.startswith(PRACTICE):
        return TrainingSource("practice", name=source.name.removeprefix(PRACTICE))
    return TrainingSource("corpus", name=source.name)


def show_stages(stages: "Sequence[StageTimes]") -> None:
    """Prints the share of each stage."""
    from lab_app.reports.benchmark import stage_table

    head, rows = stage_table(stages)
    output.table(head, rows, right=head[2:-1])


def show_trainers(found: "TrainerRace") -> None:
    """Prints times by size, then the steps at the largest size that each algorithm finished."""
    from lab_app.charts.benchmarks.trainers import merges_words

    output.print_note(f"{found.text}: up to {number_of(found.merges, 'merge')}; {merges_words(found)}")
    _show_curves([(each.algorithm, each.points, each.exponent, each.problem) for each in found.entrants])
    finished = [(each, [point for point in each.points if point.steps]) for each in found.entrants]
    last = [(each.algorithm, points[-1]) for each, points in finished if points]
    heads = [algorithm for algorithm, _ in last]
    rows = [
        ("bytes", *(integer(point.size) for _, point in last)),
        ("merges", *(integer(point.tokens or 0) for _, point in last)),
        *step_rows([point.steps or {} for _, point in last]),
    ]
    output.table(("largest text finished", *heads), rows, right=heads)


def step_rows(steps: Sequence[Mapping[str, int]]) -> list[tuple[str, ...]]:
    """A row for each kind of step: its name, and its number for each algorithm.

    >>> step_rows([{"pairs_read": 120}, {"pairs_read": 300, "heap_pops": 7}])
    [('heap pops', '0', '7'), ('pairs read', '120', '300')]
    """
    names = sorted({name for each in steps for name in each})
    return [(name.replace("_", " "), *(integer(each.get(name, 0)) for each in steps)) for name in names]


def _show_curves(curves: "list[tuple[str, list[GrowthPoint], Any, str | None]]") -> None:
    from lab_app.number_words import time_words

    sizes = sorted({point.size for _, points, _, _ in curves for point in points})
    rows = []
    for key, points, exponent, problem in curves:
        at = {point.size: point for point in points}
        times = [
            "–" if (point := at.get(size)) is None or point.elapsed_ns is None else time_words(point.elapsed_ns)
            for size in sizes
        ]
        fitted = "–" if exponent is None else f"{exponent.value:.2f} ({exponent.low:.2f} to {exponent.high:.2f})"
        broken = next((point.message for point in points if point.elapsed_ns is None), None)
        rows.append((key, *times, fitted, problem or broken or ""))
    heads = [integer(size) for size in sizes]
    output.table(("subject", *heads, "exponent", ""), rows, right=(*heads, "exponent"))
    output.print_note("medians; a dash: not measured")
