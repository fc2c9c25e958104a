"""What a stretch of text is about, in six kinds: the one thing in it most likely to make tokenizers differ.

The first of these that a stretch contains names it: `numbers` (a decimal digit), `non-Latin` (a letter or mark of another
script, or a symbol outside the scripts such as an emoji), `punctuation`, `capitals` (an upper-case Latin letter), `words`
(any other letter); `spaces` is what has none of these. Source: general categories of the Unicode Character Database.
"""

import functools
import unicodedata

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.positions import Positions

KINDS = ("numbers", "non-Latin", "punctuation", "capitals", "words", "spaces")
_SPACES = KINDS.index("spaces")


def kinds_of(start: NDArray[np.uint32], end: NDArray[np.uint32], at: Positions) -> NDArray[np.uint8]:
    """The kind of each stretch, shape (d,), as an index into `KINDS`.

    `start` and `end` are in bytes, shape (d,), in the order of the text, no stretch empty, none overlapping another.

    >>> at = Positions("on 24 日")
    >>> [KINDS[kind] for kind in kinds_of(np.array([0, 2, 6], np.uint32), np.array([2, 5, 9], np.uint32), at)]
    ['words', 'numbers', 'non-Latin']
    """
    if not start.size:
        return np.zeros(0, np.uint8)
    first = at.char_of_byte[start].astype(np.intp)
    last = at.char_of_byte[end - 1].astype(np.intp)
    kinds = _kind_of_characters(at.code_points)
    # The kinds are in the order of precedence, so a stretch's kind is the least of its characters'. reduceat wants a flat
    # list of cuts: every other result is a stretch, those between are not looked at. Stretches that share a character
    # (one was cut inside it) make a cut that goes back, for which reduceat gives the single element: also not looked at.
    padded = np.append(kinds, np.uint8(_SPACES))
    cuts = np.stack([first, last + 1], axis=1).reshape(-1)
    result: NDArray[np.uint8] = np.minimum.reduceat(padded, cuts)[::2]
    return result


def _kind_of_characters(code_points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    kinds: NDArray[np.uint8] = _table()[np.minimum(code_points, 0xFFFF)]
    beyond = code_points > 0xFFFF
    if beyond.any():
        unique, index = np.unique(code_points[beyond], return_inverse=True)
        kinds[beyond] = np.array([_kind(int(code)) for code in unique], np.uint8)[index]
    return kinds


@functools.cache
def _table() -> NDArray[np.uint8]:
    """The kind of each code point up to U+FFFF, shape (65536,). Made once, in 20 ms."""
    return np.array([_kind(code) for code in range(0x10000)], np.uint8)


def _kind(code: int) -> int:
    character = chr(code)
    category = unicodedata.category(character)
    if category == "Nd":
        return KINDS.index("numbers")
    latin = code < 0x250 or 0x1E00 <= code < 0x1F00 or 0x2C60 <= code < 0x2C80 or 0xA720 <= code < 0xA800
    if category in ("Lu", "Lt", "Ll", "Lm", "Lo"):
        if not latin:
            return KINDS.index("non-Latin")
        return KINDS.index("capitals" if category in ("Lu", "Lt") else "words")
    # Marks of no script of their own (U+0300..U+036F and the like) belong to the letter before them, most often Latin.
    if category in ("Mn", "Mc", "Me") and not unicodedata.name(character, "").startswith(("COMBINING", "VARIATION")):
        return KINDS.index("non-Latin")
    if category in ("So", "Sk") and code > 0x2100:
        return KINDS.index("non-Latin")
    if category[0] in "PS":
        return KINDS.index("punctuation")
    if category[0] == "M":
        return KINDS.index("words")
    if category[0] == "N" or category == "Co":
        return KINDS.index("numbers" if category[0] == "N" else "non-Latin")
    return _SPACES  # separators, and controls and formats, which stand between things like them
