"""Report how far one tokenizer can replace another: vocabularies, special tokens, cuts, and rows of an embedding table."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lab_app.analysis.overlap import Overlap, Vocabulary, overlap, surface
from lab_app.engine import DecodeError, Specials, Tokenizer
from lab_app.library.definition import continuing_prefix
from lab_app.services.compare import compare
from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab
from lab_app.settings import DEFAULT_SPECIALS


@dataclass(frozen=True)
class Rows:
    """Where the rows of a new embedding table, one per id of b, could come from in the table of a."""

    copied: int
    """Tokens that a has, too."""
    composed: int
    """Tokens whose text a cuts into several tokens of its own: their rows could be averaged."""
    mean_parts: float | None
    """Tokens of a per composed token; None where there is none."""
    fresh: int
    """Tokens that a has nothing for: unknown to it, or bytes that are no text."""


@dataclass(frozen=True)
class Compatibility:
    """Two tokenizers a and b."""

    a: str
    b: str
    vocabularies: Overlap
    """Tokens that are not special."""
    special_tokens: Overlap
    """Special tokens, which are the same if they have the same text."""
    specials: dict[str, tuple[int | None, int | None]]
    """Ids of every special token in a and in b, None where it has none."""
    rows: Rows
    agreement: float | None
    """Jaccard index of the boundaries on the text; None without a text."""
    counts: tuple[int, int] | None
    divergences: int | None
    """Stretches of the text on which the two differ; None without a text."""

    def parts(self) -> dict[str, tuple[int, int, int]]:
        """Tokens only in a, in both, and only in b: ordinary ones, special ones, and all, which add up to the vocabularies."""
        rows = {
            name: (each.only_a, each.shared, each.only_b)
            for name, each in (("ordinary", self.vocabularies), ("special", self.special_tokens))
        }
        only_a, both, only_b = (sum(column) for column in zip(*rows.values(), strict=True))
        return {**rows, "all": (only_a, both, only_b)}

    def as_json(self) -> dict[str, Any]:
        """Plain values; shares in [0, 1]."""
        sizes = self.vocabularies
        return {
            "a": self.a,
            "b": self.b,
            "vocabularies": {
                name: dict(zip(("only_a", "both", "only_b"), counts, strict=True))
                for name, counts in self.parts().items()
            },
            "size_a": sizes.size_a,
            "size_b": sizes.size_b,
            "shared_tokens": sizes.shared,
            "same_ids": sizes.same_id,
            "jaccard": sizes.jaccard,
            "share_of_a": sizes.shared / sizes.size_a if sizes.size_a else None,
            "share_of_b": sizes.shared / sizes.size_b if sizes.size_b else None,
            "specials": [{"text": text, "a": a, "b": b} for text, (a, b) in self.specials.items()],
            "rows": {
                "copied": self.rows.copied,
                "composed": self.rows.composed,
                "mean_parts": self.rows.mean_parts,
                "fresh": self.rows.fresh,
            },
            "agreement": self.agreement,
            "counts": None if self.counts is None else list(self.counts),
            "divergences": self.divergences,
        }


def compatibility(
    lab: Lab, a: str, b: str, text: str | None = None, *, specials: Specials = DEFAULT_SPECIALS
) -> Compatibility:
    """What `b` has in common with `a`, and what a table of embeddings made for `a` could give to `b`.

    Tokens are the same where they stand for the same bytes and both or neither begin a word. Raises what `compare` does.

    >>> from lab_app.settings import Settings
    >>> found = compatibility(Lab(Settings()), "gpt2", "cl100k_base", "The cat sat")
    >>> found.vocabularies.shared, found.agreement, found.rows.fresh < 1500
    (43066, 1.0, True)
    """
    found = None if text is None else compare(lab, [a, b], text, add_special_tokens=False, specials=specials)
    (first, mine), (second, theirs) = lab.loaded.get(a), lab.loaded.get(b)
    of_a, of_b = vocabulary(mine), vocabulary(theirs)
    names = dict.fromkeys([*mine.special_tokens, *theirs.special_tokens])
    return Compatibility(
        first.id,
        second.id,
        overlap(of_a, of_b),
        overlap(*({text.encode(): [id] for text, id in each.special_tokens.items()} for each in (mine, theirs))),
        {name: (mine.special_tokens.get(name), theirs.special_tokens.get(name)) for name in names},
        _rows(mine, of_a, of_b),
        None if found is None else float(found.agreement[0, 1]),
        None if found is None else (found.results[0].ids.size, found.results[1].ids.size),
        None if found is None else len(found.divergences),
    )


def vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    """The tokens that are not special, by meaning."""
    prefix = continuing_prefix(tokenizer)
    special = set(tokenizer.special_tokens.values())
    found: dict[bytes, list[int]] = {}
    for id in range(tokenizer.vocab_size):
        if id in special:
            continue
        try:
            token = tokenizer.token_bytes(id)
        except DecodeError:  # no token has this id
            continue
        found.setdefault(surface(token, prefix), []).append(id)
    return found


def _rows(a: Tokenizer, of_a: Vocabulary, of_b: Vocabulary) -> Rows:
    missing = [token for token, ids in of_b.items() if token not in of_a for _ in ids]
    texts = []
    for token in missing:
        try:
            texts.append(token.decode())
        except UnicodeDecodeError:
            continue
    with errors_of_the_engine():
        ids, starts = a.encode_ids_batch(texts)
    parts = np.diff(starts)
    known = parts > 0
    if a.unknown_id is not None:
        holds_unknown = (
            np.add.reduceat(np.append(ids == a.unknown_id, False), starts[:-1].astype(np.int64)) if texts else parts
        )
        known &= holds_unknown == 0
    composed = int(np.count_nonzero(known))
    return Rows(
        copied=sum(map(len, of_b.values())) - len(missing),
        composed=composed,
        mean_parts=float(parts[known].mean()) if composed else None,
        fresh=len(missing) - composed,
    )
