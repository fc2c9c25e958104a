"""`tokenlab conformance`: compares the engine with reference libraries on the same tokenizer."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.analysis.options import ConformanceOptions as Options
from lab_app.cli import output
from lab_app.cli.common import FormatOption, SpecialsOption, option_of, the_lab, tokenizer_option
from lab_app.cli.running import running_job
from lab_app.number_words import number_of
from lab_app.settings import DEFAULT_SPECIALS

if TYPE_CHECKING:
    from lab_app.services.analyses.conformance import Conformance

MAX_IDS = 12
"""Ids of a differing text that a table shows; JSON has all."""


def conformance(
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    corpus: Annotated[str | None, option_of(Options, "corpus", metavar="CORPUS")] = None,
    against: Annotated[list[str] | None, option_of(Options, "against", metavar="LIBRARY")] = None,
    sample: Annotated[str, option_of(Options, "sample_bytes", metavar="SIZE|all")] = "5MB",
    texts: Annotated[int, option_of(Options, "texts", metavar="N")] = Options.texts,
    seed: Annotated[int, option_of(Options, "seed")] = Options.seed,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    format: FormatOption = "table",
) -> None:
    """Compare IDs with reference libraries; differences are shrunk to the smallest text. Fails if IDs differ."""
    from lab_app.services.analyses.conformance import conformance as compare

    libraries, size = tuple(against) if against else None, output.size_in_bytes(sample)
    options = Options(libraries, texts, corpus, size, seed, specials)
    with running_job("conformance", f"Conformance of {tokenizer}") as running:
        found = compare(the_lab(), tokenizer, options, running)
    output.print_found(found, format, _show)
    if not found.same:
        raise typer.Exit(output.FAILED)


def _show(found: "Conformance") -> None:
    rows = [
        (f"{each.reference} {each.version}", texts.source, texts.documents, texts.bytes, texts.equal, texts.different)
        for each in found.against
        for texts in each.compared
    ]
    if rows:
        columns = ("library", "texts", "documents", "bytes", "same IDs", "other IDs")
        output.table(columns, rows, right=columns[2:])
    for each in found.against:
        output.print_note(f"{each.reference} read {each.read_from}")
    for each in found.against:
        if each.smallest:
            differing = [(repr(one.text), _ids(one.ours), one.problem or _ids(one.theirs)) for one in each.smallest]
            output.table((f"smallest text that differs from {each.reference}", "IDs here", "IDs there"), differing)
        if each.not_shrunk:
            output.print_note(f"{number_of(each.not_shrunk, 'more text')} with other IDs in {each.reference}")
    for left in found.not_compared:
        output.print_note(f"not compared: {left.what}: {left.reason}")
    if found.same is None:
        output.print_note(f"no reference library could be compared with {found.tokenizer}")


def _ids(ids: list[int] | None) -> str:
    shown = " ".join(map(str, (ids or [])[:MAX_IDS]))
    return shown + (" …" if ids is not None and len(ids) > MAX_IDS else "")
