"""Saved sessions: `/sessions`."""

from fastapi import APIRouter

from lab_app.api.json_route import JsonRoute
from lab_app.api.requests import SessionBody
from lab_app.api.routers.lab import TheLab
from lab_app.services import sessions

router = APIRouter(tags=["sessions"], route_class=JsonRoute)


@router.get("/sessions", summary="List the saved sessions")
def list_sessions(lab: TheLab) -> sessions.Sessions:
    """The newest first, without their texts."""
    return sessions.list_sessions(lab)


@router.post("/sessions", summary="Save a session", status_code=201)
def save(lab: TheLab, body: SessionBody) -> sessions.SavedSession:
    """Encodes the text with the tokenizers and saves text, options and ids."""
    return sessions.save(
        lab,
        body.name,
        body.tokenizers,
        body.text,
        add_special_tokens=body.add_special_tokens,
        specials=body.specials,
        view=body.view,
    )


@router.get("/sessions/{id}", summary="Open a saved session")
def load(lab: TheLab, id: int) -> sessions.Session:
    """The text, the options and the counts of that time."""
    return sessions.load(lab, id)


@router.post("/sessions/{id}/run", summary="Run a saved session again")
def run_again(lab: TheLab, id: int) -> sessions.SessionChanges:
    """What changed since the session was saved."""
    return sessions.run_again(lab, id)


@router.delete("/sessions/{id}", summary="Delete a saved session", status_code=204)
def delete(lab: TheLab, id: int) -> None:
    """For good."""
    sessions.delete(lab, id)
