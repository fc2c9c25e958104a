"""The process that renders one chat template: reads a request on stdin, writes an answer on stdout, ends.

Templates come from strangers. Jinja's sandbox keeps them from Python's insides; `render` limits the memory and the time of
this process, which writes no more than `max_characters`. The environment is that of
Hugging Face's `transformers`, so that a template gives the same text: blocks trimmed, `break` and `continue`, `tojson`
that escapes nothing for HTML, `raise_exception`, `strftime_now`, and `generation` blocks, which change nothing.
"""

import json
import os
import sys
from datetime import datetime
from typing import Any


def main() -> None:
    """Answers the one request."""
    answer_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.load(sys.stdin)
    json.dump(rendered(request), answer_to)
    answer_to.flush()


def rendered(request: dict[str, Any]) -> dict[str, Any]:
    """`{"text"}`, or `{"error", "kind"}`: "refused" by the template itself, "syntax" with "line", "failed", "too long"."""
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        template = _environment(request["now"]).from_string(request["template"])
        parts, size = [], 0
        for part in template.generate(**request["variables"]):
            size += len(part)
            if size > request["max_characters"]:
                return {"kind": "too long", "error": f"more than {request['max_characters']} characters"}
            parts.append(part)
        return {"text": "".join(parts)}
    except _Refused as error:
        return {"kind": "refused", "error": str(error)[:2000]}
    except TemplateSyntaxError as error:
        return {"kind": "syntax", "error": str(error.message)[:500], "line": error.lineno}
    except MemoryError:
        return {"kind": "too long", "error": "more than fits into its memory"}
    except (
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ) as error:
        return {"kind": "failed", "error": f"{type(error).__name__}: {error}"[:500]}


class _Refused(Exception):
    """What `raise_exception` raises."""


def _refuse(message: Any = "") -> None:
    raise _Refused(str(message))


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _environment(now: str | None) -> Any:
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """`{% generation %}` marks what the model wrote, for training; the text is the same."""

        tags = {"generation"}  # noqa: RUF012 - Jinja's own way

        def parse(self, parser: Any) -> Any:
            """The block's content."""
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _refuse
    moment = datetime.fromisoformat(now) if now else datetime.now()
    environment.globals["strftime_now"] = lambda format: moment.strftime(format)
    return environment
