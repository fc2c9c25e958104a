"""What decides the tasks of a sheet. The command line reads it at its start, so that it imports nothing slow."""

from dataclasses import dataclass
from typing import Annotated, Literal

from lab_app.options import Option

MAX_SEED = 2**53 - 1
"""The largest whole number that every reader of JSON keeps."""
MAX_COUNT = 50

StepKind = Literal["next-merge", "first-token", "train-merge", "path", "pruned", "boundaries", "count"]
"""Tasks that carry out a step of an algorithm, or foretell what it comes to."""
SheetKind = Literal["mixed", StepKind, "misconceptions", "before", "after"]
TEST_COUNT = 10


@dataclass(frozen=True)
class SheetOptions:
    """All that decides which tasks are made, beside the tokenizer and the corpus."""

    seed: Annotated[int, Option("The same seed makes the same tasks.", 0, MAX_SEED)] = 0
    kind: Annotated[SheetKind, Option("The tasks: one kind, mixed, misconceptions, or a test before or after.")] = (
        "mixed"
    )
    corpus: Annotated[str, Option("The corpus whose words and sentences are used.")] = "udhr"
    language: Annotated[str | None, Option("The language of the corpus; default English, or a sample of all.")] = None
    count: Annotated[int, Option("Tasks; a test has ten, misconceptions are five.", 1, MAX_COUNT)] = TEST_COUNT
