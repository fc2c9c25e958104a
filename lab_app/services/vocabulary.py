"""Looks tokens up in a vocabulary, one of them in detail, and cuts a vocabulary to a size.

Not here: searching (`vocabulary_search`).
"""

import time
from collections.abc import Sequence
from typing import Any

from lab_app import engine
from lab_app.errors import BadValue, DecodeFailed, EncodeFailed
from lab_app.services.encode import refuse_surrogates
from lab_app.services.engine_errors import parts
from lab_app.services.lab import Lab
from lab_app.services.vocabulary_search import heads_of, rows

MAX_IDS = 1000
MOST_RELATIVES = 200
MOST_CUT_CHARACTERS = 20_000

ORIGINS = {
    "symbol": "an initial symbol: no merge makes it",
    "merged": "merges build it from its symbols, as the tree shows",
    "not_merged": "merging its symbols leads to other tokens",
    "not_in_merges": "no merges lead to it: it is an added token, or has characters that are not symbols",
    "no_merges": "the model has no merges; it may have a score for each token instead",
    "too_long": "it is too long for a tree of its merges",
}


def tokens(lab: Lab, id: str, ids: Sequence[int]) -> list[dict[str, Any]]:
    """One object per id: `id`, `text` (None where the bytes are not whole characters), `bytes` (hex), `special`, `rank`,
    `score` (Unigram).

    Raises BadValue for more than a thousand ids, DecodeFailed for one that is not in the vocabulary.

    >>> from lab_app.settings import Settings
    >>> tokens(Lab(Settings()), "gpt2", [995])
    [{'id': 995, 'text': ' world', 'bytes': '20776f726c64', 'special': False, 'rank': 739, 'score': None}]
    """
    if len(ids) > MAX_IDS:
        raise BadValue(f"{len(ids)} ids are more than the limit", f"ask for at most {MAX_IDS} at a time")
    _, tokenizer = lab.loaded.get_any(id)
    strange = next((each for each in ids if not 0 <= each < tokenizer.vocab_size), None)
    if strange is not None:
        raise _no_token(strange, id, tokenizer.vocab_size)
    special = set(tokenizer.special_tokens.values())
    try:
        return [
            {
                "id": each,
                "text": tokenizer.token_text(each),
                "bytes": tokenizer.token_bytes(each).hex(),
                "special": each in special,
                "rank": tokenizer.rank(each),
                "score": getattr(tokenizer, "score", _no_score)(each),
            }
            for each in ids
        ]
    except engine.DecodeError as error:  # a hole among the ids
        raise DecodeFailed(*parts(error)) from error


def _no_token(token_id: int, id: str, vocab_size: int) -> DecodeFailed:
    return DecodeFailed(f"no token of {id} has id {token_id}", f"give an id below {vocab_size}")


def _no_score(_: int) -> None:
    """A plug-in's tokens have no scores."""


def token(lab: Lab, id: str, token_id: int) -> dict[str, Any]:
    """All there is to know of one token. `docs/reference/http-api.md` has the fields.

    Raises NotFound for an unknown tokenizer, DecodeFailed for an id that no token has.

    >>> from lab_app.settings import Settings
    >>> found = token(Lab(Settings()), "gpt2", 995)
    >>> [node["text"] for node in found["origin"]["nodes"]][-3:]
    ['ld', ' wor', ' world']
    """
    entry, tokenizer, index = lab.indexes.get(id)
    try:
        (row,) = rows(index, [token_id])
    except (engine.DecodeError, OverflowError) as error:
        raise _no_token(token_id, entry.id, tokenizer.vocab_size) from error
    merged_into = index.merged_into(token_id)
    data = bytes.fromhex(row["bytes"])
    holders = index.search(data=data, order="length")["ids"].tolist() if data else []
    holders = [each for each in holders if each != token_id]
    origin, without = index.origin(token_id), index.without(token_id)
    nodes, others = origin["nodes"] or [], origin["others"] or []
    wanted = {node[0] for node in nodes} | {*others, *index.variants(token_id), *holders[:MOST_RELATIVES]}
    wanted |= {each for merge in merged_into[:MOST_RELATIVES] for each in merge[1:]}
    wanted |= {each for each in (without[0] if without else ()) if each is not None}
    heads = heads_of(index, wanted)
    verdict, reason, words, text = index.finding(token_id)
    return {
        "tokenizer": entry.id,
        "token": row,
        "merge_count": tokenizer.merge_count,
        "reachability": {"verdict": verdict, "reason": reason, "words": words, "text": text},
        "origin": {
            "how": origin["how"],
            "words": ORIGINS[origin["how"]],
            "nodes": [_node(heads[node], merge) for node, merge in nodes],
            "others": [heads[each] for each in others],
        },
        "without": without
        and {"tokens": [None if each is None else heads[each] for each in without[0]], "score": without[1]},
        "merged_into": {
            "count": len(merged_into),
            "merges": [
                {"rank": rank, "left": heads[left], "right": heads[right], "made": heads[made]}
                for rank, left, right, made in merged_into[:MOST_RELATIVES]
            ],
        },
        "inside": {"count": len(holders), "tokens": [heads[each] for each in holders[:MOST_RELATIVES]]},
        "variants": [heads[each] for each in index.variants(token_id) if each != token_id],
    }


def _node(head: dict[str, Any], merge: tuple[int, int, int] | None) -> dict[str, Any]:
    rank, left, right = merge or (None, None, None)
    return {**head, "rank": rank, "left": left, "right": right}


def cut(lab: Lab, id: str, vocab_size: int | None, text: str) -> dict[str, Any]:
    """`text` under the tokenizer and under the same one cut to `vocab_size` tokens, special ones read as text.

    Without a size nothing is cut. Raises BadValue for a vocabulary that has no order, a size out of range or a text that
    is too long, and as `encode`.

    >>> from lab_app.settings import Settings
    >>> found = cut(Lab(Settings()), "gpt2", 1000, "Hello world")
    >>> found["whole_count"], found["token_count"], [token["text"] for token in found["tokens"]]
    (2, 4, ['H', 'ell', 'o', ' world'])
    """
    entry, whole = lab.loaded.get(id)
    refuse_surrogates(text)
    if len(text) > MOST_CUT_CHARACTERS:
        raise BadValue(f"the text has {len(text)} characters", f"give at most {MOST_CUT_CHARACTERS}")
    sizes = whole.cut_sizes
    if sizes is None:
        raise BadValue(
            f"the vocabulary of {entry.id} cannot be shrunk",
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
    heads = {each: tokenizer.token_text(each) for each in set(encoding.ids.tolist())}
    known = {each: tokenizer.token_to_id(whole.token_bytes(each)) == each for each in set(whole_ids.tolist())}
    bytes_of = {each: tokenizer.token_bytes(each).hex() for each in heads}
    return {
        "tokenizer": entry.id,
        "sizes": [least, most],
        "size": size,
        "token_count": len(encoding),
        "whole_count": int(whole_ids.size),
        "kept_count": sum(known[each] for each in whole_ids.tolist()),
        "unknown_count": int(((encoding.flags & engine.UNKNOWN) != 0).sum()),
        "text_bytes": len(text.encode()),
        "built_ns": built_ns,
        "tokens": [
            {"id": each, "text": heads[each], "bytes": bytes_of[each], "span_utf16": span}
            for each, span in zip(encoding.ids.tolist(), encoding.span_utf16.tolist(), strict=True)
        ],
    }
