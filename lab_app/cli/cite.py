"""`tokenlab cite`: how to cite a result of the lab."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    CitationFormat,
    FileOption,
    IgnoreSpacesOption,
    SpecialsOption,
    TextArgument,
    the_lab,
    tokenizer_option,
)
from lab_app.settings import DEFAULT_SPECIALS


def cite(
    tokenizer: Annotated[
        list[str],
        tokenizer_option("A tokenizer; may be repeated."),
    ],
    text: TextArgument = None,
    file: FileOption = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    ignore_spaces: IgnoreSpacesOption = True,
    format: Annotated[
        CitationFormat, typer.Option("--format", help="An entry for BibTeX, a sentence, or JSON for programs.")
    ] = "bibtex",
) -> None:
    """Print how to cite a result: lab, tokenizers with their digests, settings and date."""
    content = output.read_text(text, file)
    from lab_app.reports.citation import cite as cite_result

    found = cite_result(
        the_lab(),
        tokenizer,
        content,
        add_special_tokens=add_special_tokens,
        specials=specials,
        ignore_spaces=ignore_spaces,
    )
    if format == "json":
        output.print_json(found)
    else:
        output.print_chunks([found.sentence if format == "text" else found.bibtex.rstrip()])
