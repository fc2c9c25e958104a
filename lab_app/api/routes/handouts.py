"""A lesson, a text or exercises as a page that works without the lab: `/handouts`."""

from fastapi import Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import HandoutBody
from lab_app.api.routes.lab import TheLab
from lab_app.errors import BadValue
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.handouts.contents import Subject
from lab_app.services.handouts.handouts import folder, handout, lesson_subject, sheet_subject, text_subject
from lab_app.services.handouts.packing import zipped
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import LessonOptions

router = json_router("lessons")


@router.post("/handouts", summary="Make a handout", responses=declared_files(["html", "zip"]))
def make_handout(lab: TheLab, body: HandoutBody) -> Response:
    """One HTML file under 2 MB that needs no network: a lesson or a text with engine and tokenizers, or exercises with marks.

    With `folder` the same as a ZIP file of a folder for a web server, with whole vocabularies.
    """
    subject = _subject(lab, body)
    if body.folder:
        return file_answer(zipped(folder(lab, [subject])), f"{subject.file_name}.zip")
    made = handout(lab, subject)
    return file_answer(made.content, f"{made.name}.html")


def _subject(lab: Lab, body: HandoutBody) -> Subject:
    specials, add = body.specials, body.add_special_tokens
    lesson, exercises = body.lesson, body.exercises
    if lesson is not None and exercises is not None:
        raise BadValue("a lesson and exercises are both given", "give one of them")
    if exercises is not None:
        return sheet_subject(lab, _one(body.tokenizers), exercises.as_options(SheetOptions))
    if lesson is None:
        return text_subject(lab, body.tokenizers, body.text, specials=specials, add_special_tokens=add)
    options = LessonOptions(specials, lesson.learn, lesson.seed, add)
    return lesson_subject(lab, lesson.name, _one(body.tokenizers), body.text, options, way=lesson.way, at=lesson.at)


def _one(tokenizers: list[str]) -> str:
    if len(tokenizers) != 1:
        raise BadValue(f"there are {len(tokenizers)} tokenizers", "give one for a lesson or exercises")
    return tokenizers[0]
