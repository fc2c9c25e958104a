"""`tokenlab decode`: ids as text."""

import sys
from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, numbers_in, the_lab, tokenizer_option


def decode(
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[IDS...|-]", help="The IDs; - reads stdin.", show_default=False)
    ] = None,
    skip_special_tokens: Annotated[
        bool, typer.Option("--skip-special-tokens/--keep-special-tokens", help="Omit special tokens from the text.")
    ] = True,
    format: FormatOption = "table",
) -> None:
    """Turn IDs back into text. Separate IDs by commas, spaces or brackets.

    The text is written as it is, bytes that are not UTF-8 included; JSON has `text` and `bytes`.
    """
    given = output.read_text("-", None) if ids in (None, [], ["-"]) else " ".join(ids or [])
    numbers = numbers_in(given)
    from lab_app.services.text.decode import decode as decode_ids
    from lab_app.services.text.decode import decoded

    if format == "json":
        output.print_json(decoded(the_lab(), tokenizer, numbers, skip_special_tokens=skip_special_tokens))
    else:
        data = decode_ids(the_lab(), tokenizer, numbers, skip_special_tokens=skip_special_tokens)
        sys.stdout.flush()
        sys.stdout.buffer.write(data + b"\n")
