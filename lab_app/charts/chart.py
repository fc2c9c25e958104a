"""A chart, and what its makers share: the tokenizers with their looks, the table and the words of a value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.analysis.corpus.result import CorpusResult, FrequencyRow, LanguageResult, TokenizerResult
from lab_app.analysis.figures import MUCH_UNKNOWN
from lab_app.number_words import THIN_SPACE
from lab_app.spelling import printable, spelled

Maker = Callable[..., "Chart"]
"""Makes a chart of a result, with letters for its tokenizers if they are not A, B, C."""
Cell = str | int | float | None
MAX_LABEL = 40
"""Characters of a token or a name in a chart."""


@dataclass(frozen=True)
class ChartTable:
    """The values of a chart. A cell is None where nothing was measured."""

    head: list[str]
    rows: list[list[Cell]]


@dataclass(frozen=True)
class ChartKey:
    """A tokenizer of a chart: its letter gives colour, marker and dash."""

    letter: str
    name: str


@dataclass(frozen=True)
class Chart:
    """A figure with everything that a reader needs to understand it."""

    name: str
    title: str
    """The content in plain words."""
    subtitle: str
    """Unit and denominator."""
    summary: str
    """The result in one or two sentences, for readers who do not see the figure."""
    keys: list[ChartKey]
    figure: dict[str, Any]
    """`data` and `layout` for plotly. Colours are `var(--NAME)`, names of the page's style sheet."""
    table: ChartTable
    answer: str = ""
    """What the figure shows, in one sentence above it; empty for charts that have no such sentence."""


@dataclass(frozen=True)
class NoChart(Exception):
    """The result has no values for this chart."""

    reason: str


@dataclass(frozen=True)
class Series:
    """A tokenizer of the result, with its place."""

    number: int
    """Of its letter, from 0."""
    result: TokenizerResult

    @property
    def letter(self) -> str:
        """As in the page: it gives colour, marker and dash."""
        return letter_of(self.number)

    @property
    def label(self) -> str:
        """Letter and name, safe in a figure."""
        return f"{self.letter} {plain(self.result.name)}"

    @property
    def is_hollow(self) -> bool:
        """Whether so much is unknown that compression looks better than it is."""
        return much_unknown(self.result)


def letter_of(number: int) -> str:
    """The letter of a tokenizer, counted from 0.

    >>> letter_of(0), letter_of(7)
    ('A', 'H')
    """
    return chr(ord("A") + number % 26)


def series_of(result: CorpusResult, letters: str = "") -> list[Series]:
    """The tokenizers of a result in their order, with these letters or A, B, C.

    Raises ValueError unless there is another letter for each.
    """
    wanted = letters or "".join(letter_of(number) for number in range(len(result.tokenizers)))
    return [Series(ord(letter) - ord("A"), each) for letter, each in zip(wanted, result.tokenizers, strict=True)]


def keys_of(result: CorpusResult, letters: str = "") -> list[ChartKey]:
    """The letters of a result's tokenizers."""
    return [ChartKey(each.letter, each.result.name) for each in series_of(result, letters)]


def much_unknown(result: TokenizerResult | LanguageResult) -> bool:
    """Whether more than 5 % of the tokens, or of the characters, are unknown: then the mark is hollow."""
    rates = (result.unknown_rate, result.unknown_character_rate)
    return any(rate is not None and rate > MUCH_UNKNOWN for rate in rates)


def hollow_words(series: Sequence[Series]) -> str:
    """The words for the subtitle that say why marks are hollow; empty if none is."""
    letters = [each.letter for each in series if each.is_hollow]
    return f"; {', '.join(letters)} hollow: over 5{THIN_SPACE}% unknown" if letters else ""


def unknown_note(result: TokenizerResult | LanguageResult) -> str:
    """The line under a hollow mark."""
    if not much_unknown(result):
        return ""
    rate = max(rate for rate in (result.unknown_rate, result.unknown_character_rate) if rate is not None)
    return f"<br>{100 * rate:.1f}{THIN_SPACE}% unknown: lost, not compressed"


def plain(text: str, most: int = MAX_LABEL) -> str:
    """`text` as plotly shows it unchanged: no markup, nothing hidden, at most `most` characters.

    >>> plain("<b>a b")
    '&lt;b&gt;a b'
    """
    kept = text if len(text) <= most else text[: most - 1] + "…"
    return printable(kept).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def token_label(row: FrequencyRow, most: int = MAX_LABEL) -> str:
    """A token as people read it, safe in a figure: its text with white space as glyphs, or its bytes in hex.

    A spelling that says more than the text, such as `##s`, is shown as it is.
    """
    shown = row.token if row.text is not None and row.text in row.token else row.text
    return plain(spelled(shown, row.bytes), most)
