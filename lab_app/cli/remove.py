"""`tokenlab remove`: removes a tokenizer."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import the_lab


def remove(id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)]) -> None:
    """Remove an added or downloaded tokenizer and the lab's copy of its files."""
    from lab_app.services.tokenizers import tokenizers

    tokenizers.remove(the_lab(), id)
    output.print_chunks([f"{id} is removed"])
