"""Counts messages by a published rule, for tokenizers whose models have no published text around messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.chat import published
from lab_app.engine import Specials
from lab_app.errors import BadValue, NotFound
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode


@dataclass(frozen=True)
class ChatCount:
    """The tokens of messages, by a published rule: the tokenizer has no text for what is around them."""

    tokenizer: str
    count: int
    """Of all messages and the prompt for the model's answer."""
    messages: list[int]
    """Of each message, with what is around it."""
    reply_prompt: int
    """Of the prompt for the model's answer."""
    source: str
    """Who published the rule, and where."""


def counting_rule(lab: Lab, id: str) -> published.CountingRule | None:
    """How messages of a tokenizer are counted that has no chat template. Raises NotFound for an unknown tokenizer."""
    entry = lab.catalog.entry(id)
    return published.RULES.get(entry.id) if entry.engine else None


def count_messages(lab: Lab, id: str, messages: Sequence[Mapping[str, Any]]) -> ChatCount:
    """Counts messages by the rule that is published for `cl100k_base` and `o200k_base`.

    Special tokens in the texts are ordinary text. Raises NotFound for a tokenizer without a rule, BadValue for a field whose
    tokens the rule does not count.

    >>> from lab_app.settings import Settings
    >>> count_messages(Lab(Settings()), "cl100k_base", [{"role": "user", "content": "Hello"}]).count
    8
    """
    rule = counting_rule(lab, id)
    if rule is None:
        known = " or ".join(published.RULES)
        raise NotFound(
            f"no rule for counting chat messages of {id} is published",
            f"choose {known}, or count with a chat template",
        )
    counts = [_counted(lab, id, rule, message, n) for n, message in enumerate(messages)]
    return ChatCount(lab.catalog.entry(id).id, sum(counts) + rule.reply_prompt, counts, rule.reply_prompt, rule.source)


def _counted(lab: Lab, id: str, rule: published.CountingRule, message: Mapping[str, Any], n: int) -> int:
    for name, value in message.items():
        if name not in published.COUNTED or not isinstance(value, str):
            raise BadValue(
                f"messages[{n}].{name} is not counted by the rule of {rule.source}",
                f"give texts for {', '.join(published.COUNTED)}, and nothing else",
            )
    counts = [count_tokens(lab, id, value, specials="text") for value in message.values()]
    return rule.per_message + sum(counts) + (rule.per_name if "name" in message else 0)


def count_tokens(lab: Lab, id: str, text: str, specials: Specials = "parse") -> int:
    """The number of tokens of a text of a message, alone. Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> count_tokens(Lab(Settings()), "gpt2", "Hello, world")
    3
    """
    return len(encode(lab, id, text, add_special_tokens=False, specials=specials).encoding)
