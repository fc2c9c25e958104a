"""The process that renders one chat template: reads a request on stdin, writes an answer on stdout, ends.

Templates come from strangers. Jinja's sandbox keeps them from Python's insides; `render` limits the memory and the time of
this process, which writes no more than `max_characters`. The environment is that of
Hugging Face's `transformers`, so that a template gives the same text: blocks trimmed, `break` and `continue`, `tojson`
that escapes nothing for HTML, `raise_exception`, `strftime_now`, and `generation` blocks, whose variables end with them.
Where it is asked, it marks messages, blocks and JSON in the text (`marks`).
"""

import json
import os
import sys
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from lab_app.chat.marks import Codes


def main() -> None:
    """Answers the one request."""
    answer_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import jinja2.ext
    import jinja2.sandbox  # noqa: F401 - before the request is there, which a process that waits for one saves

    request = json.load(sys.stdin)
    json.dump(rendered(request), answer_to)
    answer_to.flush()
    os._exit(0)  # nothing is left to do, and the end of an interpreter takes longer than a chat


def rendered(request: dict[str, Any]) -> dict[str, Any]:
    """`{"marks_answers", "answers", "marked"}`, or one failure for all, such as a syntax error.

    `answers` has one for each of `renders`: `{"text"}`, or `{"error", "kind"}`: "refused" by the template itself, "syntax"
    with "line", "failed", "too long". `marked` has the number and the text of the first of `marked_renders` whose text is
    the first answer's without its marks; None if no text is.
    """
    made: dict[str, Any] = {}

    def parse() -> dict[str, Any]:
        made["template"], made["marks_answers"] = _template(request, None)
        return {}

    failure = _answer(parse)
    if failure:
        return failure
    left = 2 * request["max_characters"]
    answers: list[dict[str, Any]] = []
    for variables in request["renders"]:
        most = min(request["max_characters"], left)
        answers.append(_answer(partial(_text, made["template"], variables, most)))
        left -= len(answers[-1].get("text", ""))
    text = answers[0].get("text")
    marked = None if text is None else _first_marked(request, text)
    return {"marks_answers": made["marks_answers"], "answers": answers, "marked": marked}


def _first_marked(request: dict[str, Any], text: str) -> tuple[int, str] | None:
    for number, each in enumerate(request["marked_renders"]):
        marking = _Marking(Codes(each["plane"]), each["variables"]["messages"])
        template, _ = _template(request, marking)
        found = _answer(partial(_text, template, each["variables"], 2 * len(text) + 1_000_000)).get("text")
        if found is not None and marking.codes.pattern.sub("", found) == text:
            return number, found
    return None


def _text(template: Any, variables: dict[str, Any], max_characters: int) -> dict[str, Any]:
    parts, size = [], 0
    for part in template.generate(**variables):
        size += len(part)
        if size > max_characters:
            return {"kind": "too long", "error": f"more than {max_characters} characters"}
        parts.append(part)
    return {"text": "".join(parts)}


def _answer(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What `work` returns, or why it failed."""
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        return work()
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


class _Marking:
    """The marks that a template writes. Messages are known by identity: a template hands them on as they are."""

    def __init__(self, codes: Codes, messages: list[Any]) -> None:
        self.codes = codes
        self._numbers = {id(each): number for number, each in enumerate(messages)}

    def block(self, message: Any) -> str:
        """The mark before what a loop writes for a message; nothing for other values."""
        number = self._numbers.get(id(message))
        return "" if number is None else chr(self.codes.blocks + number)

    def block_end(self, message: Any) -> str:
        """The mark after it."""
        return self.codes.block_end if id(message) in self._numbers else ""

    def json(self, text: str) -> str:
        """JSON that holds marks, with all of them at its beginning."""
        found = self.codes.pattern.findall(text)
        plain = self.codes.pattern.sub("", text)
        return f"{self.codes.json}{''.join(found)}{plain}{self.codes.json_end}" if found else text


def _template(request: dict[str, Any], marking: _Marking | None) -> tuple[Any, bool]:
    """The template, and whether it has `generation` blocks. With `marking`, these and the bodies of loops have marks."""
    from jinja2 import nodes
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Marks(Extension):
        """`{% generation %}` marks what the model wrote, for training; loops mark the message they are at."""

        tags = {"generation"}  # noqa: RUF012 - Jinja's own way

        def parse(self, parser: Any) -> Any:
            """The block's content, in a scope of its own."""
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.CallBlock(self.call_method("generation"), [], [], body).set_lineno(line)

        def generation(self, caller: Callable[[], str]) -> str:
            """The content, between marks if they are asked for."""
            return f"{marking.codes.generation}{caller()}{marking.codes.generation_end}" if marking else caller()

        def block(self, value: Any) -> str:
            """See `_Marking.block`."""
            return marking.block(value) if marking else ""

        def block_end(self, value: Any) -> str:
            """See `_Marking.block_end`."""
            return marking.block_end(value) if marking else ""

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Marks, loopcontrols])
    moment = datetime.fromisoformat(request["now"]) if request["now"] else datetime.now()
    environment.filters["tojson"] = (
        (lambda value, *given, **named: marking.json(_tojson(value, *given, **named))) if marking else _tojson
    )
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda format: moment.strftime(format)
    tree = environment.parse(request["template"])
    marks_answers = any(_is_generation(node) for node in tree.find_all(nodes.CallBlock))
    if marking:
        _mark_loops(tree, environment.extensions[Marks.identifier])
    return environment.from_string(tree), marks_answers


def _mark_loops(tree: Any, extension: Any) -> None:
    """Adds marks to both ends of the body of each loop with one variable."""
    from jinja2 import nodes

    for loop in tree.find_all(nodes.For):
        if isinstance(loop.target, nodes.Name):
            begin, end = (
                nodes.Output([extension.call_method(name, [nodes.Name(loop.target.name, "load")])], lineno=loop.lineno)
                for name in ("block", "block_end")
            )
            loop.body = [begin, *loop.body, end]
    tree.set_environment(extension.environment)


def _is_generation(block: Any) -> bool:
    from jinja2 import nodes

    return isinstance(block.call.node, nodes.ExtensionAttribute) and block.call.node.name == "generation"


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
