"""Counts of one tokenizer on one text."""

import numpy as np

from lab_app.analysis.positions import Positions, Spans


def bytes_per_token(text_bytes: int, tokens: int) -> float | None:
    """Bytes of the original text per token, added special tokens not counted; None, not measured, without tokens.

    >>> bytes_per_token(357, 108)
    3.3055555555555554
    >>> bytes_per_token(0, 0) is None
    True

    Trap: favours scripts of three bytes per character, and tokenizers that drop what they do not know.
    """
    return text_bytes / tokens if tokens else None


def split_characters(spans: Spans, at: Positions) -> int:
    """How many characters of the text are held by more than one token.

    `spans` are those of the tokens that stand for a part of the text, shape (n, 2), in bytes, by rising start. A character
    is split where a token starts inside it, or where two tokens have it in common (its normalized form was cut).

    >>> split_characters(np.array([[0, 2], [2, 3]], np.uint32), Positions("日"))
    1
    """
    starts, ends = spans[:, 0], spans[:, 1]
    inside = at.inside[starts]
    shared = np.zeros(starts.size, np.bool_)
    shared[1:] = (starts[1:] < ends[:-1]) & (starts[1:] < ends[1:])
    characters = at.char_of_byte[starts[inside | shared]]  # rising, so that each is new where it differs from the last
    return int(np.count_nonzero(np.diff(characters))) + 1 if characters.size else 0
