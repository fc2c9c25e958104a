"""Tests a chat template on a conversation, and on small ones of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal

from lab_app.chat import reference
from lab_app.children import TookTooLong
from lab_app.errors import LabError
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.number_words import number_of
from lab_app.services.chats.chat import Chat, chat
from lab_app.services.chats.conversation import Conversation, Template
from lab_app.services.chats.tokens import BY_BOTH, encode_parts
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Outcome = Literal["passed", "warning", "failed", "not measured"]
MOST_PREFIXES = 200
MOST_CHARACTERS = 8_000_000
"""Of all prefixes together, each of which repeats the messages of those before."""
SPACED = "  two  spaces\n\n and lines \n"
THOUGHT = "zephyr"
"""A word of the reasoning that the tests try."""


@dataclass(frozen=True)
class Check:
    """What one test found."""

    name: str
    outcome: Outcome
    summary: str
    message: int | None = None
    """The first message that it is about, from 0."""
    index: int | None = None
    """The first token that it is about."""


@dataclass(frozen=True)
class ChatChecks:
    """The tests of a template, the failed ones first."""

    tokenizer: str
    template: str
    checks: list[Check]


def check_template(lab: Lab, id: str, conversation: Conversation, template: Template) -> ChatChecks:
    """Runs all tests. Raises as `chat` does for the conversation itself.

    >>> from lab_app.services.chats.conversation import find_template
    >>> from lab_app.settings import Settings
    >>> lab = Lab(Settings())
    >>> found = check_template(lab, "gpt2", Conversation([{"role": "user", "content": "Hi"}]), find_template(lab, "gpt2", "chatml"))
    >>> [each.name for each in found.checks if each.outcome == "failed"]
    []
    """
    whole = chat(lab, id, conversation, template)
    _, tokenizer = lab.loaded.get_any(id)
    checks = [
        _control_tokens(whole),
        _prefixes(tokenizer, conversation, template),
        _generation_prompt(tokenizer, conversation, template),
        _bos(tokenizer, whole),
        _generation_blocks(whole),
        _left_out(whole),
        _joined(whole),
        *_probes(template),
        _transformers(conversation, template, whole),
    ]
    order: list[Outcome] = ["failed", "warning", "not measured", "passed"]
    return ChatChecks(whole.tokenizer, whole.template, sorted(checks, key=lambda each: order.index(each.outcome)))


def _control_tokens(whole: Chat) -> Check:
    name = "control tokens"
    if not whole.control_tokens:
        return Check(name, "passed", "No message spells a control token that the tokenizer has.")
    first = whole.control_tokens[0]
    where = "The tools spell" if first.message is None else f"Message {first.message + 1} spells"
    named = ", ".join(dict.fromkeys(each.token for each in whole.control_tokens))
    opened = next((each.role for each in whole.control_tokens if each.role), None)
    read = f" The model reads a message of the role {opened} there." if opened else ""
    return Check(name, "failed", f"{where} {named}.{read}", first.message, first.index)


def _prefixes(tokenizer: AnyTokenizer, conversation: Conversation, template: Template) -> Check:
    """Whether the tokens of the first n messages begin those of n + 1, as a cache of a model needs it."""
    name = "prefix"
    count = len(conversation.messages)
    plain = replace(conversation, add_generation_prompt=False)
    beside = len(json.dumps([plain.tools, plain.documents, plain.variables]))
    sizes = list(accumulate((len(json.dumps(each)) for each in conversation.messages), initial=beside))
    totals = accumulate(reversed(sizes[1:]))
    measured = min(MOST_PREFIXES + 1, sum(total <= MOST_CHARACTERS for total in totals))
    first = count - measured + 1
    if measured < 2:
        return Check(name, "not measured", "It takes two messages, and conversations that are not too long.")
    parts = [replace(plain, messages=conversation.messages[:n]) for n in range(first, count + 1)]
    found = [(first + n, text) for n, text in enumerate(template.render_all(parts)) if isinstance(text, str)]
    ids = [(n, encode_parts(tokenizer, text).ids) for n, text in found]
    pairs = [(a, b) for a, b in pairwise(ids) if b[0] == a[0] + 1]
    if not pairs:
        return Check(name, "not measured", "The template renders no two conversations of which one begins the other.")
    for (n, before), (_, after) in pairs:
        same = _common(before, after)
        if same < before.size:
            summary = (
                f"Messages 1–{n} do not begin messages 1–{n + 1}: they agree for {same} of"
                f" {number_of(before.size, 'token')}. A cache is lost there."
            )
            return Check(name, "failed", summary, n, same)
    others = f" The other {count - 1 - len(pairs)} were not measured." if len(pairs) < count - 1 else ""
    checked = f"A further message changes no token before it: checked for {number_of(len(pairs), 'message')}."
    return Check(name, "passed", checked + others)


def _generation_prompt(tokenizer: AnyTokenizer, conversation: Conversation, template: Template) -> Check:
    name = "generation prompt"
    without, with_prompt = template.render_all(
        [replace(conversation, add_generation_prompt=each) for each in (False, True)]
    )
    if isinstance(without, LabError) or isinstance(with_prompt, LabError):
        return Check(name, "not measured", "The template does not render the conversation in both ways.")
    before, after = (encode_parts(tokenizer, each).ids for each in (without, with_prompt))
    same = _common(before, after)
    if same < before.size:
        return Check(name, "failed", f"It changes token {same + 1} of the conversation before it.", None, same)
    added = after.size - before.size
    if not added:
        return Check(name, "warning", "The template has none: it adds no token.")
    return Check(name, "passed", f"It adds {number_of(added, 'token')} at the end and changes none before.")


def _bos(tokenizer: AnyTokenizer, whole: Chat) -> Check:
    name = "beginning"
    with translate_engine_errors():
        found = tokenizer.encode(whole.text, add_special_tokens=True, specials="parse").ids[:2].tolist()
    names = {id: text for text, id in tokenizer.special_tokens.items()}
    if len(found) == 2 and found[0] == found[1] and found[0] in names:
        token = names[found[0]]
        if whole.ids[:2] == found:
            return Check(name, "failed", f"The template writes {token} twice at the beginning.", None, 0)
        return Check(
            name,
            "failed",
            f"The template writes {token}, and the tokenizer adds it again. Encode the rendered text without added special tokens.",
            None,
            0,
        )
    return Check(name, "passed", "No control token stands twice at the beginning.")


def _generation_blocks(whole: Chat) -> Check:
    name = "generation blocks"
    if whole.mask is None:
        return Check(name, "warning", next(each for each in whole.warnings if each.startswith("Mask unknown")))
    return Check(name, "passed", f"They cover {sum(whole.mask)} of {number_of(whole.count, 'token')}.")


def _left_out(whole: Chat) -> Check:
    name = "left out"
    lost = [(n, each) for n, message in enumerate(whole.messages) for each in message.left_out]
    if whole.template_count is None:
        return Check(name, "not measured", "The tokens of each message are not known.")
    if not lost:
        return Check(name, "passed", "The template writes all text of the messages.")
    number, first = lost[0]
    more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
    count = sum(each.count for _, each in lost)
    summary = f"The template leaves out {first.field} of message {number + 1}{more}: {number_of(count, 'token')}."
    return Check(name, "warning", summary, number)


def _joined(whole: Chat) -> Check:
    name = "joined tokens"
    if whole.tokens.sources is None:
        return Check(name, "not measured", "The tokens of each message are not known.")
    joined = [n for n, source in enumerate(whole.tokens.sources) if source == BY_BOTH]
    if not joined:
        return Check(name, "passed", "No token holds text of a message and of the template.")
    text = whole.tokens.texts[joined[0]]
    summary = f"{number_of(len(joined), 'token')} hold text of a message and of the template, first {text!r}."
    return Check(name, "warning", summary, whole.tokens.messages[joined[0]], joined[0])


def _probes(template: Template) -> Iterator[Check]:
    """What the template does with conversations that show one thing each."""
    user, answer = {"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}
    reasoning: list[dict[str, Any]] = [
        {**answer, "content": f"<think>\n{THOUGHT}\n</think>\n\ntwo"},
        {**answer, "reasoning_content": THOUGHT},
    ]
    roles = {
        "system": [{"role": "system", "content": "zero"}, user],
        "tool": [user, answer, {"role": "tool", "content": "3"}],
    }
    spaced = {
        "user": [{**user, "content": SPACED}, answer],
        "assistant": [user, {**answer, "content": SPACED}, user],
    }
    probes = [*([user, each, user] for each in reasoning), *roles.values(), *spaced.values()]
    found = template.render_all([Conversation(each) for each in probes])
    names = ("in the content", "in reasoning_content")
    lost = [name for name, text in zip(names, found, strict=False) if isinstance(text, str) and THOUGHT not in text]
    yield (
        Check("reasoning", "warning", f"The template leaves out reasoning {' and '.join(lost)} of earlier answers.")
        if lost
        else Check("reasoning", "passed", "Reasoning of an earlier answer is kept.")
    )
    refused = [role for role, text in zip(roles, found[2:], strict=False) if isinstance(text, LabError)]
    yield (
        Check("roles", "warning", f"The template refuses the role {' and '.join(refused)}.")
        if refused
        else Check("roles", "passed", "The template takes the roles system, user, assistant and tool.")
    )
    trimmed = [
        role for role, text in zip(spaced, found[4:], strict=False) if isinstance(text, str) and SPACED not in text
    ]
    yield (
        Check("white space", "warning", f"White space in messages of the role {' and '.join(trimmed)} is lost.")
        if trimmed
        else Check("white space", "passed", "White space in messages is kept.")
    )


def _transformers(conversation: Conversation, template: Template, whole: Chat) -> Check:
    name = "transformers"
    if not reference.is_installed():
        return Check(name, "not measured", "transformers is not installed.")
    try:
        text = reference.reference_text(template.text, template.variables(conversation))
    except TookTooLong:
        return Check(name, "not measured", "transformers took too long.")
    except ValueError as error:
        return Check(name, "failed", f"transformers makes no text of this conversation: {error}.")
    at = next(
        (n for n, (a, b) in enumerate(zip(text, whole.text, strict=False)) if a != b), min(len(text), len(whole.text))
    )
    if text != whole.text:
        return Check(
            name, "failed", f"transformers makes another text, from character {at} on: {text[at : at + 20]!r}."
        )
    return Check(name, "passed", "transformers makes the same text.")


def _common(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    """The number of equal tokens at the beginning of both."""
    import numpy as np

    size = min(a.size, b.size)
    different = np.flatnonzero(a[:size] != b[:size])
    return int(different[0]) if different.size else size
