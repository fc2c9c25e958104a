"""Renders a chat template in a process of its own, with limits of time, memory and size.

Not here: which template (`templates`), what the process does (`sandbox`), encoding the text (`lab_app.services.text.chat`).
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from lab_app import children
from lab_app.chat import sandbox
from lab_app.errors import BadValue, EncodeFailed

TIMEOUT_S = 10.0
CPU_EXTRA_S = 5.0
"""Processor time of the sandbox beyond its limit of time, for its start."""
MAX_CHARACTERS = 16_000_000
MAX_MEMORY_BYTES = 1_000_000_000
MAX_DEPTH = 100
SUSPECT = "shorten the messages; if that does not help, the template may be faulty or malicious"


def render(template: str, variables: Mapping[str, Any], *, now: str | None = None, timeout_s: float = TIMEOUT_S) -> str:
    """The text that `template` makes of `variables` (`messages`, `add_generation_prompt`, `bos_token` ...).

    `now` is the moment `strftime_now` tells, as ISO 8601; without it, that of the call. Raises BadValue where the template
    refuses the messages, EncodeFailed where it is broken or takes more time, memory or characters than it may.

    >>> render("{% for one in messages %}<{{ one.role }}>{% endfor %}", {"messages": [{"role": "user"}]})
    '<user>'
    """
    request = {"template": template, "variables": dict(variables), "now": now, "max_characters": MAX_CHARACTERS}
    process = children.start(
        sandbox.main,
        memory_bytes=MAX_MEMORY_BYTES,
        cpu_s=timeout_s + CPU_EXTRA_S,
        environment=children.only_needed(os.environ),
    )
    try:
        answered, _ = children.ask(process, json.dumps(request).encode(), timeout_s)
    except children.TookTooLong:
        raise EncodeFailed(f"the chat template took longer than {timeout_s:g} s", SUSPECT) from None
    try:
        answer = json.loads(answered)
    except ValueError:
        raise EncodeFailed(
            f"the process that renders chat templates ended (status {process.returncode})",
            "shorten the messages: the template may need more memory than allowed",
        ) from None
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
