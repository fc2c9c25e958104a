"""How much two vocabularies have in common.

Two tokens are the same if they mean the same: the same bytes, and both or neither start a word (`surface`). This is the one
definition for every figure that compares vocabularies. Not here: how their files spell them (`tokenizer_diff`), what tokenizers
make of a text (`divergence`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Vocabulary = Mapping[bytes, Sequence[int]]
"""Ids by meaning. Several tokens can have one meaning: in Llama 2, `A` and the byte token `<0x41>`."""


@dataclass(frozen=True)
class Overlap:
    """Two vocabularies a and b, counted in tokens. `only_a + shared` is the size of a, `shared + only_b` that of b."""

    size_a: int
    size_b: int
    shared: int
    """Pairs of a token of a and one of b that are the same; each token is in one pair at most."""
    same_id: int
    """Of these, pairs with the same id."""

    @property
    def only_a(self) -> int:
        """Tokens of a without a partner in b."""
        return self.size_a - self.shared

    @property
    def only_b(self) -> int:
        """Tokens of b without a partner in a."""
        return self.size_b - self.shared

    @property
    def jaccard(self) -> float | None:
        """Shared tokens divided by all that there are, in [0, 1]; None if both are empty."""
        union = self.size_a + self.size_b - self.shared
        return self.shared / union if union else None


def overlap(a: Vocabulary, b: Vocabulary) -> Overlap:
    """Counts what `a` and `b` share.

    >>> found = overlap({b"a": [0, 3], b" the": [1]}, {b" the": [1], b"b": [0], b"a": [2]})
    >>> (found.only_a, found.shared, found.only_b), found.same_id, found.jaccard
    ((1, 2, 1), 1, 0.5)
    """
    pairs = [(ids, b[token]) for token, ids in a.items() if token in b]
    return Overlap(
        sum(map(len, a.values())),
        sum(map(len, b.values())),
        sum(min(len(mine), len(theirs)) for mine, theirs in pairs),
        sum(len(set(mine) & set(theirs)) for mine, theirs in pairs),
    )


def surface(token: bytes, continuing_prefix: bytes | None) -> bytes:
    """A token as byte-level vocabularies have it: with a space before it where it begins a word.

    `continuing_prefix` is what marks a token inside of a word (`##` of WordPiece), None where tokens hold their spaces.

    >>> surface(b"token", b"##"), surface(b"##ization", b"##"), surface(b" token", None)
    (b' token', b'ization', b' token')
    """
    if continuing_prefix is None:
        return token
    return token[len(continuing_prefix) :] if token.startswith(continuing_prefix) else b" " + token
