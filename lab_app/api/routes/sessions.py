"""Saved sessions: `/sessions`."""

from fastapi import Response

from lab_app.api.file_answers import file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import SessionBody, SessionFileBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.sessions import files, sessions

router = json_router("sessions")


@router.get("/sessions", summary="List the saved sessions")
def list_sessions(lab: TheLab) -> sessions.Sessions:
    """The newest first, without their texts."""
    return sessions.list_sessions(lab)


@router.post("/sessions", summary="Save a session", status_code=201)
def save(lab: TheLab, body: SessionBody) -> sessions.SavedSession:
    """Encodes the text with the tokenizers and saves text, options and IDs."""
    return sessions.save(lab, body.name, body.tokenizers, body.text, **body.text_options(), view=body.view)


@router.get("/sessions/{id}", summary="Open a saved session")
def load(lab: TheLab, id: int) -> sessions.Session:
    """The text, the options and the counts of that time."""
    return sessions.load(lab, id)


@router.post("/sessions/{id}/run", summary="Run a saved session again")
def run_again(lab: TheLab, id: int) -> sessions.SessionChanges:
    """What changed since the session was saved."""
    return sessions.run_again(lab, id)


@router.get(
    "/sessions/{id}/file",
    summary="Save a session to a file",
    responses={200: {"content": {"application/json": {}}}},
)
def export(lab: TheLab, id: int) -> Response:
    """Text, tokenizers, options and IDs, for a colleague's lab."""
    found = files.export(lab, id)
    return file_answer(found.chunks, found.name)


@router.post("/sessions/file", summary="Open a session's file", status_code=201)
def open_file(lab: TheLab, body: SessionFileBody) -> sessions.SavedSession:
    """Saves the session of a file, with the IDs of the lab that wrote it."""
    return files.save(lab, body.root)


@router.delete("/sessions/{id}", summary="Delete a saved session", status_code=204)
def delete(lab: TheLab, id: int) -> None:
    """For good."""
    sessions.delete(lab, id)
