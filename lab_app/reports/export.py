"""What the screens show, as a file to keep or to send: JSON, CSV, a LaTeX table, or one HTML page that needs nothing else.

Every file says how it was made (`lab_app.services.sessions.provenance`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lab_app.engine import SPECIAL, UNKNOWN, Specials
from lab_app.errors import BadValue, TooLarge
from lab_app.json_text import json_text
from lab_app.reports.export_html import html_chunks
from lab_app.reports.export_latex import latex_table
from lab_app.services.csv_lines import csv_line
from lab_app.services.lab import Lab
from lab_app.services.sessions.provenance import Provenance, provenance
from lab_app.services.text.compare import Comparison, ComparisonResult, check_tokenizers, compare
from lab_app.services.text.encode import encode
from lab_app.services.text.results import CHUNK_TOKENS, OUTSIDE, EncodingResult, Result
from lab_app.settings import DEFAULT_SPECIALS

Format = Literal["json", "csv", "html", "tex"]
MEDIA_TYPES: dict[Format, str] = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
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
    "provenance",
)


@dataclass(frozen=True)
class ExportedEncoding(EncodingResult):
    """A RESULT in a file."""

    provenance: Provenance


@dataclass(frozen=True)
class ExportedComparison(ComparisonResult):
    """A COMPARISON in a file."""

    provenance: Provenance


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

    JSON is RESULT or COMPARISON of the HTTP interface with its provenance, CSV a row per token, HTML a page without
    scripts, LaTeX (`tex`) a table of the figures. Raises BadValue for another format, TooLarge for HTML of a text above
    1 MB, and what `encode` and `compare` raise.

    >>> from lab_app.settings import Settings
    >>> print("".join(export(Lab(Settings()), ["gpt2"], "Hi you", "csv").chunks).splitlines()[2])
    "gpt2",1,345," you","20796f75",2,6,2,6,false,false,false,
    """
    if format not in get_args(Format):
        raise BadValue(f'"{format}" is not an export format', f"choose one of {', '.join(get_args(Format))}")
    if format == "html" and len(text.encode("utf-8", "surrogatepass")) > MAX_HTML_BYTES:
        raise TooLarge(
            f"the text has more than {MAX_HTML_BYTES} bytes, the limit of an HTML page",
            "export JSON or CSV, or an excerpt",
        )
    check_tokenizers("an export", tokenizers)
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
    made = provenance(
        lab,
        [result.id for result in results],
        text,
        add_special_tokens=add_special_tokens,
        specials=specials,
        ignore_spaces=ignore_spaces,
    )
    writers: dict[Format, Callable[[], Iterator[str]]] = {
        "json": lambda: _json_chunks(found.json_chunks(), made),
        "csv": lambda: _csv_chunks(results, made),
        "html": lambda: html_chunks(results, found if isinstance(found, Comparison) else None, made),
        "tex": lambda: iter([latex_table([result.summary() for result in results], made)]),
    }
    name = f"{'-'.join(result.id for result in results)[:80]}.{format}"
    return Export(name, MEDIA_TYPES[format], writers[format]())


def _json_chunks(chunks: Iterable[bytes], made: Provenance) -> Iterator[str]:
    """The JSON of a result, with its provenance as the first field."""
    parts = (chunk.decode() for chunk in chunks)
    yield f'{{"provenance": {json_text(made)}, {next(parts)[1:]}'
    yield from parts


def _csv_chunks(results: Sequence[Result], made: Provenance) -> Iterator[str]:
    """A row per token. `text` is empty if the bytes are not whole characters, spans and `added` if a plug-in reports none.

    A file of this kind has no comments, so the first row alone has the provenance, as JSON in the last column. Without a
    token it has a row of its own.
    """
    lines = [csv_line(COLUMNS)]
    told: str | None = json_text(made)
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
            lines.append(csv_line((result.id, number, id, *names[id], *places, *marks, told)))
            told = None
            if len(lines) >= CHUNK_TOKENS:
                yield "".join(lines)
                lines.clear()
    if told:
        lines.append(csv_line((*(None,) * (len(COLUMNS) - 1), told)))
    yield "".join(lines)
