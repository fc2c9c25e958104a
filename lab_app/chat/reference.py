"""Renders a chat with `transformers`, if it is installed, to compare its text: in a process with the limits of `render`.

Not here: what the lab itself makes of a template (`sandbox`).
"""

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from lab_app import children
from lab_app.chat.render import CPU_EXTRA_S, MAX_MEMORY_BYTES, TIMEOUT_S

LIBRARY = "transformers"
START_S = 20.0
"""For its import."""


def is_installed() -> bool:
    """Whether `transformers` can be imported."""
    return importlib.util.find_spec(LIBRARY) is not None


def reference_text(template: str, variables: Mapping[str, Any]) -> str:
    """The text that `transformers` makes of a conversation. Raises ValueError if it makes none, TookTooLong."""
    process = children.start(
        main,
        memory_bytes=4 * MAX_MEMORY_BYTES,
        cpu_s=TIMEOUT_S + CPU_EXTRA_S + START_S,
        environment=children.only_needed(os.environ),
    )
    request = json.dumps({"template": template, "variables": dict(variables)}).encode()
    answered, _ = children.ask(process, request, TIMEOUT_S + START_S)
    answer = json.loads(answered)
    if "text" not in answer:
        raise ValueError(answer["error"])
    return str(answer["text"])


def main() -> None:
    """Answers the one request."""
    answer_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.load(sys.stdin)
    try:
        answer = {"text": _rendered(request["template"], request["variables"])}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    json.dump(answer, answer_to)
    answer_to.flush()


def _rendered(template: str, variables: dict[str, Any]) -> str:
    render: Any = importlib.import_module(f"{LIBRARY}.utils.chat_template_utils").render_jinja_template
    messages, named = variables.pop("messages"), {name: variables.pop(name, None) for name in ("tools", "documents")}
    texts, _ = render(conversations=[messages], chat_template=template, **named, **variables)
    return str(texts[0])
