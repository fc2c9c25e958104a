"""Benchmarks of engines: `/benchmarks`. Not here: watching the job (`jobs`)."""

from functools import partial
from typing import Annotated

from fastapi import Query, Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.routes.benchmark_bodies import BenchmarkBody
from lab_app.api.routes.lab import TheLab
from lab_app.benchmarks.result import BenchmarkResult
from lab_app.jobs.job import Job
from lab_app.reports import benchmark as report
from lab_app.services.benchmarks import benchmarks, changes
from lab_app.services.benchmarks import presets as benchmark_presets

router = json_router("benchmarks")


@router.get("/benchmarks", summary="List the kept benchmarks")
def list_benchmarks(lab: TheLab) -> benchmarks.BenchmarkList:
    """The newest first, without their rows."""
    return benchmarks.list_benchmarks(lab)


@router.post("/benchmarks", summary="Measure engines on a text", status_code=202)
def start(lab: TheLab, body: BenchmarkBody) -> Job:
    """A job. While it runs, its result is `{"id"}` of the benchmark, which holds what was measured so far."""
    return benchmarks.start(lab, body.settings(partial(benchmark_presets.preset, lab)), body.title)


@router.get("/benchmarks/presets", summary="List usual benchmarks")
def presets(
    lab: TheLab, tokenizer: Annotated[str, Query(description="The tokenizer to compare.")] = "gpt2"
) -> benchmark_presets.BenchmarkPresets:
    """What each of them compares, for this tokenizer."""
    return benchmark_presets.presets(lab, tokenizer)


@router.get("/benchmarks/engines", summary="List the engines")
def engines(
    lab: TheLab, tokenizer: Annotated[str | None, Query(description="Whether each reads this tokenizer.")] = None
) -> benchmarks.BenchmarkEngines:
    """Which are installed, and the command that installs the others."""
    return benchmarks.engines(lab, tokenizer)


@router.get("/benchmarks/environment", summary="Describe this machine")
def environment() -> benchmarks.BenchmarkEnvironment:
    """The environment card and the noise, measured now."""
    return benchmarks.measured_environment()


@router.get("/benchmarks/{id}", summary="Get a benchmark")
def load(lab: TheLab, id: int) -> BenchmarkResult:
    """Every figure of every subject; of one that runs, what it has so far."""
    return benchmarks.load(lab, id)


@router.delete("/benchmarks/{id}", summary="Delete a benchmark", status_code=204)
def delete(lab: TheLab, id: int) -> None:
    """For good."""
    benchmarks.delete(lab, id)


@router.post("/benchmarks/{id}/run", summary="Run a benchmark again", status_code=202)
def run_again(lab: TheLab, id: int) -> Job:
    """A job with the same settings; the old result stays."""
    return benchmarks.run_again(lab, id)


@router.get("/benchmarks/{id}/compare/{other}", summary="Compare two benchmarks")
def compare(lab: TheLab, id: int, other: int) -> changes.BenchmarkChanges:
    """What differs from `id` to `other`, and whether each difference is larger than the noise."""
    return changes.changes(lab, id, other)


@router.get(
    "/benchmarks/{id}/file",
    summary="Save a benchmark to a file",
    responses=declared_files(report.FORMATS),
)
def file(
    lab: TheLab, id: int, format: Annotated[str, Query(description="json, csv, html, md or tex.")] = "json"
) -> Response:
    """The result as a file of that kind."""
    return file_answer(report.write(benchmarks.load(lab, id), format), f"benchmark-{id}.{format}")
