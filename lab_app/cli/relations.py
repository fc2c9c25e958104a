"""`tokenlab transfer`, `compatibility` and `diff`: compare two tokenizers."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    USUAL_SPECIALS,
    FileOption,
    Format,
    FormatOption,
    SpecialsOption,
    TextArgument,
    numbers_in,
    tell_special_text,
    the_lab,
)
from lab_app.errors import BadValue

if TYPE_CHECKING:
    from lab_app.services.compatibility import Compatibility
    from lab_app.services.difference import Difference

MAX_ROWS = 20

Two = Annotated[
    list[str], typer.Option("-t", "--tokenizer", metavar="ID", help="A tokenizer; two.", show_default=False)
]


def transfer(
    source: Annotated[str, typer.Option("--from", metavar="ID", help="The source tokenizer.", show_default=False)],
    target: Annotated[str, typer.Option("--to", metavar="ID", help="The target tokenizer.", show_default=False)],
    text: TextArgument = None,
    file: FileOption = None,
    ids: Annotated[str | None, typer.Option("--ids", help="Ids instead of a text.", show_default=False)] = None,
    specials: SpecialsOption = USUAL_SPECIALS,
    format: FormatOption = Format.table,
) -> None:
    """Convert the ids of one tokenizer to another and list what is lost."""
    if ids is not None and (text is not None or file is not None):
        raise BadValue("a text and ids are both given", "give one of the two")
    from lab_app.services.transfer import transfer as transfer_ids
    from lab_app.services.transfer import transfer_text

    if ids is not None:
        found = transfer_ids(the_lab(), source, target, numbers_in(ids))
    else:
        lab, content = the_lab(), output.read_text(text, file)
        found = transfer_text(lab, source, target, content, specials=specials.value)
        tell_special_text(lab, [source], content, specials)
    if format == Format.json:
        output.print_json(found.as_json())
        return
    output.print_chunks([" ".join(map(str, found.target_ids.tolist()))])
    output.say(f"{found.source_ids.size} ids of {found.source} became {found.target_ids.size} of {found.target}")
    output.say(
        "nothing was lost"
        if not found.losses
        else f"{output.counted(len(found.losses), 'place')} where something was lost:"
    )
    for loss in found.losses[:MAX_ROWS]:
        output.say(f"  {loss.what}")


def compatibility(
    tokenizer: Two,
    text: TextArgument = None,
    file: FileOption = None,
    specials: SpecialsOption = USUAL_SPECIALS,
    format: FormatOption = Format.table,
) -> None:
    """Report how far the second tokenizer can replace the first."""
    a, b = two(tokenizer)
    content = output.given_text(text, file)
    from lab_app.services.compatibility import compatibility as compatibility_of

    lab = the_lab()
    found = compatibility_of(lab, a, b, content, specials=specials.value)
    if content is not None:
        tell_special_text(lab, [a, b], content, specials)
    if format == Format.json:
        output.print_json(found.as_json())
    else:
        _show_compatibility(found)


def _show_compatibility(found: "Compatibility") -> None:
    sizes, rows = found.vocabularies, found.rows
    columns = ("", f"only {found.a}", "both", f"only {found.b}")
    names = {"ordinary": "tokens", "special": "special tokens", "all": "all"}
    output.table(columns, [(names[name], *counts) for name, counts in found.parts().items()], right=columns[1:])
    table: list[tuple[str, object]] = [
        ("in both, with the same id", sizes.same_id),
        ("in both, of all there are (Jaccard index)", "—" if sizes.jaccard is None else f"{sizes.jaccard:.3f}"),
        (f"rows for {found.b}: copied from {found.a}", rows.copied),
        ("  averaged from parts", rows.composed),
        ("    parts on average", "—" if rows.mean_parts is None else f"{rows.mean_parts:.2f}"),
        ("  nothing to take", rows.fresh),
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
    specials: SpecialsOption = USUAL_SPECIALS,
    format: FormatOption = Format.table,
) -> None:
    """List the differences between two tokenizers and their effect on a text."""
    a, b = two(tokenizer)
    content = output.given_text(text, file)
    from lab_app.services.difference import difference

    lab = the_lab()
    found = difference(lab, a, b, content, specials=specials.value)
    if content is not None:
        tell_special_text(lab, [a, b], content, specials)
    if format == Format.json:
        output.print_json(found.as_json())
    else:
        _show_difference(found)


def _show_difference(found: "Difference") -> None:
    if found.same:
        output.print_chunks([f"{found.a} and {found.b} are the same tokenizer"])
        return
    parts = [("vocabulary", found.vocabulary), ("added tokens", found.added_tokens)]
    rows = [(name, part.kept, len(part.removed), len(part.added), len(part.changed)) for name, part in parts]
    if found.merges is not None:
        rows.append(("merges", found.merges.kept, len(found.merges.removed), len(found.merges.added), 0))
    columns = ("", "in both", f"only in {found.a}", f"only in {found.b}", "changed")
    output.table(columns, rows, right=columns[1:])
    if found.stages:
        output.table(
            ("stage", found.a, found.b),
            [(stage, output.short(of_a), output.short(of_b)) for stage, (of_a, of_b) in found.stages.items()],
        )
    if found.effect is not None:
        counts = " and ".join(str(result.ids.size) for result in found.effect.results)
        output.print_chunks(
            [f"on the text: {counts} tokens, {output.counted(len(found.effect.divergences), 'place')} cut differently"]
        )


def two(tokenizers: list[str]) -> tuple[str, str]:
    """The two ids that were named."""
    if len(tokenizers) != 2:
        raise BadValue(f"two tokenizers are needed, not {len(tokenizers)}", "name two: -t A -t B")
    return tokenizers[0], tokenizers[1]
