"""`tokenlab retokenize`, `overlap` and `diff`: compare two tokenizers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    FileOption,
    FormatOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    numbers_in,
    the_lab,
    tokenizer_option,
)
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of
from lab_app.settings import DEFAULT_SPECIALS, SpecialText

if TYPE_CHECKING:
    from lab_app.services.editing.measuring import ChangedDocument, Measured, TokensOf
    from lab_app.services.lab import Lab
    from lab_app.services.vocabularies.differences import TokenizerDiff
    from lab_app.services.vocabularies.overlap import VocabularyOverlap

MAX_ROWS = 20

Two = Annotated[list[str], tokenizer_option("A tokenizer; two.")]


def retokenize(
    source: Annotated[str, typer.Option("--from", metavar="ID", help="The source tokenizer.", show_default=False)],
    target: Annotated[str, typer.Option("--to", metavar="ID", help="The target tokenizer.", show_default=False)],
    text: TextArgument = None,
    file: FileOption = None,
    ids: Annotated[str | None, typer.Option("--ids", help="IDs instead of a text.", show_default=False)] = None,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    format: FormatOption = "table",
) -> None:
    """Convert the IDs of one tokenizer to another and list what is lost."""
    if ids is not None and (text is not None or file is not None):
        raise BadValue("a text and IDs are both given", "give one of the two")
    from lab_app.services.text.retokenize import retokenize as retokenize_ids
    from lab_app.services.text.retokenize import retokenize_text

    if ids is not None:
        found = retokenize_ids(the_lab(), source, target, numbers_in(ids))
    else:
        lab, content = the_lab(), output.read_text(text, file)
        found = retokenize_text(lab, source, target, content, specials=specials)
        note_special_text(lab, [source], content, specials)
    if format == "json":
        output.print_json(found)
        return
    output.print_chunks([" ".join(map(str, found.target_ids))])
    ids = number_of(len(found.source_ids), "id")
    output.print_note(f"{ids} of {found.source} became {len(found.target_ids)} of {found.target}")
    output.print_note(
        "nothing was lost" if found.lossless else f"{number_of(len(found.losses), 'place')} where something was lost:"
    )
    for loss in found.losses[:MAX_ROWS]:
        output.print_note(f"  {loss.message}")


def overlap(
    tokenizer: Two,
    text: TextArgument = None,
    file: FileOption = None,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    format: FormatOption = "table",
) -> None:
    """Report how far the second tokenizer can replace the first."""
    given = _given(tokenizer, text, file, specials)
    from lab_app.services.vocabularies.overlap import vocabulary_overlap

    found = vocabulary_overlap(*given, specials=specials)
    output.print_found(found, format, _show_overlap)


def _show_overlap(found: "VocabularyOverlap") -> None:
    rows, vocabularies = found.rows, found.vocabularies
    columns = ("", f"only {found.a}", "both", f"only {found.b}")
    parts = [("tokens", vocabularies.ordinary), ("special tokens", vocabularies.special), ("all", vocabularies.all)]
    output.table(columns, [(name, part.only_a, part.both, part.only_b) for name, part in parts], right=columns[1:])
    table: list[tuple[str, object]] = [
        ("in both, with the same id", found.same_ids),
        ("in both, of all there are (Jaccard index)", "—" if found.jaccard is None else f"{found.jaccard:.3f}"),
        (f"rows for {found.b}: copied from {found.a}", rows.copied),
        ("  averaged from parts", rows.averaged),
        ("    parts on average", "—" if rows.mean_parts is None else f"{rows.mean_parts:.2f}"),
        ("  newly initialized", rows.new),
    ]
    if found.agreement is not None and found.counts is not None:
        table += [
            ("tokens for the text", "{} and {}".format(*found.counts)),
            ("agreement of boundaries (Jaccard index)", f"{found.agreement:.3f}"),
        ]
    output.table(("", "value"), table, right=("value",))


def diff(
    tokenizer: Two,
    text: TextArgument = None,
    file: FileOption = None,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    corpus: Annotated[
        str | None,
        typer.Option("--corpus", metavar="NAME", help="Count this corpus: documents that differ, worst first."),
    ] = None,
    format: FormatOption = "table",
) -> None:
    """List the differences between two tokenizers and their effect on a text, or on the documents of a corpus."""
    if corpus is not None:
        if text is not None or file is not None:
            raise BadValue("--corpus and a text are given", "give one of the two")
        from lab_app.services.editing.measuring import measured_between

        output.print_found(measured_between(the_lab(), *two(tokenizer), corpus), format, _show_documents)
        return
    given = _given(tokenizer, text, file, specials)
    from lab_app.services.vocabularies.differences import tokenizer_diff

    found = tokenizer_diff(*given, specials=specials)
    output.print_found(found, format, _show_diff)


def _show_diff(found: "TokenizerDiff") -> None:
    if found.same:
        output.print_chunks([f"{found.a} and {found.b} are the same tokenizer"])
        return
    parts = [("vocabulary", found.vocabulary), ("added tokens", found.added_tokens)]
    rows = [(name, part.kept, part.removed_count, part.added_count, part.changed_count) for name, part in parts]
    if found.merges is not None:
        rows.append(("merges", found.merges.kept, found.merges.removed_count, found.merges.added_count, 0))
    columns = ("", "in both", f"only in {found.a}", f"only in {found.b}", "changed")
    output.table(columns, rows, right=columns[1:])
    if found.stages:
        output.table(
            ("stage", found.a, found.b),
            [(each.stage, output.short(each.a), output.short(each.b)) for each in found.stages],
        )
    if found.effect is not None:
        counts = " and ".join(map(str, found.effect.counts))
        places = number_of(found.effect.divergences, "place")
        output.print_chunks([f"on the text: {counts} tokens, {places} with different boundaries"])


def _show_documents(found: "Measured") -> None:
    rows = [(each.name, each.before, each.after, _growth(each)) for each in found.languages]
    total = ("all", found.total.before, found.total.after, _growth(found.total))
    output.table(("language", "A", "B", "change"), [*rows, total], right=("A", "B", "change"))
    for words, documents in (("more", found.worst), ("fewer", found.best)):
        shown = [(each.number + 1, each.language or "", each.before, each.after, _growth(each)) for each in documents]
        if shown:
            output.table(("document", "language", "A", "B", "change"), shown[:MAX_ROWS], right=("A", "B", "change"))
        of_all = found.longer if words == "more" else found.shorter
        output.print_chunks([f"{number_of(of_all, 'document')} of {integer(found.documents)} with {words} tokens"])


def _growth(counts: "TokensOf | ChangedDocument") -> str:
    return f"{100 * (counts.after / counts.before - 1):+.1f} %" if counts.before else "—"


def _given(
    tokenizers: list[str], text: str | None, file: Path | None, specials: SpecialText
) -> tuple["Lab", str, str, str | None]:
    """The lab, the two tokenizers and the text of a command, whose special tokens are said."""
    a, b = two(tokenizers)
    content = output.given_text(text, file)
    lab = the_lab()
    if content is not None:
        note_special_text(lab, [a, b], content, specials)
    return lab, a, b, content


def two(tokenizers: list[str]) -> tuple[str, str]:
    """The two IDs that were named."""
    if len(tokenizers) != 2:
        raise BadValue(f"two tokenizers are needed, not {len(tokenizers)}", "name two: -t A -t B")
    return tokenizers[0], tokenizers[1]
