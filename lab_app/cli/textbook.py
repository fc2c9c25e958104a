"""`tokenlab textbook`: encodes a text with textbook BPE algorithms and counts their steps."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FileOption, FormatOption, TextArgument, the_lab, tokenizer_option


def textbook(
    tokenizer: Annotated[str, tokenizer_option("A byte-level BPE tokenizer.")],
    text: TextArgument = None,
    file: FileOption = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option("-a", "--algorithm", metavar="NAME", help="The algorithm; may be repeated. [default: all]"),
    ] = None,
    format: FormatOption = "table",
) -> None:
    """Encode a text with textbook BPE algorithms and count their steps."""
    content = output.read_text(text, file)
    from lab_app.services.text.textbook_encoders import textbook_encodings

    found = textbook_encodings(the_lab(), tokenizer, content, algorithm or ())
    if format == "json":
        output.print_json(found)
        return
    steps = next((tuple(each.steps) for each in found.encoders if each.steps), ())
    rows = [
        (
            each.algorithm,
            "—" if each.count is None else each.count,
            *("—" if each.steps is None else each.steps[name] for name in steps),
            {True: "yes", False: "no", None: "—"}[each.same_ids],
        )
        for each in found.encoders
    ]
    output.table(("encoder", "tokens", *steps, "the tokenizer's IDs"), rows, right=("tokens", *steps))
    for each in found.encoders:
        if each.problem:
            output.print_note(f"{each.algorithm}: {each.problem}")
