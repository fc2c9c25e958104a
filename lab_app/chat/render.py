"""Renders a chat template in a process of its own, with limits of time, memory and size.

Not here: which template (`templates`), what the process does (`sandbox`), what marks mean (`marks`), encoding the text
(`lab_app.services.chats`).
"""

import atexit
import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lab_app import children
from lab_app.chat import sandbox
from lab_app.chat.marks import Marked, Places, mark, read_marks
from lab_app.errors import BadValue, EncodeFailed, LabError

Process: TypeAlias = "subprocess.Popen[bytes]"
TIMEOUT_S = 10.0
CPU_EXTRA_S = 5.0
"""Processor time of the sandbox beyond its limit of time, for its start."""
MAX_CHARACTERS = 16_000_000
MAX_MEMORY_BYTES = 1_000_000_000
SUSPECT = "shorten the messages; if that does not help, the template may be faulty or malicious"
ATTEMPTS = (({"spaces": True},), ({"spaces": False}, {"inside": False}))
"""How messages are marked: the first whose text is the same without marks counts. Few templates need more than the first, so
the others are another request."""


@dataclass(frozen=True)
class Rendered:
    """The text of a chat and where it has the messages."""

    text: str
    marks_answers: bool
    """Whether the template has `generation` blocks."""
    places: Places | None
    """None if the template makes another text of messages with marks, however few."""
    has_own: bool
    """Whether `places` knows the parts that messages wrote; otherwise it knows blocks alone."""


def render(template: str, variables: Mapping[str, Any], *, now: str | None = None, timeout_s: float = TIMEOUT_S) -> str:
    """The text that `template` makes of `variables` (`messages`, `add_generation_prompt`, `bos_token` ...).

    `now` is the moment `strftime_now` tells, as ISO 8601; without it, that of the call. Raises BadValue where the template
    refuses the messages, EncodeFailed where it is broken or takes more time, memory or characters than it may.

    >>> render("{% for one in messages %}<{{ one.role }}>{% endfor %}", {"messages": [{"role": "user"}]})
    '<user>'
    """
    return _text_of(_ask(template, [variables], now, timeout_s)["answers"][0])


def render_all(
    template: str, renders: Sequence[Mapping[str, Any]], *, now: str | None = None, timeout_s: float = TIMEOUT_S
) -> list[str | LabError]:
    """The text of each of several calls of one template, or the error that `render` raises for it.

    >>> render_all("{{ 1 / n }}", [{"n": 1}])
    ['1.0']
    """
    found: list[str | LabError] = []
    for answer in _ask(template, renders, now, timeout_s)["answers"]:
        try:
            found.append(_text_of(answer))
        except LabError as error:
            found.append(error)
    return found


def render_chat(template: str, variables: Mapping[str, Any], *, now: str | None = None) -> Rendered:
    """The text that `render` returns, and the places of its `messages` in it. Raises as `render`.

    >>> found = render_chat("{% for one in messages %}<{{ one.content }}>{% endfor %}", {"messages": [{"content": "Hi"}]})
    >>> found.text, [(own.start, own.end) for own in found.places.own]
    ('<Hi>', [(1, 3)])
    """
    for together in ATTEMPTS:
        attempts = [found for options in together if (found := mark(variables["messages"], **options))]
        answer = _ask(template, [variables], now, TIMEOUT_S, [_with_marks(variables, each) for each in attempts])
        text = _text_of(answer["answers"][0])
        if answer["marked"] is not None:
            number, found = answer["marked"]
            marked = attempts[number]
            return Rendered(text, answer["marks_answers"], read_marks(found, marked), marked.has_texts)
    return Rendered(text, answer["marks_answers"], None, False)


def _with_marks(variables: Mapping[str, Any], marked: Marked) -> dict[str, Any]:
    return {"variables": {**variables, "messages": marked.messages}, "plane": marked.codes.plane}


def _ask(
    template: str,
    renders: Sequence[Mapping[str, Any]],
    now: str | None,
    timeout_s: float,
    marked_renders: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The answer of a sandbox. Raises EncodeFailed if it ends without one, or cannot read the template."""
    request = {
        "template": template,
        "now": now,
        "max_characters": MAX_CHARACTERS,
        "renders": renders,
        "marked_renders": marked_renders,
    }
    process = _sandboxes.take(timeout_s)
    try:
        answered, _ = children.ask(process, json.dumps(request).encode(), timeout_s)
    except children.TookTooLong:
        raise EncodeFailed(f"the chat template took longer than {timeout_s:g} s", SUSPECT) from None
    finally:
        _sandboxes.prepare(timeout_s)
    try:
        answer: dict[str, Any] = json.loads(answered)
    except ValueError:
        raise EncodeFailed(
            f"the process that renders chat templates ended (status {process.returncode})",
            "shorten the messages: the template may need more memory than allowed",
        ) from None
    if "answers" not in answer:
        _text_of(answer)
    return answer


class _Sandboxes:
    """Starts sandboxes, each for one request. From the second request on, the next one is started before it is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spare: tuple[float, Process] | None = None
        self._is_used_again = False

    def take(self, timeout_s: float) -> Process:
        """A sandbox with that much processor time."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare and spare[0] == timeout_s and spare[1].poll() is None:
            return spare[1]
        if spare:
            children.end(spare[1])
        return _start(timeout_s)

    def prepare(self, timeout_s: float) -> None:
        """Starts the next one, but not after the first request, which is often the only one of its process."""
        with self._lock:
            if self._is_used_again and not self._spare:
                self._spare = (timeout_s, _start(timeout_s))
            self._is_used_again = True

    def end(self) -> None:
        """Ends the one that waits."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare:
            children.end(spare[1])


def _start(timeout_s: float) -> Process:
    return children.start(
        sandbox.main,
        memory_bytes=MAX_MEMORY_BYTES,
        cpu_s=timeout_s + CPU_EXTRA_S,
        environment=children.only_needed(os.environ),
    )


_sandboxes = _Sandboxes()
atexit.register(_sandboxes.end)


def _text_of(answer: Mapping[str, Any]) -> str:
    """The text of an answer. Raises what it says otherwise."""
    if "text" in answer:
        return str(answer["text"])
    if answer["kind"] == "refused":
        raise BadValue(
            f"the chat template refuses these messages: {answer['error']}", "change the messages as the template asks"
        )
    if answer["kind"] == "too long":
        raise EncodeFailed(f"the chat template made {answer['error']}", SUSPECT)
    if answer["kind"] == "syntax":
        raise EncodeFailed(
            f"the chat template has a syntax error in line {answer['line']}: {answer['error']}",
            "correct the template; it is written in Jinja",
        )
    raise EncodeFailed(
        f"the chat template failed: {answer['error']}", "check that the messages have the fields the template uses"
    )
