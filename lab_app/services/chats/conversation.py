"""What a chat template is given, which template that is, and the text it makes. Not here: its tokens (`chat`)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lab_app.chat import published, templates
from lab_app.chat.render import Rendered, render_all, render_chat
from lab_app.chat.templates import DEFAULT, chat_templates
from lab_app.errors import BadValue, LabError, NotFound
from lab_app.library.entry import Entry
from lab_app.services.lab import Lab

OWN = ("messages", "tools", "documents", "add_generation_prompt")
MAX_DEPTH = 100


@dataclass(frozen=True)
class Conversation:
    """Messages, and what else a template is given."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Any] | None = None
    documents: Sequence[Any] | None = None
    add_generation_prompt: bool = False
    variables: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ChatTemplates:
    """The names of the chat templates of a tokenizer, and of those that every tokenizer may use."""

    templates: list[str]
    built_in: list[str]


@dataclass(frozen=True)
class Template:
    """A template, its name, and the variables that its tokenizer gives it, such as `bos_token`."""

    name: str
    text: str
    tokens: Mapping[str, str]
    now: str | None = None
    """The moment that `strftime_now` tells, as ISO 8601; None for that of the call."""

    def render(self, conversation: Conversation) -> Rendered:
        """The text of a conversation and the places of its messages. Raises as `lab_app.chat.render.render`."""
        return render_chat(self.text, self.variables(conversation), now=self.now)

    def render_all(self, conversations: Sequence[Conversation]) -> list[str | LabError]:
        """The text of each, or why the template failed. Raises EncodeFailed for a template that takes too long."""
        return render_all(self.text, [self.variables(each) for each in conversations], now=self.now)

    def variables(self, conversation: Conversation) -> dict[str, Any]:
        """All that the template is given."""
        own = {name: getattr(conversation, name) for name in OWN[1:]}
        return {**self.tokens, **conversation.variables, **own, "messages": list(conversation.messages)}


def templates_of(lab: Lab, id: str) -> ChatTemplates:
    """The chat templates of a tokenizer, often none. Raises NotFound, LoadFailed."""
    return ChatTemplates(list(_templates(lab.catalog.entry(id)).by_name), list(published.BUILT_IN))


def find_template(
    lab: Lab, id: str, name: str | None = None, text: str | None = None, *, now: str | None = None
) -> Template:
    """The template `text`; or the one called `name`: of the tokenizer, or else one that is built in. Raises NotFound, LoadFailed.

    >>> from lab_app.settings import Settings
    >>> find_template(Lab(Settings()), "gpt2", "chatml").name
    'chatml'
    """
    entry = lab.catalog.entry(id)
    found = _templates(entry)
    if text is not None:
        return Template(DEFAULT, text, found.tokens, now)
    if name in published.BUILT_IN and name not in found.by_name:
        return Template(name, published.BUILT_IN[name], found.tokens, now)
    if entry.engine and entry.id in published.RULES:
        raise NotFound(
            f"{entry.id} has no chat template: of its models OpenAI has published how to count messages, and no text around"
            " them in tokens of this vocabulary",
            "count the messages (POST /chat/count), or choose a template: chatml, harmony, or one of your own",
            on_terminal="count the messages with --format count, or give a template with --template chatml|harmony|FILE",
        )
    name, text = found.named(name, entry.id)
    return Template(name, text, found.tokens, now)


def check_conversation(conversation: Conversation, template: Template) -> None:
    """Raises BadValue for what no template can be given, or what a template of the lab does not render."""
    given = conversation.variables
    parts = [list(conversation.messages), list(conversation.tools or []), list(conversation.documents or [])]
    check_depth([*parts, given])
    taken = sorted(set(given) & set(OWN))
    if taken:
        raise BadValue(f"variables cannot have {taken[0]}", "give it by its own name")
    unused = [*given, *(["documents"] if conversation.documents else [])]
    if unused and template.text in published.BUILT_IN.values():
        raise BadValue(
            f"the template {template.name} does not render {unused[0]}",
            "leave it out, and write what the model is to know into a message",
        )


def _templates(entry: Entry) -> templates.ChatTemplates:
    """Those of its files, or the published one of a built-in tokenizer."""
    text = published.TEMPLATES.get(entry.id) if entry.engine else None
    return templates.ChatTemplates({DEFAULT: text}, {}) if text else chat_templates(entry.files)


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


def strings(value: Any) -> Iterator[str]:
    """All texts inside lists and objects, whatever their names."""
    if isinstance(value, str):
        yield value
    for each in _inside(value):
        yield from strings(each)
