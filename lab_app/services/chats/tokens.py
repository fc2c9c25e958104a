"""Which message each token of a rendered chat belongs to, and whether the message or the template wrote it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lab_app.chat.marks import Places
from lab_app.editing.stages import loaded
from lab_app.editing.tables import Tables
from lab_app.engine import SPECIAL, Tokenizer
from lab_app.library.definition import definition as definition_of
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.engine_errors import translate_engine_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARK = "\U0010ffff"
"""A text that no message has: it is no character."""
BY_TEMPLATE, BY_MESSAGE, BY_BOTH = 0, 1, 2
"""Who wrote the text of a token."""


@dataclass(frozen=True)
class EncodedText:
    """The tokens of a text as arrays of n. Spans are in characters of the text; None if a plug-in reports none."""

    text: str
    ids: NDArray[np.uint32]
    spans: NDArray[np.uint32] | None
    """Shape (n, 2)."""
    special: NDArray[np.bool_]


@dataclass(frozen=True)
class Assigned:
    """To whom the tokens belong: arrays of n."""

    message: NDArray[np.int32]
    """The message a token belongs to; -1 before the first and after the last."""
    by: NDArray[np.uint8]
    """BY_TEMPLATE, BY_MESSAGE or BY_BOTH."""


def encode_parts(tokenizer: AnyTokenizer, text: str, as_text: Collection[tuple[int, int]] = ()) -> EncodedText:
    """Encodes a rendered text, whose control tokens are parsed, but not inside the ranges `as_text` of characters.

    The text between two parsed control tokens is encoded in one piece, as a tokenizer does that ignores the others. A
    control token that the model lists as an ordinary token, too, may be found in it all the same; it is `special` then.
    """
    whole = _encoded(tokenizer, text, parse=True)
    if not as_text or whole.spans is None:
        return whole
    import numpy as np

    ignored = np.zeros(len(text) + 1, np.int64)
    for start, end in as_text:
        ignored[start + 1 : end + 1] = 1
    ignored = np.cumsum(ignored)
    starts, ends = whole.spans[:, 0], whole.spans[:, 1]
    control = np.flatnonzero(whole.special)
    is_kept = ignored[ends[control]] == ignored[starts[control]]
    kept, dropped = control[is_kept], control[~is_kept]
    control_ids = list(tokenizer.special_tokens.values())
    parts: list[EncodedText] = []
    done = 0
    for gap in np.unique(np.searchsorted(kept, dropped)).tolist():
        first, at = (int(kept[gap - 1]) + 1, int(ends[kept[gap - 1]])) if gap else (0, 0)
        last, end = (int(kept[gap]), int(starts[kept[gap]])) if gap < kept.size else (whole.ids.size, len(text))
        again = _as_text(tokenizer, text[at:end], follows_control=gap > 0)
        assert again.spans is not None
        special = np.isin(again.ids, control_ids)
        parts += [_part(whole, done, first), replace(again, spans=again.spans + np.uint32(at), special=special)]
        done = last
    parts.append(_part(whole, done, whole.ids.size))
    return EncodedText(
        text,
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.spans for part in parts if part.spans is not None]),
        np.concatenate([part.special for part in parts]),
    )


def _part(encoded: EncodedText, first: int, end: int) -> EncodedText:
    assert encoded.spans is not None
    return EncodedText("", encoded.ids[first:end], encoded.spans[first:end], encoded.special[first:end])


def _encoded(tokenizer: AnyTokenizer, text: str, *, parse: bool) -> EncodedText:
    with translate_engine_errors():
        found = tokenizer.encode(text, add_special_tokens=False, specials="parse" if parse else "text")
    spans = found.span_char if getattr(found, "has_spans", True) else None
    return EncodedText(text, found.ids, spans, (found.flags & SPECIAL).astype(bool))


def _as_text(tokenizer: AnyTokenizer, text: str, *, follows_control: bool) -> EncodedText:
    """The tokens of a text without control tokens. One that follows a control token has no mark of the start of a text."""
    variant = None
    if follows_control and isinstance(tokenizer, Tokenizer) and MARK not in text:
        variant = _with_mark(tokenizer)
    if variant is None:
        return _encoded(tokenizer, text, parse=False)
    found = _encoded(variant, MARK + text, parse=True)
    assert found.spans is not None
    return EncodedText(text, found.ids[1:], found.spans[1:] - 1, found.special[1:])


@lru_cache(maxsize=2)
def _with_mark(tokenizer: Tokenizer) -> Tokenizer | None:
    """The tokenizer with `MARK` as its only control token; None if control tokens do not change the start of the text after them.

    Its texts are encoded as those after a control token are. Only a Metaspace stage with `prepend_scheme` "first" tells the two
    apart.
    """
    definition = definition_of(tokenizer)
    if definition is None or '"prepend_scheme": "first"' not in json.dumps(definition.get("pre_tokenizer")):
        return None
    kept = [token for token in definition["added_tokens"] if not token["special"]]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    mark = {"id": Tables.of(definition).next_id(), "content": MARK, **flags}
    return loaded({**definition, "added_tokens": [*kept, mark], "post_processor": None})


def assign(encoded: EncodedText, places: Places) -> Assigned | None:
    """Assigns each token to a message; None without spans.

    A token that holds text of two messages belongs to the first. Text that the template wrote belongs to the message its loop
    was at; outside of loops, to the first message before which it stands, or to the one before it.
    """
    import numpy as np

    if encoded.spans is None:
        return None
    size = len(encoded.text)
    owner = np.full(size + 1, -1, np.int32)
    for own in places.own:
        owner[own.start : own.end] = places.leaves[own.leaf].message
    block = np.full(size + 1, -1, np.int32)
    for start, end, number in places.blocks:
        block[start:end] = number
    _fill_outside(block, owner, places, size)
    starts, ends = encoded.spans[:, 0].astype(np.int64), encoded.spans[:, 1].astype(np.int64)
    owned = np.concatenate([[0], np.cumsum(owner[:size] >= 0)])
    count = owned[ends] - owned[starts]
    by = np.where(count == 0, BY_TEMPLATE, np.where(count == ends - starts, BY_MESSAGE, BY_BOTH)).astype(np.uint8)
    of_owned = np.append(owner[:size][owner[:size] >= 0], np.int32(-1))
    return Assigned(np.where(count > 0, of_owned[owned[starts]], block[starts]), by)


def _fill_outside(block: NDArray[np.int32], owner: NDArray[np.int32], places: Places, size: int) -> None:
    """Assigns text outside of loops that holds text of messages, such as that of a system message before the loop.

    It belongs to the first message up to its end, then to the one before; text at the very end prepares the answer.
    """
    for own in places.own:
        if block[own.start] >= 0:
            continue
        low, high = own.start, own.end
        while low > 0 and block[low - 1] < 0 and owner[low - 1] < 0:
            low -= 1
        while high < size and block[high] < 0 and owner[high] < 0:
            high += 1
        block[low : high if high < size else own.end] = places.leaves[own.leaf].message
