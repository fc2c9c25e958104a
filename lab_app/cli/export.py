"""`tokenlab export`: writes a text and its tokens to a file."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    ForceOption,
    IgnoreSpacesOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.errors import BadValue
from lab_app.settings import DEFAULT_SPECIALS


def export(
    tokenizer: Annotated[
        list[str],
        tokenizer_option("A tokenizer; one to eight."),
    ],
    to: Annotated[
        Path, typer.Option("-o", "--output", metavar="PATH", help="The file; its extension selects the format.")
    ],
    text: TextArgument = None,
    file: FileOption = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    ignore_spaces: IgnoreSpacesOption = True,
    force: ForceOption = False,
) -> None:
    """Write a text and its tokens to a file: .html (a page that needs nothing else), .md and .tex (tables), .csv, .json, or .suite.json (for `check`)."""
    content = output.read_text(text, file)
    from lab_app.reports.text import Format
    from lab_app.reports.text import export as export_text

    endings = {".suite.json": "suite", **{f".{known}": known for known in get_args(Format)}}
    format = next((known for ending, known in endings.items() if to.name.lower().endswith(ending)), None)
    if format is None:
        raise BadValue(f"{to.name} has no known extension", "end it with .html, .md, .tex, .csv, .json or .suite.json")
    lab = the_lab()
    found = export_text(
        lab,
        tokenizer,
        content,
        format,
        add_special_tokens=add_special_tokens,
        specials=specials,
        ignore_spaces=ignore_spaces,
    )
    note_special_text(lab, tokenizer, content, specials)
    output.print_note(f"{to}: {output.write_file(to, found.chunks, force=force)} bytes")
