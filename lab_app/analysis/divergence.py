"""Where tokenizers split a text differently, as arrays: what the engine found, and views of it.

A divergence is a stretch between two boundaries that all share and between which no boundary is shared, inside which at
least one tokenizer has a boundary where another does not. Two such stretches side by side are two divergences: the boundary between
them is one all agree on, so each can be read, counted and explained by itself.
Not here: finding them (`engine_rs/inspect/src/document/divergence`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app import engine
from lab_app.analysis.positions import Spans

KINDS = engine.DIVERGENCE_KINDS
"""What a stretch can be about. The first of them that one of its characters has names it."""


@dataclass(frozen=True)
class Divergences:
    """d stretches in the order of the text, under k tokenizers."""

    arrays: dict[str, NDArray[Any]]
    """As they travel: `start_utf8`, `end_utf8`, `start_utf16`, `end_utf16`, shape (d,), uint32; `kind`, an index into
    `KINDS`, shape (d,), uint8; `counts`, tokens with bytes in the stretch, shape (d, k), uint32."""
    shared: NDArray[np.uint64]
    """Per pair, shape (k, k): boundaries that both have, the ends of the text left out."""
    either: NDArray[np.uint64]
    """Per pair, shape (k, k): boundaries that one of them has."""
    marks: NDArray[np.uint8]
    """Per byte position, shape (b + 1,): bit n where tokenizer n has a boundary."""

    @staticmethod
    def of(found: Mapping[str, NDArray[Any]]) -> "Divergences":
        """From what the engine answers."""
        names = ("start_utf8", "end_utf8", "start_utf16", "end_utf16", "kind", "counts")
        return Divergences({name: found[name] for name in names}, found["shared"], found["either"], found["marks"])

    def __len__(self) -> int:
        return int(self.arrays["kind"].size)

    def boundaries(self, tokenizer: int) -> list[list[int]]:
        """The boundaries of one tokenizer strictly inside each stretch, in bytes: d lists."""
        places = np.flatnonzero(self.marks & np.uint8(1 << tokenizer))
        first = np.searchsorted(places, self.arrays["start_utf8"], side="right").tolist()
        last = np.searchsorted(places, self.arrays["end_utf8"], side="left").tolist()
        flat = places.tolist()
        return [flat[a:b] for a, b in zip(first, last, strict=True)]


def divergences(text: str, spans: Sequence[Spans], *, ignore_spaces: bool = True) -> Divergences:
    """The stretches of `text` on which tokenizers differ.

    `spans` are those of each tokenizer's tokens that stand for a part of the text, shape (n, 2) each, in order; one that
    drops white space has both an end before it and a start after it. With `ignore_spaces` a boundary beside or inside white
    space counts at the start of it: which token keeps the space is a convention, not a disagreement. Raises ValueError for
    more than eight tokenizers.

    >>> a, b = np.array([[0, 2], [2, 4], [4, 6]], np.uint32), np.array([[0, 3], [3, 4], [4, 6]], np.uint32)
    >>> found = divergences("abcdef", [a, b])  # 0..4 differs, 4..6 does not
    >>> found.arrays["start_utf8"].tolist(), found.arrays["end_utf8"].tolist(), found.boundaries(1)
    ([0], [4], [[3]])
    """
    return Divergences.of(engine.divergences(text, list(spans), ignore_spaces))


def agreement(shared: NDArray[np.integer[Any]], either: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """How far tokenizers agree on boundaries: shared boundaries in all that a pair has; 1 where it has none.

    >>> agreement(np.array([[4, 1], [1, 2]]), np.array([[4, 5], [5, 2]])).tolist()
    [[1.0, 0.2], [0.2, 1.0]]

    Source: Jaccard index of the two boundary sets.
    """
    ratios: NDArray[np.float64] = np.where(either > 0, shared / np.maximum(either, 1), 1.0)
    return ratios


def split_into_parts(data: bytes, start: int, end: int, boundaries: list[int]) -> list[bytes]:
    """The bytes of `data` from `start` to `end`, split at each of `boundaries`, which lie between them in order.

    >>> split_into_parts(b"a 2048", 1, 6, [2, 5])
    [b' ', b'204', b'8']
    """
    return [data[a:b] for a, b in zip([start, *boundaries], [*boundaries, end], strict=True)]
