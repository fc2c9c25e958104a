"""The encoding of one text by a plug-in, with the fields of an engine's encoding.

`pretoken_count` is None, since a plug-in does not report pretokens. Without spans, `has_spans` is False, all spans are
(0, 0), and every token has the flag of an added special token. Not here: where the spans come from (`tokenizer`).
"""

from collections.abc import Set
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.counts import split_characters
from lab_app.analysis.positions import Positions
from lab_app.engine import ENDS_INSIDE, SPECIAL, STARTS_INSIDE, TEMPLATE, UNKNOWN

Array = NDArray[np.uint32]


class PluginEncoding:
    """`spans` are in bytes of `text`, shape (n, 2), checked; None if unknown."""

    pretoken_count = None
    is_truncated = False

    def __init__(
        self,
        at: Positions,
        ids: Array,
        spans: Array | None,
        special: Set[int],
        unknown_id: int | None,
    ) -> None:
        self._at = at
        self.ids = ids
        self.has_spans = spans is not None
        self.span_utf8 = np.zeros((ids.size, 2), np.uint32) if spans is None else spans
        self._special = special
        self._unknown_id = unknown_id
        self.overflowing: list[PluginEncoding] = []

    def __len__(self) -> int:
        """How many tokens."""
        return int(self.ids.size)

    def count(self, flag: int, but: int = 0) -> int:
        """The number of tokens that have `flag` and none of the flags `but`."""
        return int(np.count_nonzero((self.flags & (flag | but)) == flag))

    @cached_property
    def span_char(self) -> Array:
        """Spans in characters: the whole of every character that a token has a part of, shape (n, 2)."""
        start, end = self.span_utf8[:, 0], self.span_utf8[:, 1]
        first = self._at.char_of_byte[start]
        last = self._at.char_of_byte[np.maximum(end, 1) - 1] + 1
        return np.stack([first, np.where(end > start, last, first)], axis=1).astype(np.uint32)

    @cached_property
    def span_utf16(self) -> Array:
        """The same in UTF-16 units, shape (n, 2)."""
        return self._at.utf16_of_char[self.span_char]

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """The engine's flags, shape (n,)."""
        start, end = self.span_utf8[:, 0], self.span_utf8[:, 1]
        flags = np.where(np.isin(self.ids, list(self._special)), SPECIAL, 0)
        flags |= np.where(start == end, TEMPLATE, 0)
        flags |= np.where(self._at.inside[start], STARTS_INSIDE, 0)
        flags |= np.where(self._at.inside[end], ENDS_INSIDE, 0)
        if self._unknown_id is not None:
            flags |= np.where(self.ids == self._unknown_id, UNKNOWN, 0)
        return flags.astype(np.uint8)

    @property
    def split_character_count(self) -> int | None:
        """Characters that more than one token holds; None without spans."""
        return split_characters(self.span_utf8[(self.flags & TEMPLATE) == 0], self._at) if self.has_spans else None

    @property
    def type_ids(self) -> NDArray[np.uint8]:
        """All 0: there is one text."""
        return np.zeros(self.ids.size, np.uint8)

    @property
    def sequence_ids(self) -> list[int | None]:
        """0, or None for a token without text."""
        return [None if flag & TEMPLATE else 0 for flag in self.flags.tolist()]

    @property
    def attention_mask(self) -> NDArray[np.uint8]:
        """All 1: nothing is padded."""
        return np.ones(self.ids.size, np.uint8)
