"""A conversation as tokens: which message each belongs to, what the model is trained on, and what the template left out.

Not here: the template (`conversation`), whom a token belongs to (`tokens`), control tokens (`control_tokens`), `budget`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

from lab_app.analysis.positions import Positions
from lab_app.chat.marks import Places
from lab_app.chat.render import Rendered
from lab_app.errors import BadValue
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.number_words import number_of
from lab_app.services.chats.budget import Budget, budget_of
from lab_app.services.chats.control_tokens import ControlToken, located, spelled
from lab_app.services.chats.conversation import Conversation, Template, check_conversation
from lab_app.services.chats.tokens import BY_TEMPLATE, Assigned, EncodedText, assign, encode_parts
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Mask = Literal["template", "roles"]
"""Who says what a model is trained on: `generation` blocks of the template, or the role of the assistant."""
MOST_COMPARED = 20
"""Messages whose tokens are counted in both ways: each takes another encoding of the whole text."""
CONTROL = re.compile(r"<\|\w+\|>")
"""How templates spell control tokens."""


@dataclass(frozen=True)
class LeftOutText:
    """Text of a message that the template does not write."""

    field: str
    span_utf16: Span
    """In that field."""
    text: str
    count: int
    """Its tokens, encoded alone."""


@dataclass(frozen=True)
class ChatMessage:
    """The tokens of one message. Spans are half-open; those of text are in the rendered text."""

    role: str
    count: int | None
    """Tokens that hold text of the message. None if the template changed the text, so that its tokens are not known."""
    template_count: int | None
    """Tokens that the template wrote around it."""
    token_spans: list[Span]
    """The message's own tokens."""
    spans_utf8: list[Span]
    """The message's own text."""
    spans_utf16: list[Span]
    as_text: bool
    """Whether control tokens that it spells were encoded as ordinary text."""
    other_count: int | None
    """`count` if that were the other way round. None for a message without control tokens, and after the first 20 with some."""
    left_out: list[LeftOutText]


@dataclass(frozen=True)
class ChatTokens:
    """The tokens as lists of n."""

    texts: list[str | None]
    """None if the bytes are not whole characters."""
    spans_utf16: list[Span] | None
    """In the rendered text. None if a plug-in reports none."""
    messages: list[int | None]
    """The message a token belongs to; None before the first and after the last."""
    sources: list[int] | None
    """0: written by the template, 1: text of the message, 2: both."""
    special: list[int]
    """1 for control tokens."""


@dataclass(frozen=True)
class Chat:
    """A conversation as tokens."""

    tokenizer: str
    template: str
    """The template's name."""
    text: str
    """What the template made of the messages."""
    count: int
    ids: list[int]
    mask: list[int] | None
    """1 for tokens that a model is trained on. None if neither the template says it nor roles were asked for."""
    messages: list[ChatMessage]
    template_count: int | None
    """All tokens that hold no text of a message."""
    control_tokens: list[ControlToken]
    budget: Budget | None
    warnings: list[str]
    tokens: ChatTokens


