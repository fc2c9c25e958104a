"""A short conversation, rendered by a tokenizer's chat template: what the lesson on chat templates is about.

Not here: templates and their sandbox (`lab_app.services.chats`), the steps (the engine's lesson on special tokens).
"""

from dataclasses import dataclass

from lab_app.errors import BadValue, LoadFailed, NotFound
from lab_app.services.chats.chat import Chat, chat
from lab_app.services.chats.conversation import Conversation, find_template, templates_of
from lab_app.services.lab import Lab
from lab_app.services.text.results import Span

MAX_NAMED = 6
"""Tokenizers that an error offers."""
AROUND = ("You answer in one sentence.", "A token is a piece of text with a number.")
"""What the system says before the user's message, and the assistant after it."""


@dataclass(frozen=True)
class LessonMessage:
    """A message, and where the template's text has it, without space around it: in bytes, None if the template changed it."""

    role: str
    content: str
    span: Span | None


@dataclass(frozen=True)
class LessonChat:
    """A conversation and the name of the template that rendered it."""

    template: str
    messages: list[LessonMessage]
    spelled_by_messages: list[str]
    """Control tokens that the messages themselves spell; a model cannot tell them from the template's own."""


def conversation(lab: Lab, id: str, content: str) -> tuple[str, LessonChat]:
    """The text of a conversation whose user says `content`, and what it was rendered from.

    A template that refuses a system role renders the other messages. Raises NotFound, which names others, for a tokenizer
    without a template; else as `chat`.

    >>> from lab_app.settings import Settings
    >>> text, found = conversation(Lab(Settings()), "o200k_harmony", "Hi")
    >>> text[53:93], [message.span for message in found.messages]
    ('<|end|><|start|>user<|message|>Hi<|end|>', [(26, 53), (84, 86), (138, 179)])
    """
    if not templates_of(lab, id).templates:
        others = [entry.id for entry in lab.catalog.entries() if entry.available and _has_template(lab, entry.id)]
        raise NotFound(
            f"{id} has no chat template",
            f"choose one of {', '.join(others[:MAX_NAMED])}, or add a tokenizer with its tokenizer_config.json or chat_template.jinja",
        )
    system, assistant = AROUND
    said = [("system", system), ("user", content), ("assistant", assistant)]
    try:
        found = _chat(lab, id, said)
    except BadValue:
        # Templates such as Gemma's refuse a system role.
        said = said[1:]
        found = _chat(lab, id, said)
    messages = [LessonMessage(*each, _place(found, n, each[1])) for n, each in enumerate(said)]
    spelled = sorted({each.token for each in found.control_tokens})
    return found.text, LessonChat(found.template, messages, spelled)


def _chat(lab: Lab, id: str, said: list[tuple[str, str]]) -> Chat:
    messages = [{"role": role, "content": content} for role, content in said]
    return chat(lab, id, Conversation(messages), find_template(lab, id))


def _place(found: Chat, message: int, content: str) -> Span | None:
    """Where the text has a message, in bytes, without white space around it; None if the template changed it or wrote it twice."""
    spans = found.messages[message].spans_utf8
    core = content.strip()
    if len(spans) != 1 or not core:
        return None
    start, end = spans[0]
    written = found.text.encode()[start:end].decode()
    if written.strip() != core:
        return None
    start += len(written[: len(written) - len(written.lstrip())].encode())
    return start, start + len(core.encode())


def _has_template(lab: Lab, id: str) -> bool:
    """Whether the files of a tokenizer bring one; those that cannot be read do not."""
    try:
        return bool(templates_of(lab, id).templates)
    except LoadFailed:
        return False
