"""Control tokens that messages spell. A model cannot tell them from the template's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from lab_app.analysis.positions import Positions
from lab_app.chat.marks import Places
from lab_app.services.chats.conversation import Conversation, strings
from lab_app.services.chats.tokens import BY_TEMPLATE, Assigned, EncodedText
from lab_app.services.text.results import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Reads = Literal["message start", "message end", "control token"]
ROLES = ("system", "developer", "user", "assistant", "tool")


@dataclass(frozen=True)
class ControlToken:
    """A control token that a message or a tool spells."""

    token: str
    id: int
    message: int | None
    """None for one in the tools or documents."""
    field: str | None
    """Where in the message: `content`, or `content[0].text`. None if the template changed the text."""
    span_utf16: Span | None
    """In that field."""
    index: int | None
    """Among the chat's tokens. None if the template changed the text."""
    reads: Reads
    """What the model reads there."""
    role: str | None
    """The role of the message that begins there."""


def located(encoded: EncodedText, assigned: Assigned, places: Places, names: dict[int, str]) -> Iterator[ControlToken]:
    """The control tokens among the tokens that hold text of a message. `names` has their texts by id."""
    import numpy as np

    assert encoded.spans is not None
    begins, ends = _around(encoded, assigned)
    roles = re.compile("|".join(map(re.escape, ROLES)))
    own_starts = np.array([own.start for own in places.own], np.int64)

    @cache
    def positions(leaf: int) -> Positions:
        return Positions(places.leaves[leaf].text)

    for index in np.flatnonzero(encoded.special & (assigned.by != BY_TEMPLATE)).tolist():
        id = int(encoded.ids[index])
        start, end = encoded.spans[index].tolist()
        own = places.own[max(int(np.searchsorted(own_starts, end)) - 1, 0)]
        span = None
        if own.start_in_leaf is not None and own.start <= start and end <= own.end:
            units = positions(own.leaf).utf16_of_char
            shift = own.start_in_leaf - own.start
            span = (int(units[start + shift]), int(units[end + shift]))
        role = roles.match(encoded.text, end)
        reads: Reads = "message start" if id in begins else "message end" if id in ends else "control token"
        yield ControlToken(
            names[id],
            id,
            int(assigned.message[index]),
            places.leaves[own.leaf].field,
            span,
            index,
            reads,
            role.group() if role and reads == "message start" else None,
        )


def spelled(conversation: Conversation, names: dict[int, str], *, messages: bool) -> Iterator[ControlToken]:
    """The control tokens in the texts of tools and documents, and with `messages` in those of messages, without a place."""
    ids = {text: id for id, text in names.items() if text}
    if not ids:
        return
    pattern = re.compile("|".join(map(re.escape, sorted(ids, key=len, reverse=True))))
    parts: list[tuple[int | None, object]] = [(None, [*(conversation.tools or []), *(conversation.documents or [])])]
    parts += enumerate(conversation.messages) if messages else []
    for message, value in parts:
        for text in strings(value):
            for found in pattern.finditer(text):
                token = found.group()
                yield ControlToken(token, ids[token], message, None, None, None, "control token", None)


def _around(encoded: EncodedText, assigned: Assigned) -> tuple[set[int], set[int]]:
    """The ids of the control tokens that the template writes first before a message's own text, and first after it."""
    begins: set[int] = set()
    ends: set[int] = set()
    for tokens in _by_message(assigned.message):
        by, special = assigned.by[tokens], encoded.special[tokens]
        own = (by != BY_TEMPLATE).nonzero()[0].tolist()
        control = ((by == BY_TEMPLATE) & special).nonzero()[0].tolist()
        if own:
            begins.update(encoded.ids[tokens[[n for n in control if n < own[0]][:1]]].tolist())
            ends.update(encoded.ids[tokens[[n for n in control if n > own[-1]][:1]]].tolist())
    return begins, ends - begins


def _by_message(message: NDArray[np.int32]) -> Sequence[NDArray[np.int64]]:
    """The tokens of each message, in order."""
    import numpy as np

    order = np.argsort(message, kind="stable")
    borders = np.flatnonzero(np.diff(message[order])) + 1
    return [each for each in np.split(order, borders) if each.size and message[each[0]] >= 0]
