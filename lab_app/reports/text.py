"""A text under one tokenizer or several, as a file to keep or to send: JSON, CSV, or its report.

Every file says how it was made (`lab_app.services.sessions.provenance`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Unpack, get_args

from lab_app.analysis import figures
from lab_app.analysis.divergence import split_into_parts
from lab_app.engine import SPECIAL, UNKNOWN
from lab_app.errors import BadValue, TooLarge
from lab_app.json_text import json_text
from lab_app.number_words import integer, number_of, ratio
from lab_app.reports.formats import RENDERERS
from lab_app.reports.report import Part, Report, Table, Tokens
from lab_app.reports.tokens import groups
from lab_app.services.csv_lines import csv_line
from lab_app.services.lab import Lab
from lab_app.services.sessions.provenance import Provenance, UsedTokenizer, provenance, settings_words, source_words
from lab_app.services.suites.suites import suite_of
from lab_app.services.text.compare import Comparison, ComparisonResult, check_tokenizers, compare
from lab_app.services.text.decode import text_of
from lab_app.services.text.encode import encode
from lab_app.services.text.results import CHUNK_TOKENS, OUTSIDE, EncodingResult, Result
from lab_app.services.text.text_options import TextOptions

Format = Literal["json", "csv", "html", "md", "tex", "suite"]
# A browser draws some hundred thousand elements slowly; this much text makes that many.
MAX_HTML_BYTES = 1_000_000
MAX_DIVERGENCES = 500
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
"""Of a row per token."""


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
    """A file in parts: its name, and its text."""

    name: str
    chunks: Iterator[str]


def export(
    lab: Lab,
    tokenizers: Sequence[str],
    text: str,
    format: Format,
    *,
    ignore_spaces: bool = True,
    **options: Unpack[TextOptions],
) -> Export:
    """`text` under one tokenizer or several, as a file.

    JSON is RESULT or COMPARISON of the HTTP interface with its provenance, CSV a row per token, HTML a page without
    scripts, Markdown (`md`) and LaTeX (`tex`) the tables of the figures, `suite` the IDs as
    `tokenlab check` expects them. Raises BadValue for another format, TooLarge for HTML of a text above
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
        found = encode(lab, tokenizers[0], text, **options)
        results = [found]
    else:
        found = compare(lab, tokenizers, text, ignore_spaces=ignore_spaces, **options)
        results = found.results
    made = provenance(lab, [result.id for result in results], text, ignore_spaces=ignore_spaces, **options)
    if format == "json":
        chunks = _json_chunks(found.json_chunks(), made)
    elif format == "csv":
        chunks = _csv_chunks(results, made)
    elif format == "suite":
        chunks = iter([suite_of(results, text, **options).model_dump_json(exclude_unset=True, indent=1)])
    else:
        chunks = RENDERERS[format](report(results, found if isinstance(found, Comparison) else None, made))
    ending = "suite.json" if format == "suite" else format
    name = f"{'-'.join(result.id for result in results)[:80]}.{ending}"
    return Export(name, chunks)


def report(results: Sequence[Result], comparison: Comparison | None, made: Provenance) -> Report:
    """The figures of each tokenizer, its tokens, and what differs. `comparison` if there are several results."""
    parts: list[Part] = [_figures(results)]
    parts += [
        Tokens(groups(each), each.id, "" if each.has_spans else "The plug-in does not report token spans.")
        for each in results
    ]
    if comparison is not None:
        parts += [_agreement(comparison), _divergences(comparison)]
    return Report(
        f"{', '.join(result.id for result in results)}: tokens",
        f"tokens-{'-'.join(result.id for result in results)}",
        parts,
        _made(made),
        made.command,
        f"{number_of(made.text.bytes, 'byte')}, {number_of(made.text.characters, 'character')}",
    )


def _figures(results: Sequence[Result]) -> Table:
    summaries = [result.summary() for result in results]
    base = summaries[0]
    head = [
        "Tokenizer",
        "Tokens",
        "Bytes per token",
        "Characters per token",
        "Unknown",
        "Characters split",
        "Decodes to the same text",
    ]
    rows = [
        [
            each.tokenizer,
            figures.token_words(each),
            ratio(each.bytes_per_token),
            ratio(each.characters_per_token),
            figures.unknown_words(each) or "0",
            integer(each.split_character_count),
            "yes" if each.round_trip else "no",
        ]
        for each in summaries
    ]
    about = (
        "“106 + 2” tokens: 106 of the text, and 2 added around it. Only tokens of the text count in all other figures"
    )
    if len(results) > 1:
        head.insert(2, "Difference")
        for number, (row, each) in enumerate(zip(rows, summaries, strict=True)):
            row.insert(2, figures.difference(each.text_token_count, base.text_token_count) if number else "")
        about += f"; differences are from {base.tokenizer}"
    about += ". Bytes per token divides the bytes of the text by its tokens"
    if base.bytes_per_token is not None:
        division = f"{number_of(base.text_bytes, 'byte')} / {number_of(base.text_token_count or 0, 'token')}"
        about += f" ({base.tokenizer}: {division} = {ratio(base.bytes_per_token)})"
    about += "; characters per token divides its characters (code points)."
    return Table(head, rows, about=about, right=range(1, len(head) - 1))


