"""A lesson or a text as one page that works alone: `/handouts`."""

from fastapi import Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import HandoutBody
from lab_app.api.routes.lab import TheLab
from lab_app.errors import BadValue
from lab_app.services.handouts.handouts import lesson_handout, text_handout

router = json_router("lessons")


@router.post("/handouts", summary="Make a handout", responses=declared_files(["html"]))
def handout(lab: TheLab, body: HandoutBody) -> Response:
    """One HTML file under 2 MB with the engine, a lesson or a text, and the tokenizers. It needs no network."""
    specials, add = body.specials, body.add_special_tokens
    if (lesson := body.lesson) is None:
        made = text_handout(lab, body.tokenizers, body.text, specials=specials, add_special_tokens=add)
    elif len(body.tokenizers) != 1:
        raise BadValue(f"there are {len(body.tokenizers)} tokenizers", "give one for a lesson")
    else:
        made = lesson_handout(
            lab,
            lesson.name,
            body.tokenizers[0],
            body.text,
            specials=specials,
            learn=lesson.learn,
            seed=lesson.seed,
            add_special_tokens=add,
            way=lesson.way,
            at=lesson.at,
        )
    return file_answer(made.content, f"{made.name}.html")
