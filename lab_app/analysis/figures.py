"""The figures of one tokenizer on one text: one definition of each, for the page, exports, commands and HTTP.

Every ratio counts the tokens of the text only. Added special tokens and padding are not among them, and are counted apart.
A figure that was not measured is None in Python and null in JSON; people read a dash.
Not here: what several tokenizers make of a text (`divergence`). The page writes figures in the same words, with thin spaces
(`lab_ui/js/text/figures.js`); `tests/golden/figures.json` has the cases that both pass.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from lab_app.number_words import DASH, integer, percent

FEW_TOKENS = 20
"""Counts below this are compared without a percentage: one token more would be 5 % and above."""
MUCH_UNKNOWN = 0.05
"""Share of unknown tokens above which compression looks better than it is."""


@dataclass(frozen=True)
class Figures:
    """Counts of one encoding, and the ratios that follow from them."""

    count: int
    """All tokens."""
    added_special_count: int | None
    """Of these, added by the postprocessor; None if a plug-in tells no spans."""
    padding_count: int
    """Of these, padding."""
    unknown_count: int
    """Tokens of the text that are the unknown token."""
    bytes: int
    """UTF-8 bytes of all that was encoded: the text, and its pair if there is one."""
    characters: int
    """Code points of the same."""
    is_whole: bool = True
    """False if tokens were truncated: then they do not stand for all bytes."""

    @property
    def text_token_count(self) -> int | None:
        """Tokens of the text: all but added special tokens and padding."""
        return None if self.added_special_count is None else self.count - self.added_special_count - self.padding_count

    @property
    def bytes_per_token(self) -> float | None:
        """UTF-8 bytes of the original text per token of it; None without tokens.

        >>> Figures(108, 2, 0, 0, 357, 257).bytes_per_token
        3.3679245283018866
        >>> Figures(2, 2, 0, 0, 0, 0).bytes_per_token is None
        True

        Trap: favours scripts of three bytes per character, and tokenizers that drop what they do not know.
        """
        return self._per_token(self.bytes)

    @property
    def characters_per_token(self) -> float | None:
        """Code points of the original text per token of it; None without tokens."""
        return self._per_token(self.characters)

    @property
    def unknown_rate(self) -> float | None:
        """Unknown tokens per token of the text, in [0, 1]; None without tokens."""
        return self.unknown_count / self.text_token_count if self.text_token_count else None

    def _per_token(self, size: int) -> float | None:
        return size / self.text_token_count if self.text_token_count and self.is_whole else None

    def values(self) -> dict[str, Any]:
        """The figures by their names in a result."""
        return {
            "count": self.count,
            "text_token_count": self.text_token_count,
            "added_special_count": self.added_special_count,
            "padding_count": self.padding_count,
            "unknown_count": self.unknown_count,
            "bytes_per_token": self.bytes_per_token,
            "characters_per_token": self.characters_per_token,
            "unknown_rate": self.unknown_rate,
        }


class Counted(Protocol):
    """Anything with these figures: `Figures`, and every result that has them."""

    @property
    def count(self) -> int:
        """All tokens."""

    @property
    def text_token_count(self) -> int | None:
        """Tokens of the text."""

    @property
    def unknown_count(self) -> int:
        """Unknown tokens of the text."""

    @property
    def unknown_rate(self) -> float | None:
        """Their share."""


def added_count(result: Counted) -> int | None:
    """Tokens that are not of the text: added special tokens and padding.

    >>> added_count(Figures(108, 2, 0, 0, 357, 257))
    2
    """
    return None if result.text_token_count is None else result.count - result.text_token_count


def token_words(result: Counted) -> str:
    """The number of tokens of the text, and of the others.

    >>> token_words(Figures(108, 2, 0, 0, 357, 257)), token_words(Figures(3, 0, 0, 0, 9, 9))
    ('106 + 2', '3')
    """
    if result.text_token_count is None:
        return integer(result.count)
    added = added_count(result)
    return integer(result.text_token_count) + (f" + {integer(added)}" if added else "")


def unknown_words(result: Counted) -> str:
    """The number of unknown tokens and their share; empty if there are none.

    >>> unknown_words(Figures(98, 0, 0, 15, 357, 257))
    '15 unknown (15 %)'
    """
    if not result.unknown_count:
        return ""
    share = "" if result.unknown_rate is None else f" ({percent(result.unknown_rate)})"
    return f"{integer(result.unknown_count)} unknown{share}"


def difference(count: int | None, base: int | None) -> str:
    """How far a count of tokens of a text is from another tokenizer's. A dash if either is not known or both are 0.

    >>> difference(127, 106), difference(4, 2), difference(2, 2), difference(0, 0)
    ('+21 (+20 %)', '+2', '±0', '–')
    """
    if count is None or base is None or not (count or base):
        return DASH
    if count == base:
        return "±0"
    sign, off = "+" if count > base else "−", abs(count - base)
    if base < FEW_TOKENS:
        return f"{sign}{integer(off)}"
    share = percent(off / base)
    return f"{sign}{integer(off)} ({share if share.startswith('<') else sign + share})"
