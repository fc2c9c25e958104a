"""Looks tokens up in a vocabulary, describes one of them in detail, and truncates a vocabulary.

Not here: searching (`search`).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from lab_app import engine
from lab_app.errors import BadValue, DecodeFailed, EncodeFailed
from lab_app.services.engine_errors import parts
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import Span
from lab_app.services.vocabularies.search import TokenHead, TokenRow, Verdict, heads_of, rows

MAX_IDS = 1000
MAX_RELATIVES = 200
MAX_CHARACTERS = 20_000
"""The longest text that a truncated vocabulary encodes."""

Method = Literal["symbol", "merged", "not_merged", "not_in_merges", "no_merges", "too_long"]

EXPLANATIONS: dict[Method, str] = {
    "symbol": "an initial symbol: no merge makes it",
    "merged": "merges build it from its symbols, as the tree shows",
    "not_merged": "merging its symbols leads to other tokens",
    "not_in_merges": "no merges lead to it: it is an added token, or has characters that are not symbols",
    "no_merges": "the model has no merges; it may have a score for each token instead",
    "too_long": "it is too long for a tree of its merges",
}


@dataclass
class VocabularyToken(TokenHead):
    """One token of a vocabulary."""

    special: bool
    rank: int | None
    """Place in the list of merges of the first merge that makes it; None if no merge does."""
    score: float | None
    """Natural logarithm of the probability, in a Unigram model."""


@dataclass(frozen=True)
class VocabularyTokens:
    """The tokens of some ids, in the order asked for."""

    tokens: list[VocabularyToken]


@dataclass(frozen=True)
class Reachability:
    """Whether some text produces a token, the reason, and such a text."""

    verdict: Verdict
    reason: str
    explanation: str
    text: str | None


@dataclass
class MergeNode(TokenHead):
    """A node of a merge tree. `left` and `right` are indexes in the list of nodes, None for a symbol."""

    rank: int | None
    left: int | None
    right: int | None


@dataclass(frozen=True)
class TokenOrigin:
    """How merges build a token. The last node is the token; `competing_tokens` are what its symbols merge into instead."""

    method: Method
    explanation: str
    nodes: list[MergeNode]
    competing_tokens: list[TokenHead]


@dataclass(frozen=True)
class Segmentation:
    """A segmentation and the sum of its scores; None is an unknown character."""

    tokens: list[TokenHead | None]
    score: float


@dataclass(frozen=True)
class VocabularyMerge:
    """Two tokens and the token that they merge into."""

    rank: int
    left: TokenHead
    right: TokenHead
    made: TokenHead


@dataclass(frozen=True)
class MergesOf:
    """Merges that use a token, by rank: their number, and the first 200."""

    count: int
    merges: list[VocabularyMerge]


@dataclass(frozen=True)
class TokensWith:
    """Tokens that contain the bytes of a token, the shortest first: their number, and the first 200."""

    count: int
    tokens: list[TokenHead]


@dataclass(frozen=True)
class TokenDetail:
    """One token in detail."""

    tokenizer: str
    token: TokenRow
    merge_count: int | None
    """Merges of the model; ranks are below it."""
    reachability: Reachability
    origin: TokenOrigin
    segmentation_without: Segmentation | None
    """The best segmentation of its text without it, in a Unigram model."""
    merged_into: MergesOf
    containing_tokens: TokensWith
    variants: list[TokenHead]
    """Tokens that differ only in case or in the mark of their position."""


@dataclass
class TruncatedToken(TokenHead):
    """A token of the text under the truncated vocabulary."""

    span_utf16: Span


@dataclass(frozen=True)
class TruncatedVocabulary:
    """A text under the first `size` tokens of a vocabulary."""

    tokenizer: str
    sizes: Span
    """The smallest and the largest size."""
    size: int
    token_count: int
    whole_count: int
    """Tokens under the whole vocabulary."""
    kept_count: int
    """Of these, tokens that the truncated vocabulary has."""
    unknown_count: int
    text_bytes: int
    built_ns: int
    tokens: list[TruncatedToken]


def tokens(lab: Lab, id: str, ids: Sequence[int]) -> VocabularyTokens:
    """Looks up the tokens of `ids`.

    Raises BadValue for more than a thousand ids, DecodeFailed for one that is not in the vocabulary.

    >>> from lab_app.settings import Settings
    >>> tokens(Lab(Settings()), "gpt2", [995]).tokens
    [VocabularyToken(id=995, text=' world', bytes='20776f726c64', special=False, rank=739, score=None)]
    """
    if len(ids) > MAX_IDS:
        raise BadValue(f"{len(ids)} IDs are more than the limit", f"ask for at most {MAX_IDS} at a time")
    _, tokenizer = lab.loaded.get_any(id)
    strange = next((each for each in ids if not 0 <= each < tokenizer.vocab_size), None)
    if strange is not None:
        raise _no_token(strange, id, tokenizer.vocab_size)
    special = set(tokenizer.special_tokens.values())
    try:
        return VocabularyTokens(
            [
                VocabularyToken(
                    each,
                    tokenizer.token_text(each),
                    tokenizer.token_bytes(each).hex(),
                    each in special,
                    tokenizer.rank(each),
                    getattr(tokenizer, "score", _no_score)(each),
                )
                for each in ids
            ]
        )
    except engine.DecodeError as error:  # a hole among the ids
        raise DecodeFailed(*parts(error)) from error


def _no_token(token_id: int, id: str, vocab_size: int) -> DecodeFailed:
    return DecodeFailed(f"no token of {id} has id {token_id}", f"give an id below {vocab_size}")


def _no_score(_: int) -> None:
    """A plug-in's tokens have no scores."""


