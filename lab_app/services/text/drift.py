"""IDs that a model sampled beside those that the encoder makes of their text, and the end of a prompt.

A model picks one token after the other, so its IDs need not be those that the encoder makes of the same text. Not here:
why the encoder puts a boundary where it does (`explain`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab_app.engine import EngineError, Tokenizer
from lab_app.errors import BadValue
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.explain import explain_text
from lab_app.services.text.results import Span
from lab_app.services.text.trace import MAX_CHARACTERS

MOST_PROMPT = 1000
"""Characters of a prompt: it is encoded once for each token of the vocabulary."""
AT_ONCE = 4096
"""Tokens after which it is encoded at once: each has a copy of the prompt."""

DriftKind = Literal["not canonical", "unstable end", "special text", "incomplete character"]
"""Other tokens for the same bytes; the last of them, which may change when the text goes on; a special token for its text, or its
text for a special token; bytes at the end that are no whole character."""


@dataclass(frozen=True)
class DriftPlace:
    """A part of the text for which the sampled IDs and the encoder's differ. Spans are half-open."""

    kind: DriftKind
    sampled: Span
    """Among the sampled IDs."""
    encoded: Span
    """Among the encoder's IDs."""
    span_utf8: Span
    text: str | None
    """None if the bytes are not whole characters."""


@dataclass(frozen=True)
class Drift:
    """Sampled IDs, and those of their text."""

    tokenizer: str
    text: str
    """What the IDs decode to, up to an incomplete character at the end."""
    sampled: list[int]
    encoded: list[int]
    sampled_texts: list[str | None]
    """Of each sampled ID; None if its bytes are not whole characters."""
    encoded_texts: list[str | None]
    first: int | None
    """The first sampled ID that differs; None if none does."""
    places: list[DriftPlace]
    same_text: bool
    """Whether both sides have the same bytes."""
    reason: str | None
    """Why the encoder takes other tokens at the first place; None if that is not known."""
    other_tokenizer: bool
    """Whether more than half of the IDs differ: they may be another tokenizer's."""


@dataclass(frozen=True)
class PromptEnd:
    """The tokens of a prompt, and how its end changes when the text goes on."""

    tokenizer: str
    ids: list[int]
    stable: int
    """Tokens at the beginning that no next token changes."""
    changing: int
    """Tokens of the vocabulary after which the encoder makes other tokens of the prompt."""
    tried: int
    """Tokens of the vocabulary that are whole characters."""
    example: str | None
    """The shortest of those that change it."""
    rest: str | None
    """The text after the stable tokens, with which the next token of a healed prompt begins; None if it is not whole characters."""
    candidates: int
    """Tokens of the vocabulary that begin with it."""


def drift(lab: Lab, id: str, ids: Sequence[int]) -> Drift:
    """Compares `ids` with those that the encoder makes of their text. Special tokens in the text are parsed.

    Raises DecodeFailed for an ID that is not in the vocabulary, BadValue for bytes that are no text, and what `encode` raises.

    >>> from lab_app.settings import Settings
    >>> found = drift(Lab(Settings()), "gpt2", [71, 695, 78, 995])
    >>> found.first, found.places[0].text, found.encoded
    (0, 'hello', [31373, 995])
    """
    entry, tokenizer = lab.loaded.get(id)
    with translate_engine_errors():
        tokenizer.decode_bytes(ids, skip_special_tokens=False)  # refuses an ID with its place
        data = b"".join(tokenizer.token_bytes(each) for each in ids)
        text = _text(data)
        encoded = tokenizer.encode(text, add_special_tokens=False, specials="parse").ids.tolist()
        back = b"".join(tokenizer.token_bytes(each) for each in encoded)
    same_text = back == text.encode()
    special = set(tokenizer.special_tokens.values())
    places = _places(tokenizer, list(ids), encoded, data, special)
    changed = sum(each.sampled[1] - each.sampled[0] for each in places)
    return Drift(
        entry.id,
        text,
        list(ids),
        encoded,
        [tokenizer.token_text(each) for each in ids],
        [tokenizer.token_text(each) for each in encoded],
        places[0].sampled[0] if places else None,
        places,
        same_text,
        _reason(lab, id, tokenizer, text, list(ids), places) if places and same_text else None,
        changed > len(ids) / 2 and len(ids) > 3,
    )


