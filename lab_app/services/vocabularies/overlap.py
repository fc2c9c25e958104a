"""Reports how far one tokenizer can replace another: shared tokens, special tokens, boundaries, and embedding rows."""

from dataclasses import dataclass

import numpy as np

from lab_app.analysis.overlap import Overlap, Vocabulary, overlap, surface
from lab_app.engine import DecodeError, Specials, Tokenizer
from lab_app.library.definition import continuing_prefix
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.compare import compare
from lab_app.settings import DEFAULT_SPECIALS


@dataclass(frozen=True)
class TokenCounts:
    """Tokens only in a, in both, and only in b: `only_a + both` are those of a, `both + only_b` those of b."""

    only_a: int
    both: int
    only_b: int


@dataclass(frozen=True)
class VocabularyCounts:
    """The tokens of both vocabularies: ordinary ones, special ones, and all."""

    ordinary: TokenCounts
    special: TokenCounts
    all: TokenCounts


@dataclass(frozen=True)
class SpecialTokenIds:
    """The ids of one special token, None in a tokenizer that lacks it."""

    text: str
    a: int | None
    b: int | None


@dataclass(frozen=True)
class EmbeddingRows:
    """Sources of the rows of a new embedding table, one row per id of b, in the table of a."""

    copied: int
    """Tokens that a also has."""
    averaged: int
    """Tokens that a encodes as several of its own: their rows could be averaged."""
    mean_parts: float | None
    """Tokens of a per averaged row; None without such rows."""
    new: int
    """Tokens without a source: unknown to a, or bytes that are not whole characters."""


@dataclass(frozen=True)
class VocabularyOverlap:
    """What two tokenizers a and b share. All figures but `special_tokens` and `vocabularies` leave special tokens out."""

    a: str
    b: str
    vocabularies: VocabularyCounts
    size_a: int
    size_b: int
    shared_tokens: int
    same_ids: int
    """Shared tokens with the same id in both."""
    jaccard: float | None
    """Shared tokens divided by all tokens, in [0, 1]; None if both vocabularies are empty."""
    share_of_a: float | None
    share_of_b: float | None
    special_tokens: list[SpecialTokenIds]
    """Special tokens are the same if they have the same text."""
    rows: EmbeddingRows
    agreement: float | None
    """Jaccard index of the boundaries on the text; None without a text."""
    counts: tuple[int, int] | None
    """Tokens of the text; None without a text."""
    divergences: int | None
    """Stretches of the text on which the two differ; None without a text."""


def vocabulary_overlap(
    lab: Lab, a: str, b: str, text: str | None = None, *, specials: Specials = DEFAULT_SPECIALS
) -> VocabularyOverlap:
    """Compares the vocabularies of `a` and `b`, and their boundaries on `text` if one is given.

    Tokens are the same if they have the same bytes and both or neither start a word. Raises what `compare` raises.

    >>> from lab_app.settings import Settings
    >>> found = vocabulary_overlap(Lab(Settings()), "gpt2", "cl100k_base", "The cat sat")
    >>> found.shared_tokens, found.agreement, found.rows.new < 1500
    (43066, 1.0, True)
    """
    on_text = None if text is None else compare(lab, [a, b], text, add_special_tokens=False, specials=specials)
    (first, mine), (second, theirs) = lab.loaded.get(a), lab.loaded.get(b)
    of_a, of_b = vocabulary(mine), vocabulary(theirs)
    ordinary = overlap(of_a, of_b)
    special = overlap(*({text.encode(): [id] for text, id in each.special_tokens.items()} for each in (mine, theirs)))
    names = dict.fromkeys([*mine.special_tokens, *theirs.special_tokens])
    return VocabularyOverlap(
        a=first.id,
        b=second.id,
        vocabularies=_counts(ordinary, special),
        size_a=ordinary.size_a,
        size_b=ordinary.size_b,
        shared_tokens=ordinary.shared,
        same_ids=ordinary.same_id,
        jaccard=ordinary.jaccard,
        share_of_a=ordinary.shared / ordinary.size_a if ordinary.size_a else None,
        share_of_b=ordinary.shared / ordinary.size_b if ordinary.size_b else None,
        special_tokens=[
            SpecialTokenIds(name, mine.special_tokens.get(name), theirs.special_tokens.get(name)) for name in names
        ],
        rows=_rows(mine, of_a, of_b),
        agreement=None if on_text is None else float(on_text.agreement[0, 1]),
        counts=None if on_text is None else (on_text.results[0].ids.size, on_text.results[1].ids.size),
        divergences=None if on_text is None else len(on_text.divergences),
    )


def _counts(ordinary: Overlap, special: Overlap) -> VocabularyCounts:
    first, second = (TokenCounts(each.only_a, each.shared, each.only_b) for each in (ordinary, special))
    total = TokenCounts(first.only_a + second.only_a, first.both + second.both, first.only_b + second.only_b)
    return VocabularyCounts(first, second, total)


def vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    """The ordinary tokens of `tokenizer`, by meaning."""
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


def _rows(a: Tokenizer, of_a: Vocabulary, of_b: Vocabulary) -> EmbeddingRows:
    missing = [token for token, ids in of_b.items() if token not in of_a for _ in ids]
    texts = []
    for token in missing:
        try:
            texts.append(token.decode())
        except UnicodeDecodeError:
            continue
    with translate_engine_errors():
        ids, starts = a.encode_ids_batch(texts)
    parts = np.diff(starts)
    known = parts > 0
    if a.unknown_id is not None:
        holds_unknown = (
            np.add.reduceat(np.append(ids == a.unknown_id, False), starts[:-1].astype(np.int64)) if texts else parts
        )
        known &= holds_unknown == 0
    averaged = int(np.count_nonzero(known))
    return EmbeddingRows(
        copied=sum(map(len, of_b.values())) - len(missing),
        averaged=averaged,
        mean_parts=float(parts[known].mean()) if averaged else None,
        new=len(missing) - averaged,
    )
