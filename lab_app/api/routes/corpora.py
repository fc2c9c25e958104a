"""Corpora over HTTP: `/corpora`."""

from typing import Annotated

from fastapi import Depends, Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from lab_app.api.answers import json_response
from lab_app.api.bodies import parse
from lab_app.api.following import ended
from lab_app.api.json_route import json_router
from lab_app.api.requests import CleaningBody, CorpusBody, CorpusFields, LanguageExamplesBody
from lab_app.api.routes.lab import TheLab
from lab_app.api.uploads import field_of, form_of_files, full_path, sent_files, write_uploads
from lab_app.corpora.options import CorpusOptions
from lab_app.errors import BadValue
from lab_app.jobs.job import Job
from lab_app.json_text import json_text
from lab_app.services.corpora import cleaning, corpora
from lab_app.services.corpora.cleaning import CleaningPreview
from lab_app.services.corpora.corpora import CorpusDetail, CorpusList
from lab_app.services.corpora.language_examples import LanguageExamples, language_examples

router = json_router("corpora")
Files = Annotated[FormData, Depends(sent_files(1000), scope="function")]


@router.get("/corpora", summary="List the corpora")
def list_corpora(lab: TheLab) -> CorpusList:
    """Those that come with the lab, then those that were added."""
    return corpora.list_corpora(lab)


@router.post(
    "/corpora",
    status_code=201,
    summary="Add a corpus",
    response_model=CorpusDetail,
    responses={202: {"model": Job}},
)
async def add(lab: TheLab, body: CorpusBody) -> Response | CorpusDetail:
    """Files and folders of this machine, which stay where they are; or the files of a corpus, cleaned in another way."""
    if (body.corpus is None) == (body.paths is None):
        raise BadValue("give exactly one of corpus and paths", "/docs describes this call")
    if body.corpus is not None:
        job = await run_in_threadpool(corpora.start_cleaning, lab, body.corpus, body.as_options(CorpusOptions))
    else:
        given = [str(full_path(path)) for path in body.paths or []]
        job = await run_in_threadpool(corpora.start_adding, lab, given, body.as_options(CorpusOptions))
    if not body.wait:
        return json_response(job, 202)
    added: CorpusDetail = (await ended(lab.jobs.running(job.id))).result
    return added


@router.post("/corpora/preview", summary="Try cleaning on a corpus")
def preview(lab: TheLab, body: CleaningBody) -> CleaningPreview:
    """What the steps do to the first documents: counts, and samples before and after."""
    if (body.corpus is None) == (body.paths is None):
        raise BadValue("give exactly one of corpus and paths", "/docs describes this call")
    names = [body.corpus] if body.corpus is not None else [str(full_path(path)) for path in body.paths or []]
    options = CorpusOptions(text_column=body.text_column)
    return cleaning.preview(corpora.named_corpus(lab, names, options), body.cleaning)


@router.post("/corpora/examples", summary="Show documents of a language")
def examples(lab: TheLab, body: LanguageExamplesBody) -> LanguageExamples:
    """The first documents of a language of a corpus, with their tokens under each tokenizer."""
    return language_examples(lab, body.corpus, body.language, body.tokenizers, limit=body.limit)


FIELDS = ("id", "title", "format", "text_column", "language_column", "parallel")


@router.post(
    "/corpora/files",
    status_code=201,
    summary="Add a corpus from files sent",
    openapi_extra=form_of_files(
        **{name: {"type": "string"} for name in FIELDS},
        cleaning={"type": "string", "description": "Steps, separated by commas."},
    ),
)
def add_files(lab: TheLab, form: Files) -> CorpusDetail:
    """The files are kept by the lab. The other fields are those of `POST /corpora`."""
    given: dict[str, object] = {name: value for name in FIELDS if (value := field_of(form, name)) is not None}
    given["cleaning"] = [step for step in (field_of(form, "cleaning") or "").split(",") if step]
    options = parse(CorpusFields, json_text(given).encode()).as_options(CorpusOptions)
    with corpora.place_for_files(lab) as temporary:
        folder = temporary / "corpus"
        folder.mkdir()
        write_uploads(form, folder)
        return corpora.add_sent(lab, folder, options)


@router.get("/corpora/{id}", summary="Describe a corpus")
def describe(lab: TheLab, id: str) -> CorpusDetail:
    """One corpus with its files, the beginnings of its first documents, and what was noticed when it was added."""
    return corpora.describe(lab, id)


@router.delete("/corpora/{id}", status_code=204, summary="Remove a corpus")
def remove(lab: TheLab, id: str) -> None:
    """Files that were sent to the lab are deleted; files that stayed where they are stay there."""
    corpora.remove(lab, id)
