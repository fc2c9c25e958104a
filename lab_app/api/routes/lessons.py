"""Every step of an algorithm on a text: `/lessons/{name}`."""

from fastapi import Request, Response

from lab_app.api.bodies import wants_frame
from lab_app.api.frame import FRAME, Column, frame_response
from lab_app.api.json_route import json_router
from lab_app.api.requests import LessonBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.lessons.lessons import LessonFrames, LessonOptions, lesson_of

router = json_router("lessons")


@router.post("/lessons/{name}", summary="Show an algorithm step by step", response_model=LessonFrames, responses=FRAME)
def lesson(request: Request, lab: TheLab, name: str, body: LessonBody) -> Response:
    """What is known before the first step, and a frame per step."""
    options = LessonOptions(body.specials, body.learn, body.seed, body.add_special_tokens)
    made = lesson_of(lab, name, body.tokenizer, body.text, options)
    if wants_frame(request):
        return frame_response(made.facts, [("frames", Column("u1", made.frames)), ("ends", made.ends)])
    return Response(made.json_text(), media_type="application/json")
