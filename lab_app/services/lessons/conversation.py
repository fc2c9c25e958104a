"""A short conversation, rendered by a tokenizer's chat template: what the lesson on chat templates is about.

Not here: templates and their sandbox (`lab_app.services.text.chat`), the steps (the engine's lesson on special tokens).
"""

from dataclasses import dataclass

from lab_app.errors import LoadFailed, NotFound
from lab_app.services.lab import Lab
from lab_app.services.text.chat import chat, templates_of
from lab_app.services.text.results import Span

MAX_NAMED = 6
"""Tokenizers that an error offers."""
AROUND = ("You answer in one sentence.", "A token is a piece of text with a number.")
"""What the system says before the user's message, and the assistant after it."""


@dataclass(frozen=True)
class LessonMessage:
    """A message, and where the template's text has it: in bytes, None if the template changed it."""

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

    Raises NotFound, which names others, for a tokenizer without a template; else as `chat`.

    >>> from lab_app.settings import Settings
    >>> text, found = conversation(Lab(Settings()), "o200k_harmony", "Hi")
    >>> text[46:88], [message.span for message in found.messages]
    ('<|end|><|start|>user<|message|>Hi<|end|><|', [(26, 53), (84, 86), (142, 183)])
    """
    if not templates_of(lab, id).templates:
        others = [entry.id for entry in lab.catalog.entries() if entry.available and _has_template(lab, entry.id)]
        raise NotFound(
            f"{id} has no chat template",
            f"choose one of {', '.join(others[:MAX_NAMED])}, or add a tokenizer with its tokenizer_config.json or chat_template.jinja",
        )
    system, assistant = AROUND
    messages = [("system", system), ("user", content), ("assistant", assistant)]
    rendered = chat(lab, id, [{"role": role, "content": content} for role, content in messages])
    found, end = [], 0
    for role, content in messages:
        at = rendered.text.find(content, end) if content else -1
        span = None
        if at >= 0:
            end = at + len(content)
            start = len(rendered.text[:at].encode())
            span = (start, start + len(content.encode()))
        found.append(LessonMessage(role, content, span))
    return rendered.text, LessonChat(rendered.template, found, rendered.spelled_by_messages)


def _has_template(lab: Lab, id: str) -> bool:
    """Whether the files of a tokenizer bring one; those that cannot be read do not."""
    try:
        return bool(templates_of(lab, id).templates)
    except LoadFailed:
        return False
