"""`tokenlab rename`: gives a tokenizer another name."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import the_lab


def rename(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its new name.", show_default=False)],
) -> None:
    """Give an added tokenizer another name. Its id stays."""
    from lab_app.services.tokenizers import tokenizers

    renamed = tokenizers.rename(the_lab(), id, name)
    output.print_chunks([f"{renamed.id} is now called {renamed.name}"])
