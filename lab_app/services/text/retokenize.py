"""Encodes with one tokenizer what another one encoded, and lists what is lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab_app.engine import UNKNOWN, DecodeError, Specials, Tokenizer
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.decode import decode
from lab_app.services.text.encode import encode
from lab_app.settings import DEFAULT_SPECIALS

LossKind = Literal["special", "bytes", "unknown", "text", "source"]
"""`special`: the target has no such special token. `bytes`: bytes that are not whole characters. `unknown`: text that the
target does not know. `text`: the target decodes to another text. `source`: the source decodes to another text."""


@dataclass(frozen=True)
class Loss:
    """Something that the target's ids do not hold."""

    kind: LossKind
    message: str
    index: int | None
    """Index among the source's ids; None if the loss has no place."""


@dataclass(frozen=True)
class Retokenization:
    """The ids of one tokenizer, and those of another for the same text."""

    source: str
    target: str
    text: str
    """The text that the source's ids decode to."""
    source_ids: list[int]
    target_ids: list[int]
    lossless: bool
    losses: list[Loss] = field(default_factory=list)


def retokenize_text(
    lab: Lab, source: str, target: str, text: str, *, specials: Specials = DEFAULT_SPECIALS
) -> Retokenization:
    """Encodes `text` with `source` and retokenizes the ids. Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> found = retokenize_text(Lab(Settings()), "gpt2", "cl100k_base", "naive tokenization")
    >>> len(found.source_ids), len(found.target_ids), found.losses
    (4, 4, [])
    """
    result = encode(lab, source, text, add_special_tokens=False, specials=specials)
    found = retokenize(lab, source, target, result.ids.tolist())
    if found.text == text:
        return found
    loss = Loss("source", f"{found.source} decodes to {_differing(text, found.text)}", None)
    return replace(found, lossless=False, losses=[loss, *found.losses])


def retokenize(lab: Lab, source: str, target: str, ids: Sequence[int]) -> Retokenization:
    """Converts `ids` of `source` to ids of `target`.

    Special tokens become the target's special tokens of the same text; the text between them is decoded and encoded again.
    Raises DecodeFailed for an id that `source` does not have.
    """
    entry, theirs = lab.loaded.get(source)
    other, ours = lab.loaded.get(target)
    specials = {id: text for text, id in theirs.special_tokens.items()}
    out: list[NDArray[np.uint32]] = []
    text: list[str] = []
    losses: list[Loss] = []
    for start, end in _segments(ids, set(specials)):
        if end - start == 1 and ids[start] in specials:
            token = specials[ids[start]]
            id = ours.special_tokens.get(token)
            text.append(token)
            if id is None:
                losses.append(Loss("special", f"{other.id} has no special token {token}", start))
            else:
                out.append(np.array([id], np.uint32))
            continue
        try:
            data = theirs.decode_bytes(ids[start:end], skip_special_tokens=False)
        except (DecodeError, OverflowError):
            decode(lab, source, ids)  # raises the same with the place among all ids
            raise
        part = data.decode("utf-8", "replace")
        text.append(part)
        if part.encode() != data:
            losses.append(Loss("bytes", f"{data.hex(' ')[:60]} is not whole characters", start))
        out.append(_encode(ours, other.id, part, start, losses))
    joined = np.concatenate(out) if out else np.zeros(0, np.uint32)
    return Retokenization(entry.id, other.id, "".join(text), list(ids), joined.tolist(), not losses, losses)


def _encode(tokenizer: Tokenizer, id: str, text: str, start: int, losses: list[Loss]) -> NDArray[np.uint32]:
    with translate_engine_errors():
        encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
        back = tokenizer.decode_bytes(encoding.ids, skip_special_tokens=False).decode("utf-8", "replace")
    unknown = np.flatnonzero(encoding.flags & UNKNOWN)
    for at in unknown[:10].tolist():
        first, last = encoding.span_char[at].tolist()
        losses.append(Loss("unknown", f"{id} has no token for {text[first:last]}", start))
    if back != text and not unknown.size:
        losses.append(Loss("text", f"{id} decodes to {_differing(text, back)}", start))
    return encoding.ids


def _segments(ids: Sequence[int], special: set[int]) -> Iterator[tuple[int, int]]:
    """The half-open ranges of each special token and of the ids between them."""
    start = 0
    for at, id in enumerate(ids):
        if id in special:
            if start < at:
                yield start, at
            yield at, at + 1
            start = at + 1
    if start < len(ids):
        yield start, len(ids)


def _differing(expected: str, found: str) -> str:
    """Describes the first difference of two texts.

    >>> _differing("Naïve text", "naive text")
    '"naive tex…" for "Naïve tex…", from character 0 on'
    """
    pairs = zip(expected, found, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(found)))

    def shown(text: str) -> str:
        part = text[at : at + 9]
        return f'"{part}…"' if at + 9 < len(text) else f'"{part}"'

    return f"{shown(found)} for {shown(expected)}, from character {at} on"
