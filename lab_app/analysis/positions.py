"""One text seen as bytes, characters and UTF-16 units, and the maps between them.

Each map is an array over the text, computed once, when first asked for; all are a few numpy passes (1 MB: milliseconds).
Not here: spans of tokens, which the engine gives in all three units.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Spans = NDArray[np.uint32]
"""Starts and ends of tokens in bytes, shape (n, 2)."""


class Positions:
    """The positions of one text of b bytes and n characters (code points).

    >>> at = Positions("a 日")
    >>> at.char_of_byte.tolist(), at.utf16_of_char.tolist()
    ([0, 1, 2, 2, 2, 3], [0, 1, 2, 3])
    """

    def __init__(self, text: str) -> None:
        self.bytes = np.frombuffer(text.encode(), np.uint8)
        self.code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """Per byte position, shape (b + 1,): whether it lies inside a character. The end never does."""
        inside = np.zeros(self.bytes.size + 1, np.bool_)
        np.equal(self.bytes & 0xC0, 0x80, out=inside[:-1])  # continuation bytes are 10xxxxxx
        return inside

    @cached_property
    def char_of_byte(self) -> NDArray[np.uint32]:
        """Per byte position, shape (b + 1,): the index of the character that has this byte, n for the end."""
        index = np.cumsum(~self.inside, dtype=np.uint32)  # counts the characters up to and with the byte's own
        index -= 1
        return index

    @cached_property
    def utf16_of_char(self) -> NDArray[np.uint32]:
        """Per character, shape (n + 1,): the UTF-16 unit it starts at; the last is the length of the text."""
        starts = np.zeros(self.code_points.size + 1, np.uint32)
        np.cumsum(1 + (self.code_points > 0xFFFF), out=starts[1:], dtype=np.uint32)
        return starts
