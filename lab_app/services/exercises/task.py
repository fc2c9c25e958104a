"""A task of a sheet: what the learner sees, and apart from it what the engine says.

Not here: making tasks (`steps`, `misconceptions`), marking answers (`marking`).
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from lab_app.engine import UNKNOWN, EngineError, Tokenizer
from lab_app.services.exercises.material import Material
from lab_app.services.exercises.options import StepKind

BeliefKind = Literal["syllables", "emoji", "longest", "fewer", "alike"]
TaskKind = Literal[StepKind, BeliefKind]
Answer = int | list[int] | None
"""The number of a choice from 0, the bytes of boundaries, or None for no answer."""
MOST_DRAWN = 200
"""Words or sentences that are tried for one task."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Line:
    """A choice or a fact, and the number that belongs to it, such as a rank."""

    text: str
    note: str | None = None


@dataclass(frozen=True)
class Task:
    """What the learner sees. Nothing of it gives the answer away."""

    kind: TaskKind
    tokenizer: str
    text: str
    """The word or sentence that it is about."""
    question: str
    given: list[Line]
    """What is needed to work the answer out, such as the ranks of all merges that this word can meet."""
    choices: list[Line] | None
    """None where the answer is a list of boundaries."""


@dataclass(frozen=True)
class Solved:
    """A task with what the engine says."""

    task: Task
    solution: int | list[int]
    reason: str
    """With the numbers."""
    misses: list[str]
    """Of each choice what it would be instead; empty for boundaries."""


@dataclass
class Drawing:
    """What tasks are drawn from: the tokenizer of the sheet and the bundled ones, by id, words, sentences and chance."""

    id: str
    tokenizers: Mapping[str, Tokenizer]
    material: Material
    plain_words: list[str]
    """Words of ASCII letters, which no normalizer changes and whose syllables can be guessed."""
    chance: random.Random
    used: set[str]
    """Texts of earlier tasks."""
    made: set[tuple[str, ...]] = field(default_factory=set)
    """What earlier tasks of the sheet ask: none comes twice."""

    def some(self, items: Sequence[Item]) -> Iterator[Item]:
        """Items in a random order, those that were used last."""
        drawn = self.chance.sample(items, min(len(items), MOST_DRAWN))
        return iter(sorted(drawn, key=lambda each: each in self.used))

    def first(self, items: Iterable[Item], make: Callable[[Item], Solved | None]) -> Solved | None:
        """The first new task that an item makes. One that a tokenizer cannot encode makes none."""
        for each in items:
            with suppress(EngineError):
                made = make(each)
                if made is None:
                    continue
                asked = (made.task.kind, made.task.tokenizer, made.task.text, made.task.question)
                if asked not in self.made:
                    self.made.add(asked)
                    return made
        return None

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Different items in a random order."""
        found = list(dict.fromkeys(items))
        self.chance.shuffle(found)
        return found


def parts_of(tokenizer: Tokenizer, text: str) -> list[str] | None:
    """The parts of a text that its tokens stand for; None if they overlap, leave something out or are unknown.

    Raises EncodeError for a character that the tokenizer cannot encode.
    """
    encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
    spans = encoding.span_char.tolist()
    parts = [text[start:end] for start, end in spans]
    return None if encoding.count(UNKNOWN) or "" in parts or "".join(parts) != text else parts


def shown(parts: Sequence[str]) -> str:
    """A segmentation as people read it.

    >>> shown(["un", "believ", "able"])
    'un | believ | able'
    """
    return " | ".join(parts)
