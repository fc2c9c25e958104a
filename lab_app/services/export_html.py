"""One text under one tokenizer or several, as a page that needs nothing else: no script, no other file, no network.

Token text is other people's text: the template escapes all of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab_app.analysis.divergence import cut_into_parts
from lab_app.engine import TEMPLATE, UNKNOWN
from lab_app.services.compare import Comparison
from lab_app.services.decode import text_of
from lab_app.services.results import Result

TEMPLATES = Path(__file__).parent / "templates"
MAX_DIVERGENCES = 500


@dataclass
class Group:
    """Characters that share tokens: usually one token; several where a character is split. `tokens` is empty for text
    that no token stands for."""

    text: str
    tokens: list[dict[str, Any]] = field(default_factory=list)
    first: int = 0
    """Number of the first token."""


def html_chunks(results: Sequence[Result], comparison: Comparison | None) -> Iterator[str]:
    """The page in parts. `comparison` where there are several results."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    template = environment.get_template("tokens.html")
    stream = template.stream(
        results=[_result(result) for result in results],
        characters=len(results[0].text),
        text_bytes=int(results[0].positions.bytes.size),
        agreement=None if comparison is None else comparison.agreement.tolist(),
        divergences=None if comparison is None else _divergences(comparison),
        divergence_count=None if comparison is None else len(comparison.divergences),
    )
    stream.enable_buffering(200)
    yield from stream


def _result(result: Result) -> dict[str, Any]:
    summary = result.summary()
    whole = summary["count"] - summary["template_count"]
    return {
        **summary,
        "bytes_per_token": summary["text_bytes"] / whole if whole else None,
        "groups": groups(result),
    }


def _divergences(comparison: Comparison) -> list[dict[str, Any]]:
    data = comparison.results[0].text.encode()
    ids = [result.id for result in comparison.results]
    shown = []
    for each in comparison.divergences_as_json()[:MAX_DIVERGENCES]:
        start, end = each["span_utf8"]
        cuts = [[_part(part) for part in cut_into_parts(data, start, end, each["boundaries"][id])] for id in ids]
        shown.append({"kind": each["kind"], "start": start, "end": end, "cuts": cuts})
    return shown


def _part(data: bytes) -> str:
    """A part of a text, in hex where it is not whole characters."""
    return text_of(data) or f"<{data.hex(' ')}>"


def groups(result: Result) -> Iterator[Group]:
    """The text in the order of its tokens; tokens that hold parts of one character stand together."""
    text, done = result.text, 0
    current: Group | None = None
    end = 0
    rows = zip(result.ids.tolist(), result.flags.tolist(), result.encoding.span_char.tolist(), strict=True)
    for number, (id, flags, (start, stop)) in enumerate(rows):
        token = {"id": id, "bytes": result.tokenizer.token_bytes(id).hex(" "), "unknown": bool(flags & UNKNOWN)}
        if flags & TEMPLATE:
            if current:
                yield current
                current, done = None, end
            yield Group("", [{**token, "name": result.tokenizer.id_to_token(id) or str(id)}], number)
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
