"""How much two vocabularies have in common.

Works on vocabularies as plain mappings, whatever made them. Not here: what tokenizers make of a text (`agreement`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

Vocabulary = Mapping[bytes, int]
"""Ids by what the tokens stand for (`surface`), special tokens not among them."""


@dataclass(frozen=True)
class Overlap:
    """Two vocabularies a and b, counted in tokens."""

    size_a: int
    size_b: int
    shared: int
    """Tokens that both have."""
    same_id: int
    """Of these, tokens that have the same id in both."""

    @property
    def jaccard(self) -> float | None:
        """Shared tokens in all there are, in [0, 1]; None where both are empty."""
        union = self.size_a + self.size_b - self.shared
        return self.shared / union if union else None


def overlap(a: Vocabulary, b: Vocabulary) -> Overlap:
    """What `a` and `b` share.

    >>> found = overlap({b"a": 0, b" the": 1}, {b" the": 1, b"b": 0, b"a": 2})
    >>> found.shared, found.same_id, found.jaccard
    (2, 1, 0.6666666666666666)
    """
    if len(b) < len(a):
        a_of_b = overlap(b, a)
        return Overlap(len(a), len(b), a_of_b.shared, a_of_b.same_id)
    shared = same_id = 0
    for token, id in a.items():
        other = b.get(token)
        if other is not None:
            shared += 1
            same_id += other == id
    return Overlap(len(a), len(b), shared, same_id)


def surface(token: bytes, continuing_prefix: bytes | None) -> bytes:
    """A token as byte-level vocabularies have it: with a space before it where it begins a word.

    `continuing_prefix` is what marks a token inside of a word (`##` of WordPiece), None where tokens hold their spaces.

    >>> surface(b"token", b"##"), surface(b"##ization", b"##"), surface(b" token", None)
    (b' token', b'ization', b' token')
    """
    if continuing_prefix is None:
        return token
    return token[len(continuing_prefix) :] if token.startswith(continuing_prefix) else b" " + token
