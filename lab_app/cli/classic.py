"""`tokenlab classic`: encodes a text with textbook BPE algorithms and counts their steps."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FileOption, Format, FormatOption, TextArgument, the_lab


def classic(
    tokenizer: Annotated[
        str, typer.Option("-t", "--tokenizer", metavar="ID", help="A byte-level BPE tokenizer.", show_default=False)
    ],
    text: TextArgument = None,
    file: FileOption = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option("-a", "--algorithm", metavar="NAME", help="The algorithm; may be repeated. [default: all]"),
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """Encode a text with textbook BPE algorithms and count their steps."""
    content = output.read_text(text, file)
    from lab_app.services.classic import classic as run

    results = run(the_lab(), tokenizer, content, algorithm or ())
    if format == Format.json:
        output.print_json({"tokenizer": tokenizer, "encoders": [result.as_json() for result in results]})
        return
    steps = next((tuple(result.steps) for result in results if result.steps), ())
    rows = [
        (
            result.algorithm,
            "—" if result.ids is None else result.ids.size,
            *("—" if result.steps is None else result.steps[name] for name in steps),
            {True: "yes", False: "no", None: "—"}[result.same_ids],
        )
        for result in results
    ]
    output.table(("encoder", "tokens", *steps, "the tokenizer's ids"), rows, right=("tokens", *steps))
    for result in results:
        if result.problem:
            output.say(f"{result.algorithm}: {result.problem}")
