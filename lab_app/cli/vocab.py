"""`tokenlab vocab`: searches a vocabulary, shows one token, audits reachability, exports."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lab_app.cli import output
from lab_app.cli.common import ForceOption, FormatOption, the_lab
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.services.lab import Lab
    from lab_app.services.vocabularies.search import Audit, Query, TokenHead, VocabularyPage
    from lab_app.services.vocabularies.vocabulary import TokenDetail

MAX_SHOWN = 1000


Order = Literal["words", "id", "length", "characters", "rank", "merged_into_count"]
"""What tokens are ordered by."""


def vocab(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    search: Annotated[str | None, typer.Option("--search", metavar="RE", help="A regular expression.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="A text inside the token.")] = None,
    hex: Annotated[str | None, typer.Option("--hex", metavar="HEX", help="Bytes inside the token.")] = None,
    ids: Annotated[str | None, typer.Option("--ids", metavar="A-B", help="IDs from A to B.")] = None,
    case: Annotated[bool, typer.Option("--case", help="Match case.")] = False,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Filter by kind; may be repeated.")] = None,
    script: Annotated[list[str] | None, typer.Option("--script", help="Filter by script; may be repeated.")] = None,
    verdict: Annotated[
        list[str] | None, typer.Option("--verdict", help="Filter by verdict of the audit; may be repeated.")
    ] = None,
    order: Annotated[Order, typer.Option("--order", help="The sort key.")] = "id",
    descending: Annotated[bool, typer.Option("--descending", help="Largest first.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="The number of tokens to show.", min=0, max=MAX_SHOWN)] = 50,
    token: Annotated[int | None, typer.Option("--token", metavar="N", help="Show the token with this id.")] = None,
    audit: Annotated[
        bool,
        typer.Option(
            "--audit", help="Count the tokens that a text can produce, and those that none can, by the reason."
        ),
    ] = False,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write all matches to a .csv or .json file.")
    ] = None,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Search a vocabulary, show one of its tokens, or list the tokens that no text produces."""
    from lab_app.services.vocabularies import search as vocabulary_search
    from lab_app.services.vocabularies.vocabulary import token as token_of

    lab = the_lab()
    if token is not None:
        return output.print_found(token_of(lab, id, token), format, _show_token)
    if audit:
        return output.print_found(vocabulary_search.audit(lab, id), format, _show_audit)
    given = [("regex", search), ("text", text), ("hex", hex), ("ids", ids)]
    needles = [(mode, value) for mode, value in given if value is not None]
    if len(needles) > 1:
        raise BadValue("give only one of --search, --text, --hex and --ids", "give one of them")
    mode, value = needles[0] if needles else ("text", "")
    query = vocabulary_search.Query(
        value,
        mode,  # type: ignore[arg-type]
        not case,
        tuple(kind or ()),
        tuple(script or ()),
        tuple(verdict or ()),
        order=order,
        descending=descending,
    )
    if export is not None:
        return _export(lab, id, query, export, force=force)
    return output.print_found(vocabulary_search.search(lab, id, query, limit=limit), format, _show_tokens)


def _show_tokens(found: "VocabularyPage") -> None:
    columns = ("id", "token", "bytes", "kind", "script")
    # A model has ranks or scores, or neither: a column without values is left out.
    orders = tuple(name for name in ("rank", "score") if any(getattr(row, name) is not None for row in found.tokens))
    rows = [
        (
            row.id,
            spelled(row.text, row.bytes),
            row.bytes,
            row.kind,
            row.script,
            *("–" if getattr(row, name) is None else getattr(row, name) for name in orders),
        )
        for row in found.tokens
    ]
    output.table((*columns, *orders), rows, right=("id", *orders))
    output.print_note(f"{len(rows)} of {found.total} found, {found.count} tokens in all")


def _export(lab: "Lab", id: str, query: "Query", file: Path, *, force: bool) -> None:
    from lab_app.services.vocabularies.search import export

    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in ("csv", "json"):
        raise BadValue(f"{file} has no known extension", "use .csv or .json")
    chunks = export(lab, id, query, "csv" if suffix == "csv" else "json")
    output.print_note(f"{file}: {output.write_file(file, chunks, force=force)} bytes")


def _show_audit(found: "Audit") -> None:
    rows = [(reason.verdict, reason.explanation, reason.count) for reason in found.reasons]
    output.table(("verdict", "reason", "tokens"), rows, right=("tokens",))


def _show_token(found: "TokenDetail") -> None:
    row, reach, origin, without = found.token, found.reachability, found.origin, found.segmentation_without
    tree = [
        f"{_shown(node)} ← {_shown(origin.nodes[node.left])} + {_shown(origin.nodes[node.right])}"
        for node in reversed(origin.nodes)
        if node.left is not None and node.right is not None
    ]
    rows: list[tuple[str, object]] = [
        ("token", spelled(row.text, row.bytes)),
        ("id", row.id),
        ("bytes", bytes.fromhex(row.bytes).hex(" ")),
        ("kind", row.kind),
        ("script", row.script),
        ("merge", row.rank is not None and f"{integer(row.rank + 1)} of {integer(found.merge_count)}"),
        ("score", row.score),
        ("reachable", f"{reach.verdict}: {reach.explanation}"),
        ("built", origin.explanation),
        *(("", line) for line in tree),
        ("instead", ", ".join(map(_shown, origin.competing_tokens))),
        ("without it", without and ", ".join(map(_shown, without.tokens))),
        ("merged into", number_of(found.merged_into.count, "token")),
        ("contained in", number_of(found.containing_tokens.count, "token")),
        ("variants", ", ".join(map(_shown, found.variants))),
    ]
    output.table(("", str(row.id)), [(label, value) for label, value in rows if value not in (None, "", False)])


def _shown(token: "TokenHead | None") -> str:
    return "an unknown character" if token is None else f"{spelled(token.text, token.bytes)} {token.id}"
