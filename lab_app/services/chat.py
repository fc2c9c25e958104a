"""Renders a list of messages as the text that a model receives, and encodes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.chat.render import render
from lab_app.chat.templates import DEFAULT, chat_templates
from lab_app.errors import BadValue
from lab_app.services.encode import encode
from lab_app.services.lab import Lab
from lab_app.services.results import EncodingResult

OWN = ("messages", "tools", "add_generation_prompt")
# Templates may ask whether there are any.
ABSENT = {"documents": None}
MAX_DEPTH = 100


@dataclass(frozen=True)
class Chat:
    """Messages rendered by a chat template, and the tokens of that text."""

    tokenizer: str
    template: str
    """The template's name."""
    text: str
    spelled_by_messages: list[str]
    """Control tokens that the messages themselves spell; a model cannot tell them from the template's own."""
    result: EncodingResult


@dataclass(frozen=True)
class ChatTemplates:
    """The names of a tokenizer's chat templates."""

    templates: list[str]


def templates_of(lab: Lab, id: str) -> ChatTemplates:
    """The chat templates of a tokenizer, often none. Raises NotFound, LoadFailed."""
    return ChatTemplates(list(chat_templates(lab.catalog.entry(id).files).by_name))


def chat(
    lab: Lab,
    id: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    tools: Sequence[Any] | None = None,
    add_generation_prompt: bool = False,
    template: str | None = None,
    template_text: str | None = None,
    variables: Mapping[str, Any] | None = None,
    now: str | None = None,
) -> Chat:
    """Renders `messages` with the tokenizer's chat template `template`, or with `template_text`, and encodes the text.

    Control tokens in the text are parsed, and the tokenizer's own template adds none, as `transformers` does it. Raises
    NotFound without a template, and what `lab_app.chat.render.render` and `encode` raise.

    >>> from lab_app.settings import Settings
    >>> found = chat(Lab(Settings()), "gpt2", [{"role": "user", "content": "Hi"}],
    ...     template_text="{% for one in messages %}{{ one.content }}<|endoftext|>{% endfor %}")
    >>> found.text, found.result.ids
    ('Hi<|endoftext|>', [17250, 50256])
    """
    given = dict(variables or {})
    check_depth({"messages": list(messages), "tools": list(tools or []), "variables": given})
    taken = sorted(set(given) & set(OWN))
    if taken:
        raise BadValue(f"variables cannot have {taken[0]}", "give it by its own name")
    entry = lab.catalog.entry(id)
    found = chat_templates(entry.files)
    name, text = (DEFAULT, template_text) if template_text is not None else found.named(template, entry.id)
    asked = {"messages": list(messages), "tools": tools, "add_generation_prompt": add_generation_prompt}
    rendered = render(text, {**ABSENT, **found.tokens, **given, **asked}, now=now)
    result = encode(lab, entry.id, rendered, add_special_tokens=False, specials="parse")
    specials = sorted(result.tokenizer.special_tokens)
    strings = _strings([*messages, *(tools or [])])
    spelled = [one for one in specials if one and any(one in each for each in strings)]
    return Chat(result.id, name, rendered, spelled, result.whole())


def check_depth(value: Any, most: int = MAX_DEPTH) -> None:
    """Raises BadValue for lists and objects that are nested more than `most` deep.

    >>> check_depth([[1]], most=2)
    >>> check_depth([[[1]]], most=2)
    Traceback (most recent call last):
        ...
    lab_app.errors.BadValue: lists and objects are nested more than 2 deep: flatten them
    """
    level = [value]
    for _ in range(most):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return
    if any(isinstance(each, Mapping | list) for each in level):
        raise BadValue(f"lists and objects are nested more than {most} deep", "flatten them")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list) else []


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for one in _inside(value) for each in _strings(one)]
