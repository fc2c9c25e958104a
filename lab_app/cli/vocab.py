"""`tokenlab vocab`: searches a vocabulary, shows one token, judges which can be reached, exports."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import Format, FormatOption, the_lab
from lab_app.errors import BadValue

if TYPE_CHECKING:
    from lab_app.services.lab import Lab
    from lab_app.services.vocabulary_search import Query

MOST_SHOWN = 1000


class Order(StrEnum):
    """What tokens are ordered by."""

    id = "id"
    length = "length"
    characters = "characters"
    rank = "rank"
    part_of = "part_of"


def vocab(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    search: Annotated[str | None, typer.Option("--search", metavar="RE", help="A regular expression.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="A text inside the token.")] = None,
    hex: Annotated[str | None, typer.Option("--hex", metavar="HEX", help="Bytes inside the token.")] = None,
    ids: Annotated[str | None, typer.Option("--ids", metavar="A-B", help="Ids from A to B.")] = None,
    case: Annotated[bool, typer.Option("--case", help="Capitals and small letters differ.")] = False,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Keep this kind; may be repeated.")] = None,
    script: Annotated[list[str] | None, typer.Option("--script", help="Keep this script; may be repeated.")] = None,
    verdict: Annotated[list[str] | None, typer.Option("--verdict", help="Keep this verdict of the audit.")] = None,
    order: Annotated[Order, typer.Option("--order", help="What comes first.")] = Order.id,
    descending: Annotated[bool, typer.Option("--descending", help="The largest first.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="Most tokens shown.", min=0, max=MOST_SHOWN)] = 50,
    token: Annotated[int | None, typer.Option("--token", metavar="N", help="Show the token of this id.")] = None,
    audit: Annotated[bool, typer.Option("--audit", help="Tell which tokens no text gives.")] = False,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write all that is found: .csv or .json.")
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """Search a vocabulary, show one of its tokens, or tell which no text gives."""
    from lab_app.services import vocabulary_search
    from lab_app.services.vocabulary import token as token_of

    lab = the_lab()
    if token is not None:
        _show_token(token_of(lab, id, token), format)
        return
    if audit:
        _show_audit(vocabulary_search.audit(lab, id), format)
        return
    given = [("regex", search), ("text", text), ("hex", hex), ("ids", ids)]
    needles = [(mode, value) for mode, value in given if value is not None]
    if len(needles) > 1:
        raise BadValue("more than one of --search, --text, --hex and --ids is given", "give one of them")
    mode, value = needles[0] if needles else ("text", "")
    query = vocabulary_search.Query(
        value,
        mode,  # type: ignore[arg-type]
        not case,
        tuple(kind or ()),
        tuple(script or ()),
        tuple(verdict or ()),
        order=order.value,
        descending=descending,
    )
    if export is not None:
        _export(lab, id, query, export)
        return
    found = vocabulary_search.search(lab, id, query, limit=limit)
    if format == Format.json:
        output.print_json(found)
        return
    columns = ("id", "token", "bytes", "kind", "script", "rank")
    rows = [
        (
            row["id"],
            output.visible(row["text"], row["bytes"]),
            row["bytes"],
            row["kind"],
            row["script"],
            next((value for value in (row["rank"], row["score"]) if value is not None), "—"),
        )
        for row in found["tokens"]
    ]
    output.table(columns, rows, right=("id", "rank"))
    output.say(f"{len(rows)} of {found['total']} found, {found['count']} tokens in all")


def _export(lab: "Lab", id: str, query: "Query", file: Path) -> None:
    from lab_app.services.vocabulary_search import export

    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in ("csv", "json"):
        raise BadValue(f"{file} says nothing of its format", "call it something.csv or something.json")
    chunks = export(lab, id, query, "csv" if suffix == "csv" else "json")
    try:
        # As they are: a line end inside a token must not change.
        with file.open("w", encoding="utf-8", newline="") as target:
            target.writelines(chunks)
    except OSError as error:
        raise BadValue(
            f"{file} cannot be written: {error.strerror}", "give a path in a folder that is yours"
        ) from error
    output.say(f"written to {file}")


def _show_audit(found: dict[str, Any], format: Format) -> None:
    if format == Format.json:
        output.print_json(found)
        return
    rows = [(reason["verdict"], reason["words"], reason["count"]) for reason in found["reasons"]]
    output.table(("verdict", "because", "tokens"), rows, right=("tokens",))


def _show_token(found: dict[str, Any], format: Format) -> None:
    if format == Format.json:
        output.print_json(found)
        return

    def shown(token: dict[str, Any] | None) -> str:
        return (
            "an unknown character"
            if token is None
            else f"{output.visible(token['text'], token['bytes'])} {token['id']}"
        )

    row, reach, origin = found["token"], found["reachability"], found["origin"]
    tree = [f"{shown(node)} ← {shown(origin['nodes'][node['left']])} + {shown(origin['nodes'][node['right']])}"
            for node in reversed(origin["nodes"]) if node["left"] is not None]  # fmt: skip
    rows = [
        ("token", output.visible(row["text"], row["bytes"])),
        ("id", row["id"]),
        ("bytes", bytes.fromhex(row["bytes"]).hex(" ")),
        ("kind", row["kind"]),
        ("script", row["script"]),
        ("rank", row["rank"]),
        ("score", row["score"]),
        ("reachable", f"{reach['verdict']}: {reach['words']}"),
        ("built", origin["words"]),
        *(("", line) for line in tree),
        ("instead", ", ".join(shown(each) for each in origin["others"])),
        ("without it", found["without"] and ", ".join(shown(each) for each in found["without"]["tokens"])),
        ("merged into", f"{found['merged_into']['count']} tokens"),
        ("inside", f"{found['inside']['count']} tokens"),
        ("variants", ", ".join(shown(each) for each in found["variants"])),
    ]
    output.table(("", str(row["id"])), [(label, value) for label, value in rows if value not in (None, "")])
