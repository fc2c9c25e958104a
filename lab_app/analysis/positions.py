"""One text seen as bytes, characters and UTF-16 units: the maps between them and where its white space is.

Each map is an array over the text, computed once, when first asked for; all are a few numpy passes (1 MB: milliseconds).
Not here: spans of tokens, which the engine gives in all three units.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# White_Space of the Unicode Character Database, which is what `\\s` means in a split pattern.
WHITE_SPACE = (
    *range(0x09, 0x0E),
    0x20,
    0x85,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
)


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

    @cached_property
    def behind_space(self) -> NDArray[np.bool_]:
        """Per byte position, shape (b + 1,): whether the byte before it belongs to white space."""
        behind = np.zeros(self.bytes.size + 1, np.bool_)
        if self.code_points.size == self.bytes.size:
            behind[1:] = _IS_SPACE[self.bytes]
        else:
            behind[1:] = _is_space(self.code_points)[self.char_of_byte[:-1]]
        return behind

    @cached_property
    def start_of_space(self) -> NDArray[np.uint32]:
        """Per byte position, shape (b + 1,): the start of the run of white space it stands in or behind, else itself.

        A cut "beside or inside white space" moves there, so that `a| b` and `a |b` become the same cut.

        >>> Positions("ab  c").start_of_space.tolist()
        [0, 1, 2, 2, 2, 5]
        """
        # A position behind white space takes the last one before it that is not.
        positions = np.arange(self.bytes.size + 1, dtype=np.uint32)
        positions *= ~self.behind_space
        return np.maximum.accumulate(positions, out=positions)

    def span_utf16(
        self, start: NDArray[np.uint32], end: NDArray[np.uint32]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Spans of bytes, not empty, as spans of UTF-16 units that cover the whole of every character touched."""
        return self.utf16_of_char[self.char_of_byte[start]], self.utf16_of_char[self.char_of_byte[end - 1] + 1]


def _is_space(code_points: NDArray[np.uint32]) -> NDArray[np.bool_]:
    space: NDArray[np.bool_] = _IS_SPACE[np.minimum(code_points, _IS_SPACE.size - 1)]
    return space


# Per code point up to one behind the last white space, which stands for all beyond.
_IS_SPACE = np.zeros(WHITE_SPACE[-1] + 2, np.bool_)
_IS_SPACE[list(WHITE_SPACE)] = True
