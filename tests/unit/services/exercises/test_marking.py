"""Marks of answers, what the lab keeps of them, and files that another lab checks."""

import json
from dataclasses import fields

import pytest

from lab_app.errors import BadValue, NotFound
from lab_app.services.exercises import files
from lab_app.services.exercises.marking import forget, keep, mark, progress
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.exercises.sheets import SheetOrigin, sheet_of, solved

SHEET = SheetOptions(5, "before")


@pytest.fixture
def answers(lab):
    """Those of the engine."""
    return [each.solution for each in solved(lab, "gpt2", SHEET).solved]


def wrong(each) -> list[int] | int:
    return each.solution[:-1] if isinstance(each.solution, list) else (each.solution + 1) % len(each.task.choices)


def test_right_and_wrong_answers_are_marked_with_a_reason(lab, answers):
    made = solved(lab, "gpt2", SHEET).solved
    found = mark(lab, "gpt2", SHEET, answers)
    assert (found.right, found.answered, found.of) == (10, 10, 10)
    found = mark(lab, "gpt2", SHEET, [wrong(each) for each in made])
    assert (found.right, found.answered) == (0, 10)
    for each, marked in zip(made, found.marks, strict=True):
        assert marked.reason.startswith(each.reason) and marked.solution == each.solution
    [placed] = [each for each in found.marks if each.kind == "boundaries"]
    assert placed.boundaries.missing == 1 and placed.boundaries.extra == 0


def test_a_task_that_was_not_answered_keeps_its_answer_hidden(lab, answers):
    found = mark(lab, "gpt2", SHEET, [answers[0], *[None] * 9])
    assert (found.right, found.answered, found.of) == (1, 1, 10)
    assert {(each.right, each.solution, each.reason) for each in found.marks[1:]} == {(None, None, None)}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda given: given[:3], "there are 3 answers for 10 tasks"),
        (lambda given: [99, *given[1:]], "answers.0 is 99: give a number from 0 to 3"),
        (lambda given: [[1], *given[1:]], "answers.0 is a list"),
        (lambda given: [1 if isinstance(each, list) else each for each in given], "answers.5 is a number"),
        (
            lambda given: [[900] if isinstance(each, list) else each for each in given],
            "byte 900 is not inside the text",
        ),
    ],
)
def test_what_can_be_no_answer_is_refused(lab, answers, change, problem: str):
    with pytest.raises(BadValue) as refused:
        mark(lab, "gpt2", SHEET, change(answers))
    assert problem in str(refused.value)


def test_the_lab_keeps_the_last_answers_of_each_sheet(lab, answers):
    keep(lab, mark(lab, "gpt2", SHEET, [answers[0], *[None] * 9]))
    keep(lab, mark(lab, "gpt2", SheetOptions(6), [None] * 10))
    keep(lab, mark(lab, "gpt2", SHEET, answers))
    newest, other = progress(lab).sheets
    assert (newest.seed, newest.right, newest.of, newest.answers) == (5, 10, 10, answers)
    assert (other.seed, other.answered) == (6, 0)
    for each in (newest, other):
        forget(lab, each.id)
    assert progress(lab).sheets == []
    with pytest.raises(NotFound, match="there is no kept sheet"):
        forget(lab, newest.id)


def test_kept_answers_say_which_sheet_they_fit(lab, answers, monkeypatch):
    keep(lab, mark(lab, "gpt2", SHEET, answers))
    [kept] = progress(lab).sheets
    sheet = sheet_of(lab, "gpt2", SHEET)
    assert [getattr(kept, each.name) for each in fields(SheetOrigin)] == [
        getattr(sheet, each.name) for each in fields(SheetOrigin)
    ]
    with monkeypatch.context() as patch:
        patch.setattr("lab_app.services.exercises.marking.VERSION", sheet.version + 1)
        assert progress(lab).sheets == []
    forget(lab, kept.id)


@pytest.fixture
def file(lab, answers):
    """A file of results as JSON, with one wrong answer."""
    answers = [(answers[0] + 1) % 4, *answers[1:-1], None]
    return json.loads(files.result_file(lab, "gpt2", SHEET, answers, "student").model_dump_json())


def test_a_file_is_verified(lab, file):
    found = files.check(lab, files.read(json.dumps(file)))
    assert (found.name, found.marks.right, found.marks.answered, found.marks.of) == ("student", 8, 9, 10)


def changed(file: dict, place: str, value: object) -> dict:
    """A copy with another value at a place; its digest is that of the old one."""
    copy = json.loads(json.dumps(file))
    *folders, last = place.split(".")
    inside = copy
    for each in folders:
        inside = inside[int(each)] if each.isdecimal() else inside[each]
    inside[int(last) if last.isdecimal() else last] = value
    return copy


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("marks.0", True, "marks.0 is right, and the engine marks answers.0 wrong: ask for the file again"),
        ("marks.9", False, "marks.9 is wrong, and the engine marks answers.9 not answered"),
        ("right", 10, "right is 10, and the engine counts 8"),
        ("of", 11, "of is 11, and the engine counts 10"),
        ("marks", [], "marks has 0 entries, and the sheet has 10 tasks"),
        ("answers.1", 99, "answers.1 is 99"),
        ("answers", [1], "there are 1 answers for 10 tasks"),
        ("name", "Eve", "sha256 is "),
        ("made_at", "", "sha256 is "),
        ("version", 2, "this is not a result of exercises: version: Input should be 1"),
        ("kind", "session", "this is not a result of exercises: kind"),
        ("marks.2", "yes", "this is not a result of exercises: marks.2"),
        ("more", 1, "more: Extra inputs are not permitted"),
        ("sheet.version", 9, "sheet.version is 9, and this lab makes sheets of version"),
        ("sheet.seed", -1, "seed is -1: give a number from 0"),
        ("sheet.tokenizer", "nobody", "nobody"),
        ("sheet.corpus", "none", 'there is no corpus "none"'),
        ("sheet.corpus_sha256", "0" * 64, "sheet.corpus_sha256 is 000000000000…, and this lab makes the sheet with "),
        ("sheet.tokenizers.0.sha256", "f" * 64, "sheet.tokenizers is gpt2 (ffffffffffff…), bert-base-uncased ("),
        ("sheet.count", 9, "sheet.count is 9, and this lab makes the sheet with 10"),
    ],
)
def test_a_file_that_was_edited_says_where(lab, file, place: str, value: object, problem: str):
    with pytest.raises((BadValue, NotFound)) as refused:
        files.check(lab, files.read(json.dumps(changed(file, place, value))))
    assert problem in str(refused.value)


@pytest.mark.parametrize("content", ["", "[]", '{"kind": ', "[" * 100_000, b"\xff"])
def test_a_damaged_file_is_no_result(content):
    with pytest.raises(BadValue, match="this is not a result of exercises: "):
        files.read(content)
