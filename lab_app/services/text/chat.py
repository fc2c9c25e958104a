"""Renders a list of messages as the text that a model receives, and encodes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.chat import published, templates
from lab_app.chat.render import render
from lab_app.chat.templates import DEFAULT, chat_templates
from lab_app.engine import Specials
from lab_app.errors import BadValue, NotFound
from lab_app.library.entry import Entry
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.text.results import EncodingResult, Result

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
class RenderedChat:
    """Messages rendered by a chat template, and the encoding of that text. Fields as in `Chat`."""

    template: str
    text: str
    spelled_by_messages: list[str]
    encoded: Result

    def whole(self) -> Chat:
        """The chat with its tokens as objects: a count needs none of them."""
        return Chat(self.encoded.id, self.template, self.text, self.spelled_by_messages, self.encoded.whole())


@dataclass(frozen=True)
class ChatTemplates:
    """The names of a tokenizer's chat templates."""

    templates: list[str]


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


def templates_of(lab: Lab, id: str) -> ChatTemplates:
    """The chat templates of a tokenizer, often none. Raises NotFound, LoadFailed."""
    return ChatTemplates(list(_templates(lab.catalog.entry(id)).by_name))


def _templates(entry: Entry) -> templates.ChatTemplates:
    """Those of its files, or the published one of a built-in tokenizer."""
    text = published.TEMPLATES.get(entry.id) if entry.engine else None
    return templates.ChatTemplates({DEFAULT: text}, {}) if text else chat_templates(entry.files)


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
) -> RenderedChat:
    """Renders `messages` with the tokenizer's chat template `template`, or with `template_text`, and encodes the text.

    Control tokens in the text are parsed, and the tokenizer's own template adds none, as `transformers` does it. Raises
    NotFound without a template, and what `lab_app.chat.render.render` and `encode` raise.

    >>> from lab_app.settings import Settings
    >>> found = chat(Lab(Settings()), "gpt2", [{"role": "user", "content": "Hi"}],
    ...     template_text="{% for one in messages %}{{ one.content }}<|endoftext|>{% endfor %}")
    >>> found.text, found.encoded.ids.tolist()
    ('Hi<|endoftext|>', [17250, 50256])
    """
    given = dict(variables or {})
    check_depth({"messages": list(messages), "tools": list(tools or []), "variables": given})
    taken = sorted(set(given) & set(OWN))
    if taken:
        raise BadValue(f"variables cannot have {taken[0]}", "give it by its own name")
    entry = lab.catalog.entry(id)
    found = _templates(entry)
    if template_text is None and entry.engine and entry.id in published.RULES:
        raise NotFound(
            f"{entry.id} has no chat template: of its models OpenAI has published how to count messages, and no text around"
            " them in tokens of this vocabulary",
            "count the messages (POST /chat/count), or give a template of your own",
            on_terminal="count the messages with --format count, or give a template with --template-file PATH",
        )
    if template_text is None and given and entry.engine and entry.id in published.TEMPLATES:
        raise BadValue(
            f"the template of {entry.id} does not render {next(iter(given))}",
            "leave it out, and write what the model is to know into a message",
        )
    name, text = (DEFAULT, template_text) if template_text is not None else found.named(template, entry.id)
    asked = {"messages": list(messages), "tools": tools, "add_generation_prompt": add_generation_prompt}
    rendered = _rendered(found, text, given | asked, now=now)
    result = encode(lab, entry.id, rendered, add_special_tokens=False, specials="parse")
    specials = sorted(result.tokenizer.special_tokens)
    strings = _strings([*messages, *(tools or [])])
    spelled = [one for one in specials if one and any(one in each for each in strings)]
    return RenderedChat(name, rendered, spelled, result)


def rendered_text(lab: Lab, id: str, messages: Sequence[Mapping[str, Any]]) -> str:
    """What `chat` makes of the messages with the tokenizer's own template, not encoded; raises as `chat`.

    >>> from lab_app.settings import Settings
    >>> rendered_text(Lab(Settings()), "o200k_harmony", [{"role": "user", "content": "Hi"}])
    '<|start|>user<|message|>Hi<|end|>'
    """
    entry = lab.catalog.entry(id)
    found = _templates(entry)
    _, text = found.named(None, entry.id)
    return _rendered(found, text, {"messages": list(messages), "tools": None, "add_generation_prompt": False})


def _rendered(
    found: templates.ChatTemplates, text: str, variables: Mapping[str, Any], *, now: str | None = None
) -> str:
    return render(text, {**ABSENT, **found.tokens, **variables}, now=now)


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
