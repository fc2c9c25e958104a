"""A report as data: a title, tables, charts, notes, how it was made, and the command that repeats it.

A kind of report is one function that makes this (`text`, `analysis`, `benchmark`, `training`). Not here: what a file of it looks
like (`html`, `markdown`, `latex`).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar
from unicodedata import category

from lab_app.charts.chart import Chart
from lab_app.number_words import DASH, short

Cell = str | int | float | None
"""None is a number that was not measured: a dash."""
JOINERS = "\u200c\u200d"


@dataclass(frozen=True)
class Key:
    """A tokenizer as charts show it."""

    name: str
    letter: str
    shape: str
    colour: str
    warning: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Facts:
    """Names with their values."""

    kind: ClassVar = "facts"
    items: Sequence[tuple[str, str]]
    title: str = ""


@dataclass(frozen=True)
class Notes:
    """Sentences that a reader should know."""

    kind: ClassVar = "notes"
    items: Sequence[str]
    title: str = ""


@dataclass(frozen=True)
class Table:
    """Rows under a head."""

    kind: ClassVar = "table"
    head: Sequence[str | Key]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    caption: str = ""
    """Of the LaTeX table; without it, the title of the report and of the table."""
    about: str = ""
    """Says under the table how to read it."""
    right: Collection[int] = ()
    """Columns of numbers."""
    spaced: Collection[int] = ()
    """Columns of texts whose white space is shown as it is."""
    marked: Collection[int] = ()
    """Rows that need attention."""
    is_folded: bool = False
    """Closed on a page until it is opened."""
    for_papers: bool = True
    """Whether it is short enough for a paper, so that LaTeX has it."""


@dataclass(frozen=True)
class Charts:
    """Charts with their values, for pages: the others need not wait until they are drawn."""

    kind: ClassVar = "charts"
    make: Callable[[], Sequence[Chart]]


@dataclass(frozen=True)
class Explanation:
    """How to read one thing."""

    name: str
    text: str
    source: str


@dataclass(frozen=True)
class Explanations:
    """How to read the numbers, for pages."""

    kind: ClassVar = "explanations"
    items: Sequence[Explanation]
    title: str


@dataclass(frozen=True)
class Tokens:
    """A text with its tokens coloured, for pages. `groups` are those of `tokens.groups`."""

    kind: ClassVar = "tokens"
    groups: Iterable[object]
    title: str
    about: str = ""


Part = Facts | Notes | Table | Charts | Explanations | Tokens


@dataclass(frozen=True)
class Report:
    """What every renderer gets."""

    title: str
    name: str
    """A short one for the label of a LaTeX table."""
    parts: Sequence[Part]
    made: Sequence[tuple[str, str]]
    """How it was made: names and values."""
    command: str
    """Repeats it."""
    about: str = ""
    """What was measured, in a sentence or two."""
    keys: Sequence[Key] = ()

    def tables(self) -> list[Table]:
        """The tables with rows."""
        return [part for part in self.parts if isinstance(part, Table) and part.rows]


def number_words(value: Cell, digits: int = 4) -> str:
    """A cell for people: a number with that many significant digits, a dash where nothing was measured.

    >>> number_words(3.14159), number_words(None), number_words("a")
    ('3.142', '–', 'a')
    """
    return DASH if value is None else value if isinstance(value, str) else short(value, digits)


def visible(text: str) -> str:
    r"""`text` in one line, in which nothing is hidden: marks that turn the direction of text and control characters are spelled.

    Joiners of scripts and emoji stay.

    >>> print(visible("a\u202eb\nc\x00"))
    a\u{202e}b c\u{0}
    """
    return "".join(f"\\u{{{ord(each):x}}}" if _is_hidden(each) else each for each in " ".join(text.splitlines()))


def _is_hidden(character: str) -> bool:
    return category(character) in ("Cc", "Cf", "Cs") and character not in JOINERS
