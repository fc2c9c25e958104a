"""Edits of tokenizers over HTTP: `/edits`. Not here: what an edit is (`lab_app.editing.recipe`)."""

from dataclasses import dataclass
from typing import Any

from fastapi import Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import (
    DiffCorpusBody,
    EditsBody,
    EditsCorpusBody,
    EditsReadBody,
    EditsRecipeBody,
    EditsRowsBody,
    EditsTextBody,
    EditsTokenizerBody,
)
from lab_app.api.routes.lab import TheLab
from lab_app.editing.checks import EditCheck
from lab_app.editing.kinds import KINDS, EditKind
from lab_app.editing.recipe import steps_of, steps_of_toml, toml_of
from lab_app.services.editing import edits, row_files
from lab_app.services.editing.edits import Edited
from lab_app.services.editing.measuring import Measured, measured, measured_between
from lab_app.services.editing.watching import EditProgress, Runs
from lab_app.services.tokenizers import tokenizers
from lab_app.services.tokenizers.tokenizers import CatalogEntry

router = json_router("tokenizers")


@dataclass(frozen=True)
class EditKinds:
    """The kinds of edits by their names in recipes."""

    kinds: dict[str, EditKind]


@dataclass(frozen=True)
class EditChecks:
    """The checks that the engine proves."""

    checks: list[EditCheck]


@dataclass(frozen=True)
class EditRecipe:
    """A recipe, as TOML and as a list of edits."""

    toml: str
    edits: list[dict[str, Any]]


@router.get("/edits", summary="List the kinds of edits")
def kinds() -> EditKinds:
    """Every kind with its options."""
    return EditKinds(dict(KINDS))


@router.post("/edits", summary="Try edits on a tokenizer")
def edit(lab: TheLab, body: EditsTextBody) -> Edited:
    """What each edit does. Other calls take the id of the draft; the tokenizer is not added."""
    with lab.own(Runs).watched(body.run) as watch:
        return edits.edited(lab, body.base, steps_of(body.edits), text=body.text, watch=watch)


@router.post("/edits/checks", summary="Prove which tokens no text gives any more")
def checks(lab: TheLab, body: EditsBody) -> EditChecks:
    """Takes some seconds for a large vocabulary."""
    return EditChecks(edits.audited(lab, body.base, steps_of(body.edits)))


@router.post("/edits/corpus", summary="Measure edits on a corpus")
def corpus(lab: TheLab, body: EditsCorpusBody) -> Measured:
    """Tokens before and after, by language, and the documents that changed most."""
    with lab.own(Runs).watched(body.run) as watch:
        return measured(lab, body.base, steps_of(body.edits), body.corpus, watch=watch)


@router.post("/diff/corpus", summary="Count a corpus with two tokenizers")
def diff_corpus(lab: TheLab, body: DiffCorpusBody) -> Measured:
    """Tokens of both, by language, and the documents that differ most."""
    with lab.own(Runs).watched(body.run) as watch:
        return measured_between(lab, body.a, body.b, body.corpus, watch=watch)


@router.get("/edits/runs/{id}", summary="Say how far edits are")
def progress(lab: TheLab, id: str) -> EditProgress:
    """Of a request that has ended, or not begun, no edit. A request whose client leaves stops."""
    return lab.own(Runs).progress(id)


@router.post("/edits/rows", summary="Save the map of rows", responses=declared_files(["json", "csv", "npz", "parquet"]))
def rows(lab: TheLab, body: EditsRowsBody) -> Response:
    """Which old row of an embedding each new row is, or the mean of."""
    made = row_files.map_of_rows(lab, body.base, steps_of(body.edits))
    return file_answer(row_files.file_of(made, body.format), f"rows.{body.format}")


@router.post("/edits/recipe", summary="Write a recipe as TOML")
def recipe(body: EditsRecipeBody) -> EditRecipe:
    """The file that `tokenlab edit` reads."""
    return EditRecipe(toml_of(steps_of(body.edits)), body.edits)


@router.post("/edits/recipe/read", summary="Read a recipe's TOML")
def read_recipe(body: EditsReadBody) -> EditRecipe:
    """The edits of a file."""
    steps = steps_of_toml(body.toml)
    return EditRecipe(body.toml, [{"kind": step.kind, "on": step.on, **step.options} for step in steps])


@router.post("/edits/tokenizer", status_code=201, summary="Add the result of edits")
def keep(lab: TheLab, body: EditsTokenizerBody) -> CatalogEntry:
    """The tokenizer, as a new one of the Library; its base stays as it is."""
    return tokenizers.describe(lab, edits.keep(lab, body.base, steps_of(body.edits), body.id).id)
