"""`tokenlab convert`: writes a tokenizer in another format."""

from pathlib import Path
from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import ForceOption, the_lab


def convert(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The file to write; for vocab+merges, a folder.", show_default=False)
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="The format: tokenizer.json, tiktoken, sentencepiece, vocab.txt, vocab+merges",
            show_default=False,
        ),
    ],
    force: ForceOption = False,
) -> None:
    """Write a tokenizer in another format, or name what that format cannot hold."""
    from lab_app.services.tokenizers import convert as service

    written = service.convert(the_lab(), id, to, out, force=force)
    output.print_chunks([f"{id} is written to {', '.join(map(str, written.files))}"])
    output.print_chunks(written.notes)