def _text(data: bytes) -> str:
    """`data` up to an incomplete character at its end. Raises BadValue."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            return data[: error.start].decode()
        raise BadValue(
            f"byte {error.start} of the decoded IDs is no text", "give IDs of one text, all with one tokenizer"
        ) from error


def _places(
    tokenizer: Tokenizer, sampled: list[int], encoded: list[int], data: bytes, special: set[int]
) -> list[DriftPlace]:
    """The parts between boundaries of both sides in which the IDs differ."""
    ends = [[0, *accumulate(len(tokenizer.token_bytes(each)) for each in side)] for side in (sampled, encoded)]
    places: list[DriftPlace] = []
    a = b = 0
    while a < len(sampled) or b < len(encoded):
        first_a, first_b = a, b
        a, b = min(a + 1, len(sampled)), min(b + 1, len(encoded))
        while ends[0][a] != ends[1][b]:
            if (ends[0][a] < ends[1][b] or b == len(encoded)) and a < len(sampled):
                a += 1
            elif b < len(encoded):
                b += 1
            else:
                break
        if sampled[first_a:a] == encoded[first_b:b]:
            continue
        start, end = ends[0][first_a], max(ends[0][a], ends[1][b])
        part = data[start:end]
        kind: DriftKind = "not canonical"
        if (special & set(sampled[first_a:a])) != (special & set(encoded[first_b:b])):
            kind = "special text"
        elif _decoded(part) is None and end == len(data):
            kind = "incomplete character"
        elif end == len(data):
            kind = "unstable end"
        places.append(DriftPlace(kind, (first_a, a), (first_b, b), (start, end), _decoded(part)))
    return places


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _reason(
    lab: Lab, id: str, tokenizer: Tokenizer, text: str, sampled: list[int], places: list[DriftPlace]
) -> str | None:
    """Why the encoder has no boundary where the sampled tokens of the first place have one, or has another one."""
    first = places[0]
    if first.kind == "special text":
        return "Text that spells a special token is parsed as the token."
    if len(text) > MAX_CHARACTERS or first.kind == "incomplete character":
        return None
    at = first.span_utf8[0]
    for each in sampled[first.sampled[0] : first.sampled[1] - 1]:
        at += len(tokenizer.token_bytes(each))
        try:
            text.encode()[:at].decode()
        except UnicodeDecodeError:
            continue
        place = explain_text(lab, id, text, at, specials="parse", edits=False).places[0]
        if not place.boundary:
            return f"{place.reason} {place.summary.rstrip('.')}."
    return None


def prompt_end(lab: Lab, id: str, text: str) -> PromptEnd:
    """Encodes a prompt followed by each token of the vocabulary, to see how much of it stays.

    Raises BadValue for a prompt that is too long, and what `encode` raises.

    >>> from lab_app.settings import Settings
    >>> found = prompt_end(Lab(Settings()), "gpt2", "The total is ")
    >>> len(found.ids), found.stable, found.rest
    (4, 3, ' ')
    """
    refuse_surrogates(text)
    if len(text) > MOST_PROMPT:
        raise BadValue(
            f"the prompt has {len(text)} characters, and at most {MOST_PROMPT} are tried", "give the end of the prompt"
        )
    entry, tokenizer = lab.loaded.get(id)
    special = set(tokenizer.special_tokens.values())
    nexts = [token for n in range(tokenizer.vocab_size) if n not in special and (token := _token_text(tokenizer, n))]
    with translate_engine_errors():
        ids = tokenizer.encode_ids(text, specials="parse")
        parts = [
            _kept(ids, *tokenizer.encode_ids_batch([text + each for each in nexts[n : n + AT_ONCE]], specials="parse"))
            for n in range(0, len(nexts), AT_ONCE)
        ]
    kept = np.concatenate([np.zeros(0, np.int64), *parts])
    stable = int(kept.min()) if kept.size else ids.size
    changing = np.flatnonzero(kept < ids.size)
    example = min((nexts[n] for n in changing.tolist()), key=len, default=None)
    rest = b"".join(tokenizer.token_bytes(each) for each in ids[stable:].tolist())
    whole = _decoded(rest)
    candidates = 0 if not rest else sum(each.encode().startswith(rest) for each in nexts)
    return PromptEnd(entry.id, ids.tolist(), stable, int(changing.size), len(nexts), example, whole, candidates)


def _token_text(tokenizer: Tokenizer, id: int) -> str | None:
    try:
        return tokenizer.token_text(id)
    except (EngineError, ValueError, OverflowError):
        return None  # a hole in the vocabulary


def _kept(ids: NDArray[np.uint32], flat: NDArray[np.uint32], starts: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each row, the number of tokens at its beginning that are those of `ids`."""
    first = starts[:-1].astype(np.int64)
    sizes = np.minimum(np.diff(starts.astype(np.int64)), ids.size)
    kept = np.zeros(first.size, np.int64)
    same = np.ones(first.size, bool)
    for n, each in enumerate(ids.tolist()):
        same &= sizes > n
        same &= flat[np.minimum(first + n, flat.size - 1)] == each
        kept += same
    return kept
