"""The text of a result in the order of its tokens, for a page that colours them. Not here: the page (`html`)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lab_app.engine import TEMPLATE, UNKNOWN
from lab_app.services.text.results import Result


@dataclass
class Group:
    """Characters that share tokens: usually one token; several where a character is split. `tokens` is empty for text
    that is in no token."""

    text: str
    tokens: list[dict[str, Any]] = field(default_factory=list)
    first: int = 0
    """Number of the first token."""


def groups(result: Result) -> Iterator[Group]:
    """The text in the order of its tokens; tokens that hold parts of one character are one group."""
    if not result.has_spans:
        yield from _without_text(result)
        return
    text, done = result.text, 0
    current: Group | None = None
    end = 0
    rows = zip(result.ids.tolist(), result.flags.tolist(), result.encoding.span_char.tolist(), strict=True)
    for number, (id, flags, (start, stop)) in enumerate(rows):
        token = {"id": id, "bytes": result.tokenizer.token_bytes(id).hex(" "), "unknown": bool(flags & UNKNOWN)}
        if flags & TEMPLATE or start == stop:
            if current:
                yield current
                current, done = None, end
            yield Group("", [{**token, "name": _name(result, id), "added": bool(flags & TEMPLATE)}], number)
            continue
        if current and start < end:
            current.tokens.append(token)
            end = max(end, stop)
            current.text = text[done:end]
            continue
        if current:
            yield current
            done = end
        if start > done:
            yield Group(text[done:start])
        current, done, end = Group(text[start:stop], [token], number), start, stop
    if current:
        yield current
        done = end
    if done < len(text):
        yield Group(text[done:])


def _without_text(result: Result) -> Iterator[Group]:
    """The tokens of a plug-in without spans: the part of the text of each is not known."""
    for number, id in enumerate(result.ids.tolist()):
        token = {"id": id, "bytes": result.tokenizer.token_bytes(id).hex(" "), "added": False}
        yield Group("", [{**token, "name": _name(result, id)}], number)


def _name(result: Result, id: int) -> str:
    """A token as its vocabulary has it, in hex if its bytes are not whole characters."""
    return result.tokenizer.token_text(id) or f"<{result.tokenizer.token_bytes(id).hex(' ')}>"
