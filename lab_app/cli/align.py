"""`tokenlab align`: which tokens of one tokenizer stand for which of another."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    FileOption,
    ForceOption,
    FormatOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.cli.relations import two
from lab_app.cli.running import running_job
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of
from lab_app.settings import DEFAULT_SPECIALS

if TYPE_CHECKING:
    from lab_app.services.analyses.alignment import TokenAlignment

MAX_GROUPS = 200


def align(
    tokenizer: Annotated[list[str], tokenizer_option("A tokenizer; two.")],
    text: TextArgument = None,
    file: FileOption = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="CORPUS", help="A corpus instead of a text.", show_default=False)
    ] = None,
    sample: Annotated[
        str, typer.Option("--sample", metavar="SIZE|all", help="How much of the corpus to read, about.")
    ] = "all",
    seed: Annotated[int, typer.Option("--seed", help="Chooses the sample.")] = 0,
    save: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the map of tokens to a .npz, .parquet or .csv file."
        ),
    ] = None,
    force: ForceOption = False,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    format: FormatOption = "table",
) -> None:
    """Find which tokens of one tokenizer stand for which of another."""
    a, b = two(tokenizer)
    if corpus is not None and (text is not None or file is not None):
        raise BadValue("a text and a corpus are both given", "give one of the two")
    from lab_app.services.analyses.alignment import align_corpus, align_text, check_map, write_pairs

    if save is not None:
        check_map(save, force=force)
    if corpus is None:
        content, lab = output.read_text(text, file), the_lab()
        found, pairs = align_text(lab, a, b, content, specials=specials)
        note_special_text(lab, tokenizer, content, specials)
    else:
        with running_job("alignment", "Alignment", "bytes") as running:
            found, pairs = align_corpus(
                the_lab(), a, b, corpus, running, sample_bytes=output.size_in_bytes(sample), seed=seed
            )
    output.print_found(found, format, _show)
    if save is not None:
        write_pairs(pairs, save, force=force)
        output.print_note(f"{save}: {number_of(found.pair_count, 'pair')}")


def _show(found: "TokenAlignment") -> None:
    total = sum(found.kinds.values())
    rows = [(kind, count, f"{count / total:.1%}") for kind, count in found.kinds.items() if count]
    output.table((f"tokens of {found.a} : {found.b}", "groups", "share"), rows, right=("groups", "share"))
    output.print_note(
        f"{number_of(found.a_tokens, 'token')} of {found.a}, {integer(found.b_tokens)} of {found.b}; "
        f"{number_of(found.pair_count, 'pair')} of tokens cover the same bytes"
    )
