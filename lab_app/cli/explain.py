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
    """One paragraph per place: where it is, why, what else the model weighed, and what would take the cut away."""
    data = text.encode()
    cuts, size = output.counted(len(found["cuts"]), "cut"), output.counted(found["text_bytes"], "byte")
    output.print_chunks([f"{found['tokenizer']}: {cuts} in {size}"])
    for place in found["places"]:
        at = place["at"]
        mark = "│" if place["cut"] else "·"
        around = _shown(data[max(at - 12, 0) : at]) + mark + _shown(data[at : at + 12])
        output.print_chunks([f"\nbyte {at}: {around}"])
        output.print_chunks([f"  {output.printable(place['summary'])}"])
        for line in _weighed(place["details"] or {}):
            output.print_chunks([f"  {line}"])
        if place["edit"] is not None:
            output.print_chunks([f"  to take it away: {output.printable(place['edit']['summary'])}"])
    if found["left_out"]:
        output.say(f"{found['left_out']} more cuts; ask for one with --at BYTE")


def _weighed(details: dict[str, Any]) -> list[str]:
    """The ways to cut that a Unigram model weighs against each other; nothing of other models."""
    unit = details.get("unit")
    if unit is None:
        return []
    ways = [
        f"{way['probability']:7.2%}  {output.printable(' '.join(way['names']))}  (score {way['score']:.2f})"
        for way in unit["n_best"]
    ]
    probability = details["probability"]
    here = "" if probability is None else f"; a cut here has the probability {probability:.2%}"
    part = f", a part of {unit['part_of']['characters']:,} characters" if unit["part_of"] else ""
    return [f"ways to cut “{output.printable(unit['text'])}”{part}{here}:", *ways]


def _shown(part: bytes) -> str:
    """Bytes for people; what is cut off of a character at an end is left out."""
    return output.visible(part.decode(errors="ignore"), "")
