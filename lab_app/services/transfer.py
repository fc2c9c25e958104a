"""Ids of one tokenizer re-expressed in another, and what is lost on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.engine import UNKNOWN, DecodeError, Specials, Tokenizer
from lab_app.services.decode import decode
from lab_app.services.encode import encode
from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab
from lab_app.settings import DEFAULT_SPECIALS


@dataclass(frozen=True)
class Loss:
    """Something that did not come across."""

    kind: str
    """`special`: a special token that the other vocabulary lacks. `bytes`: bytes that are no text. `unknown`: text that
    the other vocabulary lacks. `text`: the other tokenizer gives another text back. `source`: the first one did."""
    what: str
    where: int | None
    """Index among the ids given, or None."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, "what": self.what, "where": self.where}


@dataclass(frozen=True)
class Transfer:
    """Ids before and after."""

    source: str
    target: str
    source_ids: NDArray[np.uint32]
    target_ids: NDArray[np.uint32]
    text: str
    """What the source's ids stand for."""
    losses: list[Loss] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        return {
            "from": self.source,
            "to": self.target,
            "text": self.text,
            "from_count": self.source_ids.size,
            "to_count": self.target_ids.size,
            "from_ids": self.source_ids.tolist(),
            "to_ids": self.target_ids.tolist(),
            "lossless": not self.losses,
            "losses": [loss.as_json() for loss in self.losses],
        }


def transfer_text(lab: Lab, source: str, target: str, text: str, *, specials: Specials = DEFAULT_SPECIALS) -> Transfer:
    """The ids of `text` under `source`, re-expressed in `target`. Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> found = transfer_text(Lab(Settings()), "gpt2", "cl100k_base", "naive tokenization")
    >>> found.source_ids.size, found.target_ids.size, found.losses
    (4, 4, [])
    """
    result = encode(lab, source, text, add_special_tokens=False, specials=specials)
    found = transfer(lab, source, target, result.ids.tolist())
    if found.text != text:
        found.losses.insert(0, Loss("source", f"{found.source} decodes to {_differing(text, found.text)}", None))
    return found


def transfer(lab: Lab, source: str, target: str, ids: Sequence[int]) -> Transfer:
    """`ids` of `source`, re-expressed in `target`.

    Special tokens become the target's of the same spelling; what is between them is decoded and encoded again. Raises
    DecodeFailed for an id that `source` does not have.
    """
    entry, theirs = lab.loaded.get(source)
    other, ours = lab.loaded.get(target)
    specials = {id: text for text, id in theirs.special_tokens.items()}
    out: list[NDArray[np.uint32]] = []
    text: list[str] = []
    losses: list[Loss] = []
    for start, end in _stretches(ids, set(specials)):
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
    return Transfer(entry.id, other.id, np.array(ids, np.uint32), joined, "".join(text), losses)


def _encode(tokenizer: Tokenizer, id: str, text: str, start: int, losses: list[Loss]) -> NDArray[np.uint32]:
    with errors_of_the_engine():
        encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
    unknown = np.flatnonzero(encoding.flags & UNKNOWN)
    for at in unknown[:10].tolist():
        first, last = encoding.span_char[at].tolist()
        losses.append(Loss("unknown", f"{id} has no token for {text[first:last]}", start))
    back = tokenizer.decode_bytes(encoding.ids, skip_special_tokens=False).decode("utf-8", "replace")
    if back != text and not unknown.size:
        losses.append(Loss("text", f"{id} decodes to {_differing(text, back)}", start))
    return encoding.ids


def _stretches(ids: Sequence[int], special: set[int]) -> Iterator[tuple[int, int]]:
    """Every special token alone, and the stretches between them."""
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
    """The first place where two texts differ, in words.

    >>> _differing("Naïve text", "naive text")
    '"naive tex…" for "Naïve tex…", from character 0 on'
    """
    pairs = zip(expected, found, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(found)))

    def shown(text: str) -> str:
        part = text[at : at + 9]
        return f'"{part}…"' if at + 9 < len(text) else f'"{part}"'

    return f"{shown(found)} for {shown(expected)}, from character {at} on"
