"""Marks the answers of a sheet and keeps them as the progress of this lab.

Not here: results that leave the lab (`files`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace

from lab_app.errors import BadValue
from lab_app.services.exercises.boundaries import MarkedBoundaries, mark_boundaries
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.exercises.sheets import VERSION, Sheet, SheetKey, SheetOrigin, SheetTokenizer, solved
from lab_app.services.exercises.task import Answer, Solved, TaskKind
from lab_app.services.lab import Lab
from lab_app.services.records import delete_record, list_records
from lab_app.store import records


@dataclass(frozen=True)
class MarkedTask:
    """An answer and what the engine says. All but the kind is None for a task that was not answered."""

    kind: TaskKind
    answer: Answer
    right: bool | None
    solution: Answer
    reason: str | None
    boundaries: MarkedBoundaries | None
    """Of a task to place boundaries: every boundary with its mark."""


@dataclass(frozen=True)
class Marks(SheetOrigin):
    """The marks of a sheet."""

    answered: int
    right: int
    of: int
    """Tasks of the sheet."""
    marks: list[MarkedTask]


@dataclass(frozen=True)
class KeptSheet(SheetOrigin):
    """A sheet that was worked on in this lab. Its answers fit a sheet of the same origin alone."""

    id: int
    saved_at: str
    """UTC, ISO 8601."""
    answered: int
    right: int
    of: int
    answers: list[Answer]


@dataclass(frozen=True)
class Progress:
    """The sheets that were worked on, the newest first."""

    sheets: list[KeptSheet]


def mark(lab: Lab, id: str, options: SheetOptions, answers: Sequence[Answer]) -> Marks:
    """Marks answers, one for each task of the sheet. Raises as `solved` does, and BadValue for an answer that cannot be one.

    >>> from lab_app.settings import Settings
    >>> marked = mark(Lab(Settings()), "gpt2", SheetOptions(seed=7, kind="count", count=1), [None])
    >>> marked.answered, marked.of, marked.marks[0].solution
    (0, 1, None)
    """
    made = solved(lab, id, options)
    if len(answers) != len(made.solved):
        raise BadValue(
            f"there are {len(answers)} answers for {len(made.solved)} tasks",
            "give one for each task, null for a task that was not answered",
        )
    marks = [_mark(lab, n, task, answer) for n, (task, answer) in enumerate(zip(made.solved, answers, strict=True))]
    return Marks(
        **{each.name: getattr(made.sheet, each.name) for each in fields(SheetOrigin)},
        answered=sum(each.right is not None for each in marks),
        right=sum(each.right is True for each in marks),
        of=len(marks),
        marks=marks,
    )


def every_mark(lab: Lab, id: str, options: SheetOptions) -> tuple[Sheet, list[list[MarkedTask]]]:
    """The tasks of a sheet that have choices, and of each task the mark of every choice. Raises as `solved` does.

    >>> from lab_app.settings import Settings
    >>> sheet, marks = every_mark(Lab(Settings()), "gpt2", SheetOptions(seed=7, kind="mixed", count=4))
    >>> [task.kind for task in sheet.tasks], [sum(bool(each.right) for each in of) for of in marks]
    (['next-merge', 'train-merge', 'count'], [1, 1, 1])
    """
    made = solved(lab, id, options)
    chosen = [each for each in made.solved if each.task.choices is not None]
    every = [
        [_mark(lab, n, each, choice) for choice in range(len(each.task.choices or ()))] for n, each in enumerate(chosen)
    ]
    return replace(made.sheet, tasks=[each.task for each in chosen]), every


def keep(lab: Lab, marks: Marks) -> None:
    """Keeps the answers of a sheet in place of earlier ones of the same name."""
    facts = asdict(marks)
    facts["answers"] = [each["answer"] for each in facts.pop("marks")]
    title = " ".join(str(facts[each.name]) for each in fields(SheetKey))
    records.replace(lab.database, "exercise", title, facts, "")


def progress(lab: Lab) -> Progress:
    """What was kept of sheets of this version.

    >>> from lab_app.settings import Settings
    >>> progress(Lab(Settings()))
    Progress(sheets=[])
    """
    kept = list_records(lab, "exercise")
    return Progress([_kept(each) for each in kept if each.facts.get("version") == VERSION])


def forget(lab: Lab, id: int) -> None:
    """Deletes the answers of a sheet. Raises NotFound."""
    delete_record(lab, "exercise", id)


def _kept(record: records.Record) -> KeptSheet:
    tokenizers = [SheetTokenizer(**each) for each in record.facts["tokenizers"]]
    return KeptSheet(id=record.id, saved_at=record.created_at, **record.facts | {"tokenizers": tokenizers})


def _mark(lab: Lab, number: int, solved: Solved, answer: Answer) -> MarkedTask:
    task = solved.task
    if answer is None:
        return MarkedTask(task.kind, None, None, None, None, None)
    if isinstance(answer, list):
        if task.choices is not None:
            raise BadValue(f"answers.{number} is a list", "give the number of a choice, from 0")
        marked = mark_boundaries(lab, task.tokenizer, task.text, answer, specials="text")
        is_right = marked.missing == marked.extra == 0
        return MarkedTask(task.kind, answer, is_right, solved.solution, solved.reason, marked)
    if task.choices is None:
        raise BadValue(f"answers.{number} is a number", "give the bytes of the boundaries as a list")
    if not 0 <= answer < len(task.choices):
        raise BadValue.out_of_range(f"answers.{number}", answer, 0, len(task.choices) - 1)
    is_right = answer == solved.solution
    miss = "" if is_right else solved.misses[answer]
    return MarkedTask(task.kind, answer, is_right, solved.solution, f"{solved.reason} {miss}".strip(), None)
