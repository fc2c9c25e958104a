"""Lessons on one text: what a tokenizer does with it, step by step. The engine writes the frames.

Not here: sentences about the steps (the page, `lab_app/cli/lesson.py`), why one boundary is there (`explain`).
"""

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app import engine
from lab_app.engine import Specials
from lab_app.errors import BadValue
from lab_app.json_text import json_text
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.lessons.conversation import MAX_NAMED, LessonChat, conversation
from lab_app.services.lessons.frames import each_of
from lab_app.services.lessons.parallel import parallel_sentences
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import Span
from lab_app.services.text.trace import PossibleBoundary, TracedToken, refuse_too_long
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS

MAX_SEED = 2**64 - 1
CHAT = "chat-template"
"""The engine's lesson special-tokens, on a conversation whose user says the text."""
LESSONS: dict[str, str | None] = {**engine.LESSONS, CHAT: None}
"""All lessons with steps, and the model that each of them needs."""


@dataclass(frozen=True)
class NamedToken:
    """A token as the vocabulary spells it, its text, None for a part of a character, and its bytes in hex."""

    token: str
    text: str | None
    bytes: str


@dataclass(frozen=True)
class LessonPretoken:
    """A piece of the text as the model sees it; `split_by` and `branch` as in a trace."""

    text: str
    span: Span
    split_by: str | None
    branch: str | None
    boundaries: list[PossibleBoundary] | None = None
    """In the lesson unigram-encode, the share of all segmentations that split at each place."""


@dataclass(frozen=True)
class OperationsOfLength:
    """Operations of the encoders, in the order of their lesson, on a text of so many bytes."""

    bytes: int
    operations: tuple[int, int, int, int]


@dataclass(frozen=True)
class LessonGrowth:
    """The same for texts of growing length: the text again and again, and its letters as one word, if it has some."""

    prose: list[OperationsOfLength]
    word: list[OperationsOfLength]


@dataclass(frozen=True)
class LessonFacts:
    """What is known before the first step. `ids` are those of `encode`, or of what was learnt, without added special tokens."""

    lesson: str
    tokenizer: str
    text: str
    ids: list[int]
    tokens: list[TracedToken]
    pretokens: list[LessonPretoken]
    named: dict[str, NamedToken]
    """By id: every token that the facts or the frames name."""
    languages: list[str] = field(default_factory=list)
    """Those of the lines, if the lesson was given no text and chose sentences of the lab."""
    growth: LessonGrowth | None = None
    """In the lesson encoders."""
    chat: LessonChat | None = None
    """In the lesson chat-template, whose `text` is what the template made."""


@dataclass(frozen=True)
class LessonFrames:
    """The answer as JSON."""

    facts: LessonFacts
    frames: list[dict[str, Any]]


@dataclass(frozen=True)
class LessonOptions:
    """How a lesson treats a text."""

    specials: Specials = DEFAULT_SPECIALS
    learn: int = DEFAULT_LEARN
    """Tokens that a lesson on training learns, at most."""
    seed: int = 0
    """Of the paths that unigram-encode draws, 0 to 2**64 - 1."""
    add_special_tokens: bool = True
    """Whether special-tokens ends with those that the tokenizer adds."""


@dataclass(frozen=True)
class Lesson:
    """The steps of an algorithm on a text."""

    facts: dict[str, Any]
    """Those of `LessonFacts`."""
    frames: bytes
    """JSON objects, one after the other."""
    ends: NDArray[np.uint32]
    """Where each of them ends, in bytes."""
    shown: str
    """What the engine calls it."""
    options: LessonOptions
    """Those that the engine had."""

    def json_text(self) -> str:
        """As `{"facts", "frames"}`."""
        frames = (each.decode() for each in each_of(self.frames, self.ends.tolist()))
        return f'{{"facts": {json_text(self.facts)}, "frames": [{", ".join(frames)}]}}'


def lesson_of(lab: Lab, name: str, id: str, text: str, options: LessonOptions | None = None) -> Lesson:
    """The lesson `name` with a tokenizer on a text.

    Raises as `encode` does, and BadValue for an unknown lesson, a tokenizer with another model and a text that is too long.

    >>> from lab_app.settings import Settings
    >>> lesson = lesson_of(Lab(Settings()), "bpe-encode", "gpt2", "lower")
    >>> len(lesson.ends), lesson.facts["ids"], lesson.facts["named"]["21037"]["token"]
    (6, [21037], 'lower')
    """
    if name not in LESSONS:
        raise BadValue(f'"{name}" is no lesson', f"choose from {', '.join(LESSONS)}")
    options = options or LessonOptions()
    if not 0 <= options.seed <= MAX_SEED:
        raise BadValue(f"seed is {options.seed}", f"give a whole number from 0 to {MAX_SEED}")
    refuse_surrogates(text)
    refuse_too_long(text, "shown step by step")
    entry, tokenizer = lab.loaded.get(id)
    sentences = parallel_sentences() if name == "languages" and not text.strip() else {}
    text = "\n".join(sentences.values()) or text
    shown, found = name, None
    if name == CHAT:
        text, found = conversation(lab, entry.id, text)
        refuse_too_long(text, "shown step by step")
        shown, options = "special-tokens", replace(options, specials="parse", add_special_tokens=False)
    needed, model = LESSONS[name], tokenizer.stages["model"]
    if needed is not None:
        refuse_model(lab, f"the lesson {name} needs", needed, entry.id, model)
    with translate_engine_errors():
        made = tokenizer.lesson(shown, text, **asdict(options))
    own = {"lesson": name, "languages": [*sentences], "chat": found and asdict(found)}
    facts = {"lesson": name, "tokenizer": entry.id, **json.loads(made.facts), **own}
    return Lesson(facts, made.frames, made.ends, shown, options)


def refuse_model(lab: Lab, needs: str, needed: str, id: str, model: str) -> None:
    """Raises BadValue, which names other tokenizers, unless `model` is one of the family `needed`."""
    if not model.endswith(needed):
        raise BadValue(f"{needs} {needed}, and {id} is {model}", _others(lab, needed))


def _others(lab: Lab, family: str) -> str:
    """What to choose in place of a tokenizer of another family."""
    read = {id: summary.family for id, summary in lab.catalog.summaries().items()}
    entries = [entry for entry in lab.catalog.entries() if read.get(entry.id, entry.family).endswith(family)]
    here = [entry.id for entry in entries if entry.available]
    if here:
        return f"choose one of {', '.join(here[:MAX_NAMED])}"
    there = ", ".join(entry.id for entry in entries[:MAX_NAMED])
    return f"add a {family} tokenizer first" + (f", or download one of {there}" if there else "")
