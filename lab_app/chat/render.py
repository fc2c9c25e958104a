"""Renders a chat template in a process of its own, with limits of time, memory and size.

Not here: which template (`templates`), what the process does (`sandbox`), cutting the text (`lab_app.services.chat`).
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from lab_app.errors import BadValue, EncodeFailed

TIMEOUT_S = 10.0
MAX_CHARACTERS = 16_000_000
START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from lab_app.chat.sandbox import main; main()"


def render(template: str, variables: Mapping[str, Any], *, now: str | None = None, timeout_s: float = TIMEOUT_S) -> str:
    """The text that `template` makes of `variables` (`messages`, `add_generation_prompt`, `bos_token` ...).

    `now` is the moment `strftime_now` tells, as ISO 8601; without it, that of the call. Raises BadValue where the template
    refuses the messages, EncodeFailed where it is broken or takes more time, memory or characters than it may.

    >>> render("{% for one in messages %}<{{ one.role }}>{% endfor %}", {"messages": [{"role": "user"}]})
    '<user>'
    """
    request = {"template": template, "variables": dict(variables), "now": now, "max_characters": MAX_CHARACTERS}
    try:
        run = subprocess.run(
            [sys.executable, "-c", START, json.dumps(sys.path)],
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EncodeFailed(
            f"the chat template took longer than {timeout_s:g} s", "shorten the messages, or distrust the template"
        ) from None
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        raise EncodeFailed(
            f"the process that renders chat templates ended (status {run.returncode})",
            "the template may ask for more memory than it may have",
        ) from None
    if "text" in answer:
        return str(answer["text"])
    if answer["kind"] == "refused":
        raise BadValue(f"the chat template refuses these messages: {answer['error']}", "change the messages")
    if answer["kind"] == "too long":
        raise EncodeFailed(
            f"the chat template made {answer['error']}", "shorten the messages, or distrust the template"
        )
    place = f" line {answer['line']}" if "line" in answer else ""
    raise EncodeFailed(f"the chat template{place} failed: {answer['error']}", "see that it fits these messages")
