"""How the tokens of a chat fill a context, and which turns must go when they do not fit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from lab_app.chat.marks import Places
from lab_app.errors import BadValue, LabError
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.chats.conversation import Conversation, Template
from lab_app.services.chats.tokens import BY_TEMPLATE, Assigned, EncodedText, encode_parts

KEPT = ("system", "developer")
"""Roles of the messages at the beginning that are never dropped."""


@dataclass(frozen=True)
class RoleCount:
    """The tokens of all messages of a role."""

    role: str
    count: int


@dataclass(frozen=True)
class Dropped:
    """The oldest turns, without which the rest fits."""

    messages: list[int]
    """Numbers of the messages, from 0."""
    count: int
    """Tokens of the rest, rendered again."""


@dataclass(frozen=True)
class Budget:
    """The tokens of a context, and what they are used for."""

    context: int
    reserve: int
    """Tokens kept for the answer."""
    roles: list[RoleCount] | None
    """None if the tokens by message are not known."""
    template_count: int | None
    free: int
    """Tokens left; below 0 if the chat does not fit."""
    first_outside: int | None
    """The first message that does not fit whole; None if all do, or it is not known."""
    dropped: Dropped | None
    """None if the chat fits, or if the last turn alone does not, or if the template refuses the rest."""


def budget_of(
    tokenizer: AnyTokenizer,
    conversation: Conversation,
    template: Template,
    encoded: EncodedText,
    assigned: Assigned | None,
    as_text: Collection[int],
    context: int,
    reserve: int,
) -> Budget:
    """The budget of an encoded chat; with `assigned`, by role. Raises BadValue for numbers that do not go together."""
    if context < 1 or not 0 <= reserve < context:
        raise BadValue(
            f"a context of {context} tokens cannot reserve {reserve}",
            "give a context of at least 1 token, and reserve fewer than it has",
        )
    room = context - reserve
    roles = template_count = first_outside = None
    if assigned is not None:
        own = assigned.by != BY_TEMPLATE
        names = [str(each.get("role", "message")) for each in conversation.messages]
        by_role = dict.fromkeys(names, 0)
        for message in assigned.message[own].tolist():
            by_role[names[message]] += 1
        roles = [RoleCount(role, count) for role, count in by_role.items()]
        template_count = int((~own).sum())
        first_outside = next((each for each in assigned.message[room:].tolist() if each >= 0), None)
    free = room - encoded.ids.size
    dropped = None if free >= 0 else _dropped(tokenizer, conversation, template, as_text, room)
    return Budget(context, reserve, roles, template_count, free, first_outside, dropped)


def turn_starts(conversation: Conversation) -> list[int]:
    """The messages that begin a turn: those of users, and the first that is no system message."""
    roles = [str(each.get("role")) for each in conversation.messages]
    first = next((n for n, role in enumerate(roles) if role not in KEPT), len(roles))
    return [n for n in range(first, len(roles)) if n == first or roles[n] == "user"]


def _dropped(
    tokenizer: AnyTokenizer, conversation: Conversation, template: Template, as_text: Collection[int], room: int
) -> Dropped | None:
    """The fewest of the oldest turns without which the rest fits: more turns dropped are never more tokens."""
    starts = turn_starts(conversation)
    low, high, found = 1, len(starts) - 1, None
    while low <= high:
        middle = (low + high) // 2
        kept = [n for n in range(len(conversation.messages)) if not starts[0] <= n < starts[middle]]
        try:
            rendered = template.render(replace(conversation, messages=[conversation.messages[n] for n in kept]))
        except LabError:
            return None
        places = rendered.places or Places([])
        ranges = places.ranges_of({n for n, old in enumerate(kept) if old in as_text})
        count = encode_parts(tokenizer, rendered.text, ranges).ids.size
        if count <= room:
            found, high = Dropped(list(range(starts[0], starts[middle])), count), middle - 1
        else:
            low = middle + 1
    return found
