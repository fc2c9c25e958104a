"""Counts that take the spans of the tokens. Not here: figures that follow from counts (`figures`)."""

import numpy as np

from lab_app.analysis.positions import Positions, Spans


def split_characters(spans: Spans, at: Positions) -> int:
    """How many characters of the text are held by more than one token.

    `spans` are those of the tokens that stand for a part of the text, shape (n, 2), in bytes, by rising start. A character
    is split where a token starts inside it, or where two tokens have it in common (its normalized form was split).

    >>> split_characters(np.array([[0, 2], [2, 3]], np.uint32), Positions("日"))
    1
    """
    starts, ends = spans[:, 0], spans[:, 1]
    inside = at.inside[starts]
    shared = np.zeros(starts.size, np.bool_)
    shared[1:] = (starts[1:] < ends[:-1]) & (starts[1:] < ends[1:])
    characters = at.char_of_byte[starts[inside | shared]]  # rising, so that each is new where it differs from the last
    return int(np.count_nonzero(np.diff(characters))) + 1 if characters.size else 0
