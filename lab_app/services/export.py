"""What the screens show, as a file to keep or to send: JSON, CSV, or one HTML page that needs nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lab_app.engine import SPECIAL, UNKNOWN, Specials
from lab_app.errors import BadValue, TooLarge
from lab_app.services.compare import MAX_TOKENIZERS, Comparison, compare
from lab_app.services.csv_lines import csv_line
from lab_app.services.encode import encode
from lab_app.services.export_html import html_chunks
from lab_app.services.lab import Lab
from lab_app.services.results import CHUNK_TOKENS, OUTSIDE, Result
from lab_app.settings import DEFAULT_SPECIALS

Format = Literal["json", "csv", "html"]
MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
# A browser draws some hundred thousand elements slowly; this much text makes that many.
MAX_HTML_BYTES = 1_000_000
COLUMNS = (
    "tokenizer",
    "token",
    "id",
    "text",
    "bytes",
    "start_utf8",
    "end_utf8",
    "start_char",
    "end_char",
    "special",
    "added",
    "unknown",
)


@dataclass(frozen=True)
class Export:
    """A file in parts: its name, its media type, and its text."""

    name: str
    media_type: str
    chunks: Iterator[str]


def export(
    lab: Lab,
    tokenizers: Sequence[str],
    text: str,
    format: Format,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    ignore_spaces: bool = True,
) -> Export:
    """`text` under one tokenizer or several, as a file.

    JSON is RESULT or COMPARISON of the HTTP interface, CSV a row per token, HTML a page without scripts. Raises BadValue
    for another format, TooLarge for HTML of a text above 1 MB, and what `encode` and `compare` raise.

    >>> from lab_app.settings import Settings
    >>> print("".join(export(Lab(Settings()), ["gpt2"], "Hi you", "csv").chunks).splitlines()[1])
    "gpt2",0,17250,"Hi","4869",0,2,0,2,false,false,false
    """
    if format not in get_args(Format):
        raise BadValue(f'"{format}" is not an export format', f"choose one of {', '.join(get_args(Format))}")
    if format == "html" and len(text.encode("utf-8", "surrogatepass")) > MAX_HTML_BYTES:
        raise TooLarge(
            f"the text has more than {MAX_HTML_BYTES} bytes, the limit of an HTML page",
            "export JSON or CSV, or an excerpt",
        )
    if not 1 <= len(tokenizers) <= MAX_TOKENIZERS:
        raise BadValue(
            f"an export needs 1 to {MAX_TOKENIZERS} tokenizers, not {len(tokenizers)}", "name different ones"
        )
    found: Result | Comparison
    if len(tokenizers) == 1:
        found = encode(lab, tokenizers[0], text, add_special_tokens=add_special_tokens, specials=specials)
        results = [found]
    else:
        found = compare(
            lab,
            tokenizers,
            text,
            add_special_tokens=add_special_tokens,
            specials=specials,
            ignore_spaces=ignore_spaces,
        )
        results = found.results
    chunks = {
        "json": lambda: found.json_chunks(),
        "csv": lambda: _csv_chunks(results),
        "html": lambda: html_chunks(results, found if isinstance(found, Comparison) else None),
    }[format]()
    return Export(f"{'-'.join(result.id for result in results)[:80]}.{format}", MEDIA_TYPES[format], chunks)


def _csv_chunks(results: Sequence[Result]) -> Iterator[str]:
    """A row per token. `text` is empty if the bytes are not whole characters, spans and `added` if a plug-in reports none."""
    lines = [csv_line(COLUMNS)]
    for result in results:
        names = {
            id: (result.tokenizer.token_text(id), result.tokenizer.token_bytes(id).hex())
            for id in set(result.ids.tolist())
        }
        known = result.has_spans
        spans = zip(result.span_utf8.tolist(), result.encoding.span_char.tolist(), strict=True)
        for number, (id, flags, (utf8, char)) in enumerate(
            zip(result.ids.tolist(), result.flags.tolist(), spans, strict=True)
        ):
            places = (*utf8, *char) if known else (None,) * 4
            added = bool(flags & OUTSIDE) if known else None
            marks = (bool(flags & SPECIAL), added, bool(flags & UNKNOWN))
            lines.append(csv_line((result.id, number, id, *names[id], *places, *marks)))
            if len(lines) >= CHUNK_TOKENS:
                yield "".join(lines)
                lines.clear()
    yield "".join(lines)
