"""`tokenlab info`: describes one tokenizer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, the_lab

if TYPE_CHECKING:
    from lab_app.services.tokenizers.tokenizers import FilePadding, FileTruncation


def info(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    format: FormatOption = "table",
) -> None:
    """Describe a tokenizer: source, licence, stages, special tokens."""
    from lab_app.services.tokenizers.tokenizers import describe

    entry = describe(the_lab(), id)
    if format == "json":
        output.print_json(entry)
        return
    specials = ", ".join(f"{token.text} {token.id}" for token in entry.special_tokens)
    stages = [(stage, words) for stage, words in (vars(entry.stages) if entry.stages else {}).items()]
    problem = entry.problem and f"{entry.problem.message}; {entry.problem.hint}"
    rows = [
        ("id", entry.id),
        ("name", entry.name),
        ("family", entry.family),
        ("source", entry.source if entry.available else "available to download"),
        ("problem", problem),
        ("needs", entry.needs),
        ("tokens", entry.vocab_size),
        ("base vocabulary", entry.base_vocab_size),
        ("merges", entry.merge_count),
        ("special tokens", specials),
        *stages,
        ("may change the text", _stages(entry.changing_stages)),
        ("decoding", entry.lossy or ("lossless" if entry.stages else None)),
        ("truncation in the file", _lengths(entry.truncation)),
        ("padding in the file", _lengths(entry.padding)),
        ("ignored fields", ", ".join(f"{field.place} = {field.value}" for field in entry.ignored_fields)),
        ("note", entry.note),
        ("licence", entry.licence),
        ("checked", _CHECKED[entry.checked]),
        ("origin", entry.origin),
        ("revision", entry.revision),
        ("size", entry.size_bytes and f"{entry.size_bytes} bytes"),
        ("sha256", entry.sha256),
    ]
    output.table(("", entry.id), [(label, value) for label, value in rows[1:] if value not in (None, "")])


_CHECKED = {
    True: "IDs compared with the reference library",
    False: "no: facts and IDs were not compared with any source",
    None: None,
}


def _lengths(found: "FileTruncation | FilePadding | None") -> str | None:
    """Truncation or padding as the file sets it."""
    if found is None:
        return None
    parts = ", ".join(f"{name} {value}" for name, value in vars(found).items() if value is not None)
    return f"{parts} (applied only if asked for)"


def _stages(changing: Sequence[str] | None) -> str | None:
    return None if changing is None else ", ".join(changing) or "no stage before the model"
