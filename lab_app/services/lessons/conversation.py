"""A short conversation, rendered by a tokenizer's chat template: what the lesson on chat templates is about.

Not here: templates and their sandbox (`lab_app.services.text.chat`), the steps (the engine's lesson on special tokens).
"""

from dataclasses import dataclass

from lab_app.errors import BadValue, EncodeFailed, LoadFailed, NotFound
from lab_app.services.lab import Lab
from lab_app.services.text.chat import chat, rendered_text, templates_of
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
        rendered = chat(lab, id, _as_given(said))
    except BadValue:
        # Templates such as Gemma's refuse a system role.
        said = said[1:]
        rendered = chat(lab, id, _as_given(said))
    messages = [
        LessonMessage(*each, span) for each, span in zip(said, _places(lab, id, rendered.text, said), strict=True)
    ]
    return rendered.text, LessonChat(rendered.template, messages, rendered.spelled_by_messages)


def _as_given(said: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"role": role, "content": content} for role, content in said]


def _places(lab: Lab, id: str, text: str, said: list[tuple[str, str]]) -> list[Span | None]:
    """Where `text` has each message, as the template shows it when a mark of its own stands around each."""
    taken = {*text, *"".join(content for _, content in said)}
    unused = (chr(code) for code in range(0xF0000, 0xFFFFE) if chr(code) not in taken)  # for private use
    marks = [next(unused) for _ in said]
    cores = [content.strip() for _, content in said]
    marked = [
        (role, content.replace(core, f"{mark}{core}{mark}", 1) if core else content)
        for (role, content), core, mark in zip(said, cores, marks, strict=True)
    ]
    try:
        shown = rendered_text(lab, id, _as_given(marked))
    except (BadValue, EncodeFailed):
        return [None] * len(said)
    no_marks = str.maketrans("", "", "".join(marks))
    if shown.translate(no_marks) != text:
        return [None] * len(said)
    found: list[Span | None] = []
    for core, mark in zip(cores, marks, strict=True):
        before, *inside = shown.split(mark)
        start = len(before.translate(no_marks).encode())
        found.append((start, start + len(core.encode())) if inside[:-1] == [core] else None)
    return found


def _has_template(lab: Lab, id: str) -> bool:
    """Whether the files of a tokenizer bring one; those that cannot be read do not."""
    try:
        return bool(templates_of(lab, id).templates)
    except LoadFailed:
        return False