def chat(
    lab: Lab,
    id: str,
    conversation: Conversation,
    template: Template,
    *,
    mask: Mask = "template",
    as_text: Collection[int] = (),
    context: int | None = None,
    reserve: int = 0,
) -> Chat:
    """Renders a conversation with a template, and encodes the text with the tokenizer `id`.

    Control tokens in the text are parsed, and the tokenizer's own template adds none, as `transformers` does it; in the
    messages `as_text` they are ordinary text. With `context`, the result has a budget in which `reserve` tokens are kept for the
    answer. Raises BadValue for values that do not go together and messages that the template refuses, EncodeFailed for a
    template that is broken, and what `encode` raises for the tokenizer.

    >>> from lab_app.services.chats.conversation import find_template
    >>> from lab_app.settings import Settings
    >>> lab = Lab(Settings())
    >>> found = chat(lab, "o200k_harmony", Conversation([{"role": "user", "content": "Hi"}]), find_template(lab, "o200k_harmony"))
    >>> found.ids, found.messages[0].count, found.template_count
    ([200006, 1428, 200008, 12194, 200007], 1, 4)
    """
    check_conversation(conversation, template)
    as_text = set(as_text)
    wrong = sorted(n for n in as_text if not 0 <= n < len(conversation.messages))
    if wrong:
        raise BadValue(
            f"there is no message {wrong[0]}: the conversation has {number_of(len(conversation.messages), 'message')}",
            "number them from 0",
        )
    entry, tokenizer = lab.loaded.get_any(id)
    rendered = template.render(conversation)
    refuse_surrogates(rendered.text)
    places = rendered.places or Places([])
    encoded = encode_parts(tokenizer, rendered.text, places.ranges_of(as_text))
    assigned = assign(encoded, places)
    known = assigned if rendered.has_own else None
    names = {id: text for text, id in tokenizer.special_tokens.items()}
    control = [*located(encoded, known, places, names)] if known else []
    control += spelled(conversation, names, messages=known is None)
    roles = [str(each.get("role", "message")) for each in conversation.messages]
    if mask == "roles":
        found_mask, trained = _mask_of_roles(encoded, known, roles)
    else:
        found_mask, trained = _mask_of_template(encoded, rendered)
    warnings = [*_unknown_tokens(template, names.values(), entry.id), *trained]
    if known is None:
        warnings.append("The template makes other text of marked messages: tokens by message are not known.")
    at = Positions(encoded.text)
    messages = _messages(tokenizer, at, known, roles, places, as_text)
    spelling = (
        sorted({one.message for one in control if one.message is not None} | set(as_text))[:MOST_COMPARED]
        if known
        else []
    )
    messages = [
        replace(each, other_count=_other_count(tokenizer, encoded.text, places, as_text, n)) if n in spelling else each
        for n, each in enumerate(messages)
    ]
    return Chat(
        entry.id,
        template.name,
        rendered.text,
        encoded.ids.size,
        encoded.ids.tolist(),
        None if found_mask is None else found_mask.tolist(),
        messages,
        None if known is None else int((known.by == BY_TEMPLATE).sum()),
        control,
        None
        if context is None
        else budget_of(tokenizer, conversation, template, encoded, known, as_text, context, reserve),
        warnings,
        _tokens(tokenizer, at, encoded, assigned, has_own=known is not None),
    )


def _unknown_tokens(template: Template, control: Collection[str], id: str) -> list[str]:
    """Warns of control tokens that the template writes and the tokenizer does not have."""
    unknown = sorted(set(CONTROL.findall(template.text)).difference(control))
    if not unknown:
        return []
    named = ", ".join(unknown[:3]) + (f" and {len(unknown) - 3} more" if len(unknown) > 3 else "")
    return [f"The template writes {named}, which {id} has no control token for: it is encoded as text."]


def _mask_of_template(encoded: EncodedText, rendered: Rendered) -> tuple[NDArray[np.uint8] | None, list[str]]:
    """1 for tokens that hold text of a `generation` block, and warnings. None if that is not known."""
    import numpy as np

    if not rendered.marks_answers:
        return None, ["Mask unknown: the template has no generation block, which would mark the answers."]
    if rendered.places is None or encoded.spans is None:
        return None, ["Mask unknown: the places of the answers are not known."]
    inside = np.zeros(len(encoded.text) + 1, np.int64)
    for start, end in rendered.places.generated:
        inside[start + 1 : end + 1] = 1
    inside = np.cumsum(inside)
    return (inside[encoded.spans[:, 1]] > inside[encoded.spans[:, 0]]).astype(np.uint8), []


