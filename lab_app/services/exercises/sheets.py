"""Sheets of tasks: the same seed, corpus, tokenizer and version of the sheets make the same tasks.

A sheet that is asked for has no answers; `solved` makes them again for marking. Not here: marks (`marking`), files (`files`).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle, islice

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, LabError
from lab_app.library.entry import Entry
from lab_app.options import check_options
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.exercises import steps
from lab_app.services.exercises.material import material_of, plain_words
from lab_app.services.exercises.misconceptions import BELIEFS, BERT, GPT, MAKERS
from lab_app.services.exercises.options import TEST_COUNT, SheetKind, SheetOptions
from lab_app.services.exercises.task import Drawing, Solved, Task, TaskKind
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import refuse_model

VERSION = 2
"""Raised when the same seed would make other tasks."""
DRAWING = 1
"""A part of the seed: version 2 tries the same words in the same order as version 1."""
STEPS_OF: dict[str, tuple[TaskKind, ...]] = {
    "BPE": ("next-merge", "train-merge"),
    "WordPiece": ("first-token", "train-merge"),
    "Unigram": ("path", "pruned"),
}
"""The tasks that carry out steps of each model."""
STEP_MAKERS: dict[TaskKind, Callable[[Drawing], Solved | None]] = {
    "next-merge": steps.next_merge,
    "first-token": steps.first_token,
    "train-merge": steps.train_merge,
    "path": steps.path,
    "pruned": steps.pruned,
    "boundaries": steps.boundaries,
    "count": steps.count,
}
TEST: tuple[TaskKind, ...] = (*BELIEFS, "boundaries", "count")
"""Of the test of ten questions, before its steps of the model."""


@dataclass(frozen=True)
class SheetTokenizer:
    """A tokenizer of the tasks, and the digest of its files."""

    id: str
    sha256: str | None


@dataclass(frozen=True)
class LeftOut:
    """A task that could not be made, and why."""

    kind: TaskKind
    reason: str


@dataclass(frozen=True)
class SheetKey:
    """What names a sheet in one lab."""

    tokenizer: str
    seed: int
    kind: SheetKind
    corpus: str
    language: str | None
    count: int


@dataclass(frozen=True)
class SheetOrigin(SheetKey):
    """What names a sheet in every lab."""

    version: int
    corpus_sha256: str
    tokenizers: list[SheetTokenizer]


@dataclass(frozen=True)
class Sheet(SheetOrigin):
    """Tasks without answers."""

    tasks: list[Task]
    left_out: list[LeftOut]


@dataclass(frozen=True)
class SolvedSheet:
    """A sheet with what the engine says. It never leaves the services as it is."""

    sheet: Sheet
    solved: list[Solved]


def sheet_of(lab: Lab, id: str, options: SheetOptions) -> Sheet:
    """A sheet of tasks. Raises as `solved` does.

    >>> from lab_app.settings import Settings
    >>> sheet = sheet_of(Lab(Settings()), "gpt2", SheetOptions(seed=7, kind="next-merge", count=2))
    >>> [task.kind for task in sheet.tasks]
    ['next-merge', 'next-merge']
    """
    return solved(lab, id, options).sheet


def solved(lab: Lab, id: str, options: SheetOptions) -> SolvedSheet:
    """A sheet with its answers.

    Raises NotFound for a tokenizer, corpus or language that is not here, BadValue for an option out of its range, a tokenizer of
    another model, a plug-in, and a corpus without words or sentences.
    """
    check_options(options)
    entry, tokenizer = lab.loaded.get(id)
    model = tokenizer.stages["model"]
    steps_here = next((kinds for name, kinds in STEPS_OF.items() if model.endswith(name)), ())
    needed = next((name for name, kinds in STEPS_OF.items() if options.kind in kinds), None)
    if needed is not None and options.kind not in steps_here:
        refuse_model(lab, f"tasks of the kind {options.kind} need", needed, entry.id, model)
    material = material_of(lab, options.corpus, options.language, options.seed)
    kinds = _kinds(options, steps_here)
    loaded = [(entry, tokenizer)]
    words: list[str] = []
    if not MAKERS.keys().isdisjoint(kinds):
        words = plain_words(lab, material)
        loaded += [each for other in (BERT, GPT) if other != entry.id and (each := _bundled(lab, other)) is not None]
    made: list[Solved] = []
    left_out: list[LeftOut] = []
    drawing = Drawing(entry.id, {used.id: each for used, each in loaded}, material, words, random.Random(), set())
    if options.kind == "after":
        drawing.used.update(each.task.text for each in solved(lab, id, replace(options, kind="before")).solved)
    for number, kind in enumerate(kinds):
        drawing.chance = random.Random(f"{DRAWING} {options.seed} {options.kind} {number} {kind}")
        with translate_engine_errors():
            task = (STEP_MAKERS | MAKERS)[kind](drawing)
        if task is None:
            left_out.append(LeftOut(kind, "no other word of the corpus that was tried fits"))
        else:
            made.append(task)
            drawing.used.add(task.task.text)
    if not made:
        raise BadValue(
            f'no task of the kind {options.kind} can be made of the corpus "{material.corpus}" with {entry.id}',
            "choose another corpus, kind or tokenizer",
        )
    sheet = Sheet(
        version=VERSION,
        tokenizer=entry.id,
        seed=options.seed,
        kind=options.kind,
        corpus=material.corpus,
        language=material.language,
        count=len(kinds),
        corpus_sha256=material.sha256,
        tokenizers=[SheetTokenizer(used.id, used.sha256) for used, _ in loaded],
        tasks=[each.task for each in made],
        left_out=left_out,
    )
    return SolvedSheet(sheet, made)


def _kinds(options: SheetOptions, steps_here: tuple[TaskKind, ...]) -> list[TaskKind]:
    """The kinds of the tasks of a sheet, in their order."""
    if options.kind == "misconceptions":
        return list(BELIEFS)
    if options.kind == "before" or options.kind == "after":
        return [*TEST, *islice(cycle(steps_here or ("count",)), TEST_COUNT - len(TEST))]
    kinds: list[TaskKind] = [*steps_here, "boundaries", "count"] if options.kind == "mixed" else [options.kind]
    return list(islice(cycle(kinds), options.count))


def _bundled(lab: Lab, id: str) -> tuple[Entry, Tokenizer] | None:
    """A tokenizer that comes with the lab; None if this installation lacks it."""
    try:
        return lab.loaded.get(id)
    except LabError:
        return None
