"""What learners do, and the plan of the hour: `/lessons/boundaries`, `/exercises`, `/playlists`."""

from typing import Annotated

from fastapi import Query, Response

from lab_app.api.file_answers import file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import GuessBody, MarksBody, SaveAnswersBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.exercises import files, marking, playlists, sheets
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
    return file_answer(file.model_dump_json(indent=1), "exercises.json")


@router.post("/exercises/check", summary="Check a file of marked answers")
def check(lab: TheLab, body: files.ResultFile) -> files.CheckedFile:
    """Makes the sheet again and marks the answers again; an error says what differs."""
    return files.check(lab, body)


@router.get("/playlists", summary="List the playlists")
def list_playlists(lab: TheLab) -> playlists.Playlists:
    """The one that comes with the lab, then those that were saved."""
    return playlists.list_playlists(lab)


@router.post("/playlists", summary="Save a playlist", status_code=201)
def save_playlist(lab: TheLab, body: playlists.Playlist) -> playlists.KeptPlaylist:
    """In place of one of the same name. The body is the playlist's file."""
    return playlists.save(lab, body)


@router.post("/playlists/check", summary="Check a playlist")
def check_playlist(lab: TheLab, body: playlists.Playlist) -> playlists.CheckedPlaylist:
    """The parts that this lab cannot show, and why."""
    return playlists.check(lab, body)


@router.get("/playlists/{id}/file", summary="Save a playlist to a file", response_model=playlists.Playlist)
def playlist_file(lab: TheLab, id: int) -> Response:
    """For another lab."""
    return file_answer(playlists.load(lab, id).model_dump_json(indent=1), f"playlist-{id}.json")


@router.delete("/playlists/{id}", summary="Delete a playlist", status_code=204)
def forget_playlist(lab: TheLab, id: int) -> None:
    """Its files elsewhere stay."""
    playlists.forget(lab, id)
