"""`tokenlab undertrained`: tokens of a vocabulary that a model hardly saw in training."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, numbers_in, the_lab
from lab_app.number_words import number_of
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.services.vocabularies.undertrained import UndertrainedTokens

MAX_SHOWN = 1000


def undertrained(
    id: Annotated[str, typer.Argument(metavar="ID", help="The tokenizer's id.", show_default=False)],
    weights: Annotated[
        Path, typer.Argument(metavar="WEIGHTS", help="A .safetensors file, or a model's folder.", show_default=False)
    ],
    input: Annotated[
        str | None, typer.Option("--input", metavar="NAME", help="The tensor of input embeddings.", show_default=False)
    ] = None,
    output_name: Annotated[
        str | None,
        typer.Option("--output", metavar="NAME", help="The tensor of output embeddings.", show_default=False),
    ] = None,
    unused: Annotated[
        str | None, typer.Option("--unused", metavar="IDS", help="Rows known to be unused.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="The number of tokens to show.", min=0, max=MAX_SHOWN)] = 50,
    format: FormatOption = "table",
) -> None:
    """List the tokens that a model hardly saw in training, by its embeddings."""
    from lab_app.services.vocabularies.undertrained import undertrained as find

    rows = numbers_in(unused) if unused is not None else []
    found = find(the_lab(), id, weights, unused=rows, input=input, output=output_name, limit=limit)
    output.print_found(found, format, _show)


def _show(found: "UndertrainedTokens") -> None:
    columns = ("id", "token", "norm", "distance", "reachable")
    rows = [
        (
            row.id,
            spelled(row.text, row.bytes),
            f"{row.norm:.4f}",
            "–" if row.distance is None else f"{row.distance:.4f}",
            row.reachable,
        )
        for row in found.tokens
    ]
    output.table(columns, rows, right=("id", "norm", "distance"))
    if found.threshold is not None:
        below = number_of(found.candidate_count, "token")
        output.print_note(f"{below} with a {found.indicator} of at most {found.threshold:.4f}, the lowest 2 %")
    known = number_of(found.unused_count, "row")
    output.print_note(
        f"distances are from {known} {'given as unused' if found.unused == 'given' else f'known as unused: {found.unused}'}"
        if found.unused_count
        else "distances were not measured: no row is known to be unused; name some with --unused"
    )
