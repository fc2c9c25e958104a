"""The page's preferences: `/preferences`."""

from typing import Any

from lab_app.api.json_route import json_router
from lab_app.api.requests import PreferencesBody
from lab_app.api.routes.lab import TheLab
from lab_app.services import preferences

router = json_router("preferences")


@router.get("/preferences", summary="Read the preferences")
def load(lab: TheLab) -> dict[str, Any]:
    """The object saved last, {} before the first."""
    return preferences.load(lab)


@router.put("/preferences", summary="Replace the preferences")
def save(lab: TheLab, body: PreferencesBody) -> dict[str, Any]:
    """Any object of at most 64 kB of JSON."""
    return preferences.save(lab, body.root)


@router.patch("/preferences", summary="Change some preferences")
def change(lab: TheLab, body: PreferencesBody) -> dict[str, Any]:
    """Replaces the values that are given, and leaves the others. Answers with all of them."""
    return preferences.change(lab, body.root)
