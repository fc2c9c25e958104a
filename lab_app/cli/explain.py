"""`tokenlab explain`: why a text is cut where it is."""

from typing import Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import FileOption, Format, FormatOption, SpecialsOption, SpecialText, TextArgument, the_lab


def explain(
    tokenizer: Annotated[
        str, typer.Option("-t", "--tokenizer", metavar="ID", help="The tokenizer.", show_default=False)
    ],
    text: TextArgument = None,
    file: FileOption = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="BYTE", help="Explain this byte alone, cut or not.", show_default=False),
    ] = None,
    specials: SpecialsOption = SpecialText.parse,
    edits: Annotated[
        bool, typer.Option("--edits/--no-edits", help="Look for the smallest edit that takes a cut away.")
    ] = True,
    trace: Annotated[bool, typer.Option("--trace", help="Print all that every stage did, as JSON.")] = False,
    format: FormatOption = Format.table,
) -> None:
    """Say why a tokenizer cuts a text where it does."""
    content = output.read_text(text, file)
    from lab_app.services.explain import explain_text, trace_of

    if trace:
        output.print_json(trace_of(the_lab(), tokenizer, content, specials=specials.value))
        return
    found = explain_text(the_lab(), tokenizer, content, at, specials=specials.value, edits=edits)
    if format == Format.json:
        output.print_json(found)
    else:
        show(found, content)


def show(found: dict[str, Any], text: str) -> None:
    """One paragraph per place: where it is, why, and what would take the cut away."""
    data = text.encode()
    cuts, size = output.counted(len(found["cuts"]), "cut"), output.counted(found["text_bytes"], "byte")
    output.print_chunks([f"{found['tokenizer']}: {cuts} in {size}"])
    for place in found["places"]:
        at = place["at"]
        mark = "│" if place["cut"] else "·"
        around = _shown(data[max(at - 12, 0) : at]) + mark + _shown(data[at : at + 12])
        output.print_chunks([f"\nbyte {at}: {around}"])
        output.print_chunks([f"  {output.printable(place['summary'])}"])
        if place["edit"] is not None:
            output.print_chunks([f"  to take it away: {output.printable(place['edit']['summary'])}"])
    if found["left_out"]:
        output.say(f"{found['left_out']} more cuts; ask for one with --at BYTE")


def _shown(part: bytes) -> str:
    """Bytes for people; what is cut off of a character at an end is left out."""
    return output.visible(part.decode(errors="ignore"), "")
