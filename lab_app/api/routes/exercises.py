"""What learners do: `/lessons/boundaries`, `/exercises`."""

from typing import Annotated

from fastapi import Query, Response

from lab_app.api.json_route import json_router
from lab_app.api.requests import GuessBody, MarksBody, SaveAnswersBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.exercises import files, marking, sheets
from lab_app.services.exercises.boundaries import MarkedBoundaries, mark_boundaries
from lab_app.services.exercises.options import SheetKind, SheetOptions

router = json_router("exercises")


@router.post("/lessons/boundaries", summary="Mark a guess of the boundaries of a text")
def boundaries(lab: TheLab, body: GuessBody) -> MarkedBoundaries:
    """The guess beside the boundaries that the tokenizer makes, with the reason of each miss."""
    return mark_boundaries(lab, body.tokenizer, body.text, body.guess, specials=body.specials)


@router.get("/exercises", summary="Make a sheet of tasks")
def sheet(
    lab: TheLab,
    tokenizer: str,
    seed: Annotated[int, Query(description="The same seed makes the same tasks.")] = SheetOptions.seed,
    kind: SheetKind = SheetOptions.kind,
    corpus: str = SheetOptions.corpus,
    language: str | None = SheetOptions.language,
    count: Annotated[int, Query(description="Tasks, at most 50.")] = SheetOptions.count,
) -> sheets.Sheet:
    """Tasks without answers."""
    return sheets.sheet_of(lab, tokenizer, SheetOptions(seed, kind, corpus, language, count))


@router.post("/exercises/marks", summary="Mark the answers of a sheet")
def marks(lab: TheLab, body: MarksBody) -> marking.Marks:
    """Right or wrong, with the reason, of each task that was answered."""
    found = marking.mark(lab, body.tokenizer, body.as_options(SheetOptions), body.answers)
    if body.keep:
        marking.keep(lab, found)
    return found


@router.get("/exercises/progress", summary="List the sheets that were worked on")
def progress(lab: TheLab) -> marking.Progress:
    """The last answers of each, the newest first."""
    return marking.progress(lab)


@router.delete("/exercises/progress/{id}", summary="Delete the answers of a sheet", status_code=204)
def forget(lab: TheLab, id: int) -> None:
    """The sheet can be worked on anew."""
    marking.forget(lab, id)


@router.post("/exercises/file", summary="Save marked answers to a file", response_model=files.ResultFile)
def save(lab: TheLab, body: SaveAnswersBody) -> Response:
    """The sheet, the answers and the marks, for another lab to check."""
    file = files.result_file(lab, body.tokenizer, body.as_options(SheetOptions), body.answers, body.name)
    headers = {"Content-Disposition": 'attachment; filename="exercises.json"'}
    return Response(file.model_dump_json(), media_type="application/json", headers=headers)


@router.post("/exercises/check", summary="Check a file of marked answers")
def check(lab: TheLab, body: files.ResultFile) -> files.CheckedFile:
    """Makes the sheet again and marks the answers again; an error says what differs."""
    return files.check(lab, body)
