"""`tokenlab info`: all the catalog knows of one tokenizer."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import Format, FormatOption, the_lab


def info(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    format: FormatOption = Format.table,
) -> None:
    """Show all there is to know of a tokenizer."""
    from lab_app.services.tokenizers import describe

    entry = describe(the_lab(), id)
    if format == Format.json:
        output.print_json(entry)
        return
    specials = ", ".join(f"{token['text']} {token['id']}" for token in entry["special_tokens"])
    stages = [(stage, words) for stage, words in (entry["stages"] or {}).items()]
    problem = entry["problem"] and f"{entry['problem']['message']}; {entry['problem']['hint']}"
    rows = [
        ("id", entry["id"]),
        ("name", entry["name"]),
        ("family", entry["family"]),
        ("source", entry["source"] if entry["available"] else "not here yet"),
        ("problem", problem),
        ("needs", entry["needs"]),
        ("tokens", entry["vocab_size"]),
        ("of these, not added", entry["base_vocab_size"]),
        ("special tokens", specials),
        *stages,
        ("may change the text", _stages(entry["changing_stages"])),
        ("decoding", entry["lossy"] or ("gives the text back" if entry["stages"] else None)),
        ("licence", entry["licence"]),
        ("origin", entry["origin"]),
        ("revision", entry["revision"]),
        ("size", entry["size_bytes"] and f"{entry['size_bytes']} bytes"),
        ("sha256", entry["sha256"]),
    ]
    output.table(("", entry["id"]), [(label, value) for label, value in rows[1:] if value not in (None, "")])


def _stages(changing: list[str] | None) -> str | None:
    return None if changing is None else ", ".join(changing) or "no stage before the model"
