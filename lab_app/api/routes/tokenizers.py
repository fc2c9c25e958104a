"""The catalog over HTTP: `/tokenizers`."""

from typing import Annotated

from fastapi import Depends, Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from lab_app.api.answers import json_response
from lab_app.api.following import ended
from lab_app.api.json_route import json_router
from lab_app.api.requests import AddBody, RenameBody
from lab_app.api.routes.lab import TheLab
from lab_app.api.uploads import field_of, form_of_files, full_path, sent_files, write_uploads
from lab_app.errors import BadValue
from lab_app.files import temporary_folder
from lab_app.jobs.job import Job
from lab_app.library.recipe import Recipe
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import fetching, recipes, tokenizers
from lab_app.services.tokenizers.tokenizers import CatalogEntry, CatalogList

router = json_router("tokenizers")
Files = Annotated[FormData, Depends(sent_files(16), scope="function")]


@router.get("/tokenizers", summary="List the catalog")
def list_tokenizers(lab: TheLab) -> CatalogList:
    """All tokenizers, in the order of the catalog, and the names of the split patterns."""
    return tokenizers.list_tokenizers(lab)


@router.post(
    "/tokenizers",
    status_code=201,
    summary="Add a tokenizer",
    response_model=CatalogEntry,
    responses={202: {"model": Job}},
)
async def add(lab: TheLab, body: AddBody) -> Response | CatalogEntry:
    """From a file or folder of this machine, a known one, one of a Hub, or by a recipe."""
    if sum(each is not None for each in (body.path, body.known, body.hub, body.recipe)) != 1:
        raise BadValue("give exactly one of path, known, hub and recipe", "/docs describes this call")
    if body.known is None and body.hub is None:
        if body.token is not None:
            raise BadValue("token is for downloads from a Hub", "leave it out")
        return await run_in_threadpool(_add_from_here, lab, body)
    if body.pattern is not None or body.special_tokens is not None:
        raise BadValue("pattern and special_tokens are for files of this machine", "leave them out")
    if body.known is not None:
        job = await run_in_threadpool(fetching.start_fetching, lab, body.known, body.token)
    else:
        job = await run_in_threadpool(fetching.start_adding_from_hub, lab, body.hub or "", body.id, body.token)
    if not body.wait:
        return json_response(job, 202)
    added: CatalogEntry = (await ended(lab.jobs.running(job.id))).result
    return added


def _add_from_here(lab: Lab, asked: AddBody) -> CatalogEntry:
    if asked.recipe is not None:
        if asked.id is None:
            raise BadValue("id is missing", "give the id that the recipe's tokenizer gets")
        added = recipes.keep(lab, Recipe.of(asked.recipe), asked.id)
        return tokenizers.describe(lab, added.id)
    path = full_path(asked.path or "")
    return tokenizers.add_path(
        lab, path, id=asked.id, pattern=asked.pattern, special_tokens=asked.special_tokens, origin=str(path)
    )


@router.post(
    "/tokenizers/files",
    status_code=201,
    summary="Add a tokenizer from files sent",
    openapi_extra=form_of_files(id={"type": "string"}, pattern={"type": "string"}),
)
def add_files(lab: TheLab, form: Files) -> CatalogEntry:
    """The files of one tokenizer, such as vocab.json and merges.txt, under the names they have."""
    with temporary_folder() as temporary:
        folder = temporary / "tokenizer"  # what the id is made from where no file's name says more
        folder.mkdir()
        files = write_uploads(form, folder)
        path = folder if len(files) > 1 else files[0]
        return tokenizers.add_path(lab, path, id=field_of(form, "id"), pattern=field_of(form, "pattern"), numbered=True)


@router.get("/tokenizers/{id}", summary="Describe a tokenizer")
def describe(lab: TheLab, id: str) -> CatalogEntry:
    """One entry of the list. The id is found whatever its capitals."""
    return tokenizers.describe(lab, id)


@router.patch("/tokenizers/{id}", summary="Rename a tokenizer")
def rename(lab: TheLab, id: str, body: RenameBody) -> CatalogEntry:
    """Gives an added tokenizer another name. Its id stays."""
    return tokenizers.rename(lab, id, body.name)


@router.delete("/tokenizers/{id}", status_code=204, summary="Remove a tokenizer")
def remove(lab: TheLab, id: str) -> None:
    """Removes an added or downloaded tokenizer and deletes the lab's copy of its files."""
    tokenizers.remove(lab, id)
