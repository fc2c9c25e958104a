"""What learners do: `/lessons/boundaries`."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import GuessBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.exercises.boundaries import MarkedBoundaries, mark_boundaries

router = json_router("exercises")


@router.post("/lessons/boundaries", summary="Mark a guess of the boundaries of a text")
def boundaries(lab: TheLab, body: GuessBody) -> MarkedBoundaries:
    """The guess beside the boundaries that the tokenizer makes, with the reason of each miss."""
    return mark_boundaries(lab, body.tokenizer, body.text, body.guess, specials=body.specials)
