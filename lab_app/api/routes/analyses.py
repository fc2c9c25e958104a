"""Analyses of a corpus: `/analyses`. Not here: corpora (`corpora`), watching the job (`jobs`), charts (`figures`)."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Response

from lab_app.analysis.corpus.registry import METRICS, Metric
from lab_app.analysis.corpus.result import CorpusResult
from lab_app.analysis.options import MAX_ROWS, AnalysisOptions
from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import AnalysisBody
from lab_app.api.routes.lab import TheLab
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job
from lab_app.reports import analysis_files
from lab_app.services.analyses import analyses, changes
from lab_app.services.corpora.corpora import corpus

router = json_router("analyses")

Tokenizer = Annotated[str, Query(description="A tokenizer of the analysis.")]
Offset = Annotated[int, Query(ge=0, description="Rows to leave out.")]
Limit = Annotated[int, Query(ge=1, le=MAX_ROWS, description="Rows to return.")]
Search = Annotated[str, Query(description="Keep rows that contain this, capitals aside.")]


@dataclass(frozen=True)
class Metrics:
    """Every metric of an analysis in words."""

    metrics: list[Metric]


@router.get("/analyses", summary="List the kept analyses")
def list_analyses(lab: TheLab) -> analyses.Analyses:
    """The newest first, without their results."""
    return analyses.list_analyses(lab)


@router.post("/analyses", summary="Analyse a corpus", status_code=202)
def start(lab: TheLab, body: AnalysisBody) -> Job:
    """A job that counts the corpus with all tokenizers and keeps the result; its result is the row of the list."""
    return analyses.start(lab, corpus(lab, body.corpus), body.tokenizers, body.as_options(AnalysisOptions))


@router.get("/analyses/metrics", summary="Describe the metrics")
def metrics() -> Metrics:
    """Name, unit, formula, denominator, aggregation, source and how to read each metric."""
    return Metrics(list(METRICS))


@router.get("/analyses/{id}", summary="Get a kept analysis")
def load(lab: TheLab, id: int) -> CorpusResult:
    """Every metric of every tokenizer."""
    return analyses.load(lab, id)


@router.post("/analyses/{id}/run", summary="Run a kept analysis again", status_code=202)
def run_again(lab: TheLab, id: int) -> Job:
    """A job with the same options and cleaning on the corpus as it is now; the old result stays."""
    return analyses.run_again(lab, id)


@router.delete("/analyses/{id}", summary="Delete a kept analysis", status_code=204)
def delete(lab: TheLab, id: int) -> None:
    """For good, with its counts."""
    analyses.delete(lab, id)


@router.get("/analyses/{id}/frequencies", summary="List the types by frequency")
def frequencies(
    lab: TheLab, id: int, tokenizer: Tokenizer, offset: Offset = 0, limit: Limit = 100, search: Search = ""
) -> analyses.FrequencyPage:
    """Rank, count, share and cumulative share of the types that occur."""
    return analyses.frequencies(lab, id, tokenizer, offset=offset, limit=limit, search=search)


@router.get("/analyses/{id}/never_seen", summary="List the entries that do not occur")
def never_seen(
    lab: TheLab, id: int, tokenizer: Tokenizer, offset: Offset = 0, limit: Limit = 100, search: Search = ""
) -> analyses.UnseenPage:
    """Ordinary entries of the vocabulary, by id."""
    return analyses.unseen(lab, id, tokenizer, offset=offset, limit=limit, search=search)


@router.get("/analyses/{id}/compare/{other}", summary="Compare two kept analyses")
def compare(lab: TheLab, id: int, other: int) -> changes.AnalysisChanges:
    """Settings, tokenizers and metrics that differ, from `id` to `other`."""
    return changes.changes(lab, id, other)


@router.get(
    "/analyses/{id}/file",
    summary="Save a kept analysis to a file",
    responses=declared_files(format.removeprefix(".") for format in analysis_files.WRITERS),
)
def file(
    lab: TheLab, id: int, format: Annotated[str, Query(description="The suffix of the file, such as csv.")] = "json"
) -> Response:
    """The result as a file of that kind."""
    name = f"analysis-{id}.{format}"
    write = analysis_files.writer(f".{format}", name)
    with temporary_folder() as folder:
        path = folder / "file"
        write(analysis_files.of_kept(lab, id), path)
        content = path.read_bytes()
    return file_answer(content, f"analysis-{id}.{format.lower()}")