def _mask_of_roles(
    encoded: EncodedText, assigned: Assigned | None, roles: list[str]
) -> tuple[NDArray[np.uint8] | None, list[str]]:
    """1 for the tokens of the assistant's messages and the control token after each, which the model writes, too."""
    import numpy as np

    if assigned is None:
        return None, ["Mask unknown: the tokens of each message are not known."]
    answers = [n for n, role in enumerate(roles) if role == "assistant"]
    found = np.isin(assigned.message, answers) & (assigned.by != BY_TEMPLATE)
    found[1:] |= found[:-1] & encoded.special[1:] & (assigned.by[1:] == BY_TEMPLATE)
    return found.astype(np.uint8), ["The mask is by role: answers and the control token after each."]


def _messages(
    tokenizer: AnyTokenizer,
    at: Positions,
    assigned: Assigned | None,
    roles: list[str],
    places: Places,
    as_text: Collection[int],
) -> list[ChatMessage]:
    if assigned is None:
        return [ChatMessage(role, None, None, [], [], [], False, None, []) for role in roles]
    import numpy as np

    utf8 = np.flatnonzero(~at.inside)
    spans: list[list[Span]] = [[] for _ in roles]
    for own in places.own:
        spans[places.leaves[own.leaf].message].append((own.start, own.end))
    left_out: list[list[LeftOutText]] = [[] for _ in roles]
    positions = cache(Positions)  # of a text whose every second line is left out
    for leaf, start, end in places.left_out():
        units = positions(leaf.text).utf16_of_char
        part = leaf.text[start:end]
        with translate_engine_errors():
            count = len(tokenizer.encode(part, add_special_tokens=False, specials="text"))
        left_out[leaf.message].append(LeftOutText(leaf.field, (int(units[start]), int(units[end])), part, count))
    own_tokens = assigned.by != BY_TEMPLATE
    known = assigned.message >= 0
    counts = np.bincount(assigned.message[known & own_tokens], minlength=len(roles)).tolist()
    template_counts = np.bincount(assigned.message[known & ~own_tokens], minlength=len(roles)).tolist()
    token_spans = _runs(np.where(own_tokens, assigned.message, -1), len(roles))
    return [
        ChatMessage(
            role,
            counts[n],
            template_counts[n],
            token_spans[n],
            [(int(utf8[start]), int(utf8[end])) for start, end in spans[n]],
            [(int(at.utf16_of_char[start]), int(at.utf16_of_char[end])) for start, end in spans[n]],
            n in as_text,
            None,
            left_out[n],
        )
        for n, role in enumerate(roles)
    ]


def _runs(values: NDArray[np.int32], count: int) -> list[list[Span]]:
    """The half-open ranges of equal values, by value from 0 on."""
    import numpy as np

    borders = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), values.size]
    runs: list[list[Span]] = [[] for _ in range(count)]
    for start, end in pairwise(borders):
        if start < end and values[start] >= 0:
            runs[int(values[start])].append((start, end))
    return runs


def _other_count(
    tokenizer: AnyTokenizer, text: str, places: Places, as_text: Collection[int], message: int
) -> int | None:
    """The tokens of a message if its control tokens were read the other way."""
    other = encode_parts(tokenizer, text, places.ranges_of(set(as_text) ^ {message}))
    assigned = assign(other, places)
    return None if assigned is None else int(((assigned.message == message) & (assigned.by != BY_TEMPLATE)).sum())


def _tokens(
    tokenizer: AnyTokenizer, at: Positions, encoded: EncodedText, assigned: Assigned | None, *, has_own: bool
) -> ChatTokens:
    ids = encoded.ids.tolist()
    texts = {id: tokenizer.token_text(id) for id in set(ids)}
    spans = None
    if encoded.spans is not None:
        spans = cast(list[Span], at.utf16_of_char[encoded.spans].tolist())  # lists: pairs take longer
    messages = [-1] * len(ids) if assigned is None else assigned.message.tolist()
    return ChatTokens(
        [texts[id] for id in ids],
        spans,
        [None if each < 0 else each for each in messages],
        assigned.by.tolist() if assigned is not None and has_own else None,
        encoded.special.astype(int).tolist(),
    )