def token(lab: Lab, id: str, token_id: int) -> TokenDetail:
    """Describes one token in detail. Raises NotFound for an unknown tokenizer, DecodeFailed for an unknown id.

    >>> from lab_app.settings import Settings
    >>> found = token(Lab(Settings()), "gpt2", 995)
    >>> [node.text for node in found.origin.nodes][-3:]
    ['ld', ' wor', ' world']
    """
    entry, tokenizer, index = lab.indexes.get(id)
    try:
        (row,) = rows(index, [token_id])
    except (engine.DecodeError, OverflowError) as error:
        raise _no_token(token_id, entry.id, tokenizer.vocab_size) from error
    merged_into = index.merged_into(token_id)
    merges = merged_into[:MAX_RELATIVES]
    data = bytes.fromhex(row.bytes)
    holders = index.search(data=data, order="length")["ids"].tolist() if data else []
    holders = [each for each in holders if each != token_id]
    origin, without = index.origin(token_id), index.without(token_id)
    nodes, others = origin["nodes"] or [], origin["others"] or []
    variants = [each for each in index.variants(token_id) if each != token_id]
    wanted = {node[0] for node in nodes} | {*others, *variants, *holders[:MAX_RELATIVES]}
    wanted |= {each for merge in merges for each in merge[1:]}
    wanted |= {each for each in (without[0] if without else ()) if each is not None}
    heads = heads_of(index, wanted)
    verdict, reason, explanation, text = index.finding(token_id)
    method: Method = origin["how"]
    return TokenDetail(
        tokenizer=entry.id,
        token=row,
        merge_count=tokenizer.merge_count,
        reachability=Reachability(cast(Verdict, verdict), reason, explanation, text),
        origin=TokenOrigin(
            method,
            EXPLANATIONS[method],
            [_node(heads[node], merge) for node, merge in nodes],
            [heads[each] for each in others],
        ),
        segmentation_without=without
        and Segmentation([None if each is None else heads[each] for each in without[0]], without[1]),
        merged_into=MergesOf(
            len(merged_into),
            [VocabularyMerge(rank, heads[left], heads[right], heads[made]) for rank, left, right, made in merges],
        ),
        containing_tokens=TokensWith(len(holders), [heads[each] for each in holders[:MAX_RELATIVES]]),
        variants=[heads[each] for each in variants],
    )


def _node(head: TokenHead, merge: tuple[int, int, int] | None) -> MergeNode:
    return MergeNode(head.id, head.text, head.bytes, *(merge or (None, None, None)))


def truncate(lab: Lab, id: str, vocab_size: int | None, text: str) -> TruncatedVocabulary:
    """Encodes `text` with the tokenizer and with its first `vocab_size` tokens; special tokens are read as text.

    Without a size nothing is truncated. Raises BadValue for a vocabulary without an order, a size out of range or a text
    that is too long, and as `encode`.

    >>> from lab_app.settings import Settings
    >>> found = truncate(Lab(Settings()), "gpt2", 1000, "Hello world")
    >>> found.whole_count, found.token_count, [token.text for token in found.tokens]
    (2, 4, ['H', 'ell', 'o', ' world'])
    """
    entry, whole = lab.loaded.get(id)
    refuse_surrogates(text)
    if len(text) > MAX_CHARACTERS:
        raise BadValue(f"the text has {len(text)} characters", f"give at most {MAX_CHARACTERS}")
    sizes = whole.truncated_sizes
    if sizes is None:
        raise BadValue(
            f"the vocabulary of {entry.id} cannot be truncated",
            "use a rank file, or a tokenizer.json whose model is BPE or Unigram",
        )
    least, most = sizes
    size = most if vocab_size is None else vocab_size
    if not least <= size <= most:
        raise BadValue(f"{size} is not a possible size for {entry.id}", f"give {least} to {most} tokens")
    began = time.perf_counter_ns()
    tokenizer = whole.truncated(size, text=text) if size < most else whole
    built_ns = time.perf_counter_ns() - began
    try:
        encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
        whole_ids = whole.encode_ids(text)
    except engine.EncodeError as error:
        raise EncodeFailed(*parts(error)) from error
    known = {each: tokenizer.token_to_id(whole.token_bytes(each)) == each for each in set(whole_ids.tolist())}
    heads = {
        each: (tokenizer.token_text(each), tokenizer.token_bytes(each).hex()) for each in set(encoding.ids.tolist())
    }
    return TruncatedVocabulary(
        tokenizer=entry.id,
        sizes=(least, most),
        size=size,
        token_count=len(encoding),
        whole_count=int(whole_ids.size),
        kept_count=sum(known[each] for each in whole_ids.tolist()),
        unknown_count=int(((encoding.flags & engine.UNKNOWN) != 0).sum()),
        text_bytes=len(text.encode()),
        built_ns=built_ns,
        tokens=[
            TruncatedToken(each, *heads[each], (start, end))
            for each, (start, end) in zip(encoding.ids.tolist(), encoding.span_utf16.tolist(), strict=True)
        ],
    )
