"""What a handout holds, as its page reads it (`lab_ui/js/handout/contents.js`)."""

from dataclasses import dataclass
from typing import Any, Literal

from lab_app.engine import Specials
from lab_app.services.exercises.marking import MarkedTask
from lab_app.services.exercises.sheets import Sheet

Way = Literal["watch", "do"]


@dataclass(frozen=True)
class LessonContents:
    """A lesson and where it begins."""

    name: str
    engine: str
    """What the engine calls it."""
    text: str
    way: Way
    at: int
    learn: int
    seed: int
    specials: Specials
    add_special_tokens: bool
    facts: dict[str, Any]
    """What the lab alone knows of this text: its languages and its chat."""
    has_text: bool
    """Whether another text may be given."""


@dataclass(frozen=True)
class TextContents:
    """A text to begin with."""

    text: str
    specials: Specials
    add_special_tokens: bool


@dataclass(frozen=True)
class HandoutTokenizer:
    """A tokenizer of the page."""

    id: str
    name: str
    licence: str | None
    notice: str | None
    """The text of the licence, if the lab has it."""
    kept: int
    """Tokens in the page."""
    of: int
    """Tokens of the whole vocabulary."""
    covered: str | None
    """The characters that it is shrunk to; None: it is whole."""
    scripts: list[str]
    """Named sets of characters among them."""
    others: str
    """The characters beside these sets."""
    is_renumbered: bool
    """Whether merges have other ranks than in the whole vocabulary: those of a rank file are numbered among the tokens."""


@dataclass(frozen=True)
class SheetContents:
    """Exercises with what the lab says of every choice: the page looks it up."""

    sheet: Sheet
    marks: list[list[MarkedTask]]
    """Of each task, that of each choice."""


@dataclass(frozen=True)
class Subject:
    """A lesson, a text with its tokens, or exercises."""

    name: str
    """In the names of files and in addresses."""
    tokenizers: list[str]
    """Their IDs."""
    lesson: LessonContents | None = None
    encoded: TextContents | None = None
    exercises: SheetContents | None = None

    @property
    def file_name(self) -> str:
        """Of its handout, without a suffix."""
        return f"handout-{self.name}"[:80]

    @property
    def text(self) -> str:
        """What it begins with."""
        begins = self.lesson or self.encoded
        return begins.text if begins else ""


@dataclass(frozen=True)
class Contents:
    """All that is not the engine or a vocabulary."""

    lab: str
    """Its name and version."""
    subjects: list[Subject]
    """One of a handout; of several, a page lists them."""
    tokenizers: list[HandoutTokenizer]
    guide: str | None = None
    """Where the guide is, beside the page."""

    @property
    def needs_engine(self) -> bool:
        """Exercises do not: every answer is marked already."""
        return any(each.tokenizers for each in self.subjects)
