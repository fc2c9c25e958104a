"""One text under one tokenizer or several, as a page that needs nothing else: no script, no other file, no network.

Token text is other people's text: the template escapes all of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab_app.analysis import figures
from lab_app.analysis.divergence import split_into_parts
from lab_app.engine import TEMPLATE, UNKNOWN
from lab_app.services.sessions.provenance import Provenance, settings_words, source_words
from lab_app.services.text.compare import Comparison
from lab_app.services.text.decode import text_of
from lab_app.services.text.results import Result

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


def html_chunks(results: Sequence[Result], comparison: Comparison | None, made: Provenance) -> Iterator[str]:
    """The page in parts. `comparison` if there are several results; `made` says how they were made."""
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
        results=_rows(results),
        characters=figures.integer(len(results[0].text)),
        text_bytes=figures.integer(len(results[0].text_bytes)),
        agreement=None if comparison is None else comparison.agreement.tolist(),
        divergences=None if comparison is None else _divergences(comparison),
        divergence_count=None if comparison is None else len(comparison.divergences),
        made=made,
        settings=settings_words(made.settings),
        sources=[source_words(each) for each in made.tokenizers],
        division=_division(results[0]),
    )
    stream.enable_buffering(200)
    yield from stream


def _rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Each result's figures in words, and its text."""
    summaries = [result.summary() for result in results]
    base = summaries[0].text_token_count
    return [
        {
            "tokenizer": each.tokenizer,
            "tokens": figures.token_words(each),
            "difference": figures.difference(each.text_token_count, base) if number else "",
            "bytes_per_token": figures.ratio(each.bytes_per_token),
            "characters_per_token": figures.ratio(each.characters_per_token),
            "unknown": figures.unknown_words(each) or "0",
            "split": figures.integer(each.split_character_count),
            "round_trip": each.round_trip,
            "has_spans": each.has_spans,
            "groups": groups(result),
        }
        for number, (result, each) in enumerate(zip(results, summaries, strict=True))
    ]


def _division(result: Result) -> str | None:
    """How the first tokenizer's ratio is made, with its numbers; None if there is none."""
    each = result.summary()
    if each.bytes_per_token is None:
        return None
    return (
        f"{figures.number_of(each.text_bytes, 'byte')} / {figures.number_of(each.text_token_count or 0, 'token')}"
        f" = {figures.ratio(each.bytes_per_token)}"
    )


def _divergences(comparison: Comparison) -> list[dict[str, Any]]:
    data = comparison.results[0].text.encode()
    ids = [result.id for result in comparison.results]
    shown = []
    for each in comparison.listed_divergences()[:MAX_DIVERGENCES]:
        start, end = each.span_utf8
        parts = [[_part(part) for part in split_into_parts(data, start, end, each.boundaries[id])] for id in ids]
        shown.append({"kind": each.kind, "start": start, "end": end, "parts": parts})
    return shown


def _part(data: bytes) -> str:
    """A part of a text, in hex where it is not whole characters."""
    return text_of(data) or f"<{data.hex(' ')}>"


def groups(result: Result) -> Iterator[Group]:
    """The text in the order of its tokens; tokens that hold parts of one character stand together."""
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
    """The tokens of a plug-in that tells no spans: which part of the text each stands for is not known."""
    for number, id in enumerate(result.ids.tolist()):
        token = {"id": id, "bytes": result.tokenizer.token_bytes(id).hex(" "), "added": False}
        yield Group("", [{**token, "name": _name(result, id)}], number)


def _name(result: Result, id: int) -> str:
    """A token as its vocabulary has it, in hex if its bytes are not whole characters."""
    return result.tokenizer.token_text(id) or f"<{result.tokenizer.token_bytes(id).hex(' ')}>"
