"""Where tokenizers cut a text differently.

A divergence is a stretch between two boundaries that all share and between which no boundary is shared, inside which at
least one tokenizer cuts where another does not. Two such stretches side by side are two divergences: the boundary between
them is one all agree on, so each can be read, counted and explained by itself.
Not here: making the sets of boundaries (`boundaries`), one number for a pair of tokenizers (`agreement`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.boundaries import Mask, Spans


@dataclass(frozen=True)
class Divergences:
    """d stretches in the order of the text: `start` and `end` in bytes, shape (d,) each, uint32."""

    start: NDArray[np.uint32]
    end: NDArray[np.uint32]

    def __len__(self) -> int:
        return int(self.start.size)


def divergences(masks: list[Mask]) -> Divergences:
    """The stretches on which tokenizers differ, from their boundary masks, all of one text, shape (b + 1,) each.

    >>> a, b = np.zeros(7, bool), np.zeros(7, bool)
    >>> a[[0, 2, 4, 6]] = b[[0, 3, 4, 6]] = True
    >>> found = divergences([a, b])  # 0..4 differs, 4..6 does not
    >>> found.start.tolist(), found.end.tolist()
    ([0], [4])
    """
    number = np.zeros(masks[0].size, np.uint8)
    for mask in masks:
        number += mask
    shared = np.flatnonzero(number == len(masks))
    differing = np.flatnonzero((number > 0) & (number < len(masks)))
    # A stretch between two shared positions differs where the count of differing ones grows along it.
    until = np.searchsorted(differing, shared)
    stretch = np.flatnonzero(until[1:] > until[:-1])
    return Divergences(shared[stretch].astype(np.uint32), shared[stretch + 1].astype(np.uint32))


def tokens_in(found: Divergences, spans: Spans) -> NDArray[np.uint32]:
    """How many tokens have bytes in each stretch, shape (d,).

    `spans` are those of the tokens that stand for a part of the text, shape (n, 2), in the order of the text.

    >>> one = Divergences(np.array([0], np.uint32), np.array([4], np.uint32))
    >>> tokens_in(one, np.array([[0, 2], [2, 4], [4, 6]], np.uint32)).tolist()
    [2]
    """
    starts, ends = (np.ascontiguousarray(spans[:, side]) for side in (0, 1))
    # Tokens that start before the end of a stretch, less those that end before it begins or where it begins.
    started, ended = np.searchsorted(starts, found.end, "left"), np.searchsorted(ends, found.start, "right")
    return (started - ended).astype(np.uint32)


def boundaries_in(found: Divergences, mask: Mask) -> list[list[int]]:
    """The boundaries of one tokenizer strictly inside each stretch, in bytes: d lists."""
    cuts = np.flatnonzero(mask)
    first = np.searchsorted(cuts, found.start, side="right").tolist()
    last = np.searchsorted(cuts, found.end, side="left").tolist()
    flat = cuts.tolist()
    return [flat[a:b] for a, b in zip(first, last, strict=True)]


def cut_into_parts(data: bytes, start: int, end: int, cuts: list[int]) -> list[bytes]:
    """The bytes of `data` from `start` to `end`, cut at each of `cuts`, which lie between them in order.

    >>> cut_into_parts(b"a 2048", 1, 6, [2, 5])
    [b' ', b'204', b'8']
    """
    return [data[a:b] for a, b in zip([start, *cuts], [*cuts, end], strict=True)]
