"""`tokenlab bench --cost`: what encoding costs, and how the cost grows. Not here: comparing engines (`bench`)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lab_app.cli import output
from lab_app.cli.common import Format
from lab_app.cli.running import running_job

if TYPE_CHECKING:
    from lab_app.benchmarks.growth_result import CostReport, GrowthPoint, StageTimes
    from lab_app.benchmarks.result import Subject, TextSource
    from lab_app.services.lab import Lab


class Cost(StrEnum):
    """What to measure."""

    stages = "stages"
    growth = "growth"
    threads = "threads"
    vocabulary = "vocabulary"
    pathological = "pathological"
    race = "race"


RACED = "random_letters"


def measure(
    lab: "Lab",
    cost: Cost,
    subjects: "Sequence[Subject]",
    source: "TextSource",
    *,
    input: str | None,
    rounds: int,
    limit_s: float,
    max_bytes: int,
    seed: int,
    format: Format,
) -> None:
    """Measures and prints one kind of cost. `source` is for the stages; the others make their texts."""
    from lab_app.benchmarks.result import BenchmarkSettings
    from lab_app.services import benchmarks, costs

    usual = RACED if cost is Cost.race else costs.CostOptions().input
    options = costs.CostOptions(rounds, limit_s, max_bytes, input or usual, seed)
    ids = list(dict.fromkeys(subject.tokenizer for subject in subjects))
    with running_job("cost", cost.value, unit="steps") as running:
        match cost:
            case Cost.stages:
                settings = BenchmarkSettings(list(subjects), source, "", max_bytes=max_bytes)
                text = benchmarks.read_text(lab, settings)
                report = costs.measure_stages(lab, ids, text, running, rounds)
            case Cost.growth:
                report = costs.measure_growth(lab, subjects, "bytes", options, running)
            case Cost.threads:
                report = costs.measure_growth(lab, subjects, "threads", options, running)
            case Cost.vocabulary:
                report = costs.measure_growth(lab, subjects, "vocab_size", options, running)
            case Cost.pathological:
                report = costs.measure_pathological(lab, subjects, options, running)
            case Cost.race:
                report = costs.measure_race(lab, ids[0], options, running)
    if format == Format.json:
        output.print_json(report)
    else:
        _show(report)


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


def show_stages(stages: "Sequence[StageTimes]") -> None:
    """Prints the share of each stage."""
    from lab_app.services.benchmark_writers import stage_table

    head, rows = stage_table(stages)
    output.table(head, rows, right=head[2:-1])


def _show_curves(curves: "list[tuple[str, list[GrowthPoint], Any, str | None]]") -> None:
    from lab_app.charts.benchmarks.subjects import time_words

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
    heads = [f"{size:,}" for size in sizes]
    output.table(("subject", *heads, "exponent", ""), rows, right=(*heads, "exponent"))
    output.print_note("medians; a dash: not measured")
