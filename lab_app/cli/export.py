"""`tokenlab export`: a text under tokenizers, as a file."""

from pathlib import Path
from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import AddSpecialTokensOption, FileOption, SpecialsOption, SpecialText, TextArgument, the_lab
from lab_app.errors import BadValue, Unavailable


def export(
    tokenizer: Annotated[
        list[str],
        typer.Option("-t", "--tokenizer", metavar="ID", help="A tokenizer; one to eight.", show_default=False),
    ],
    to: Annotated[Path, typer.Option("-o", "--output", metavar="PATH", help="The file; its ending is the format.")],
    text: TextArgument = None,
    file: FileOption = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = SpecialText.parse,
) -> None:
    """Write a text and its tokens to a file: .html (a page that needs nothing else), .csv or .json."""
    content = output.read_text(text, file)
    from lab_app.services.export import MEDIA_TYPES
    from lab_app.services.export import export as export_text

    format = next((known for known in MEDIA_TYPES if to.suffix.lower() == f".{known}"), None)
    if format is None:
        raise BadValue(f"{to.name} does not say its format", "end it with .html, .csv or .json")
    found = export_text(
        the_lab(), tokenizer, content, format, add_special_tokens=add_special_tokens, specials=specials.value
    )
    try:
        with to.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(found.chunks)
    except OSError as error:
        raise Unavailable(f"{to} cannot be written: {error.strerror}", "choose another place") from error
    output.say(f"{to}: {to.stat().st_size} bytes")