def _agreement(comparison: Comparison) -> Table:
    ids = [result.id for result in comparison.results]
    rows = [
        [id, *(f"{value:.2f}" for value in row)] for id, row in zip(ids, comparison.agreement.tolist(), strict=True)
    ]
    about = "Share of the boundaries that two tokenizers have in common (Jaccard index)"
    return Table(["", *ids], rows, "Agreement", about=about, right=range(1, len(ids) + 1))


def _divergences(comparison: Comparison) -> Table:
    data = comparison.results[0].text.encode()
    ids = [result.id for result in comparison.results]
    rows = []
    for each in comparison.listed_divergences()[:MAX_DIVERGENCES]:
        start, end = each.span_utf8
        parts = (split_into_parts(data, start, end, each.boundaries[id]) for id in ids)
        rows.append([f"{start}–{end}", each.kind, *("│".join(map(_part, own)) for own in parts)])
    count = len(comparison.divergences)
    first = f", the first {len(rows)} here" if len(rows) < count else ""
    return Table(
        ["Bytes", "Kind", *ids],
        rows,
        "Divergences",
        about=f"{count} stretches have different boundaries{first}",
        right=[0],
        spaced=range(2, 2 + len(ids)),
        for_papers=False,
    )


def _part(data: bytes) -> str:
    """A part of a text, in hex where it is not whole characters."""
    return text_of(data) or f"<{data.hex(' ')}>"


def _made(made: Provenance) -> list[tuple[str, str]]:
    commit = f", commit {made.commit}" if made.commit else ""
    holds = f"; {made.command_file} holds it, in UTF-8" if made.command_file else ""
    return [
        ("Made by", f"{made.lab} {made.lab_version}{commit}"),
        ("Date", made.made_at),
        *(("Tokenizer", _used(each)) for each in made.tokenizers),
        ("Settings", settings_words(made.settings)),
        ("Text", f"sha256 {made.text.sha256}{holds}"),
    ]


def _used(tokenizer: UsedTokenizer) -> str:
    source = source_words(tokenizer)
    digest = f"sha256 {tokenizer.sha256}" if tokenizer.sha256 else "no digest: a plug-in"
    return ", ".join(filter(None, (tokenizer.id, source, tokenizer.source, digest)))


def _json_chunks(chunks: Iterable[bytes], made: Provenance) -> Iterator[str]:
    """The JSON of a result, with its provenance as the first field."""
    parts = (chunk.decode() for chunk in chunks)
    yield f'{{"provenance": {json_text(made)}, {next(parts)[1:]}'
    yield from parts


def token_rows(result: Result) -> Iterator[tuple[str | int | bool | None, ...]]:
    """Each token as `COLUMNS`. `text` is None if the bytes, in hex, are not whole characters; spans and `added` if a plug-in
    reports none."""
    names = {
        id: (result.tokenizer.token_text(id), result.tokenizer.token_bytes(id).hex()) for id in set(result.ids.tolist())
    }
    known = result.has_spans
    spans = zip(result.span_utf8.tolist(), result.encoding.span_char.tolist(), strict=True)
    for number, (id, flags, (utf8, char)) in enumerate(
        zip(result.ids.tolist(), result.flags.tolist(), spans, strict=True)
    ):
        places = (*utf8, *char) if known else (None,) * 4
        added = bool(flags & OUTSIDE) if known else None
        yield (result.id, number, id, *names[id], *places, bool(flags & SPECIAL), added, bool(flags & UNKNOWN))


def _csv_chunks(results: Sequence[Result], made: Provenance) -> Iterator[str]:
    """The rows of `token_rows`, in which None is empty.

    A file of this kind has no comments, so the first row alone has the provenance, as JSON in the last column. Without a
    token it has a row of its own.
    """
    lines = [csv_line((*COLUMNS, "provenance"))]
    provenance: str | None = json_text(made)
    for result in results:
        for row in token_rows(result):
            lines.append(csv_line((*row, provenance)))
            provenance = None
            if len(lines) >= CHUNK_TOKENS:
                yield "".join(lines)
                lines.clear()
    if provenance:
        lines.append(csv_line((*(None,) * len(COLUMNS), provenance)))
    yield "".join(lines)
