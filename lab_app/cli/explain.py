"""`tokenlab explain`: explains the boundaries of a text."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    FileOption,
    FormatOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.number_words import number_of
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.spelling import printable, spelled

AROUND = 24
"""Characters that are shown before and after a boundary."""

if TYPE_CHECKING:
    from lab_app.services.text.explain import Explanation


def explain(
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    text: TextArgument = None,
    file: FileOption = None,
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="BYTE", help="Explain this byte, whether or not it is a boundary.", show_default=False
        ),
    ] = None,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    edits: Annotated[
        bool, typer.Option("--edits/--no-edits", help="Search for the smallest edit that removes a boundary.")
    ] = True,
    trace: Annotated[bool, typer.Option("--trace", help="Print what every stage did, as JSON.")] = False,
    format: FormatOption = "table",
) -> None:
    """Explain why the boundaries of a text are where they are."""
    content = output.read_text(text, file)
    from lab_app.services.text.explain import explain_text
    from lab_app.services.text.trace import trace_of

    lab = the_lab()
    note_special_text(lab, [tokenizer], content, specials)
    if trace:
        output.print_json(trace_of(lab, tokenizer, content, specials=specials))
        return
    found = explain_text(lab, tokenizer, content, at, specials=specials, edits=edits)
    if format == "json":
        output.print_json(found)
    else:
        show(found, content)


def show(found: "Explanation", text: str) -> None:
    """Prints a paragraph per boundary: position, reason, alternatives, and the edit that removes it."""
    data = text.encode()
    count, size = len(found.boundaries), number_of(found.text_bytes, "byte")
    output.print_chunks([f"{found.tokenizer}: {count} {'boundary' if count == 1 else 'boundaries'} in {size}"])
    for place in found.places:
        at = place.at
        mark = "│" if place.boundary else "·"
        around = _end(data[:at]) + mark + _start(data[at:])
        output.print_chunks([f"\nbyte {at}: {around}"])
        output.print_chunks([f"  {printable(place.reason)}"])
        output.print_chunks([f"  how: {printable(place.summary)}"])
        for line in _segmentations(place.details or {}):
            output.print_chunks([f"  {line}"])
        if place.edit is not None:
            output.print_chunks([f"  to remove it: {printable(place.edit.summary)}"])
    if found.left_out:
        output.print_note(f"{found.left_out} more boundaries; select one with --at BYTE")


def _segmentations(details: dict[str, Any]) -> list[str]:
    """The most probable segmentations of a Unigram model; nothing for other models."""
    segment = details.get("segment")
    if segment is None:
        return []
    lines = [
        f"{each['probability']:7.2%}  {printable(' '.join(each['names']))}  (score {each['score']:.2f})"
        for each in segment["segmentations"]
    ]
    probability = details["probability"]
    here = "" if probability is None else f"; the boundary here has probability {probability:.2%}"
    whole = segment["excerpt_of"]
    part = f", a part of {whole['characters']:,} characters" if whole else ""
    return [f"segmentations of “{printable(segment['text'])}”{part}{here}:", *lines]


def _start(part: bytes) -> str:
    """The first characters of a part of a text, without those of which it lacks bytes.

    >>> _start("a word and another one of the text".encode())
    'a·word·and·another·one·o…'
    """
    text = part[: 4 * AROUND + 4].decode(errors="ignore")
    return spelled(text[:AROUND], "") + ("…" if len(text) > AROUND else "")


def _end(part: bytes) -> str:
    """The last characters.

    >>> _end("the text".encode()), _end("a word and another one of the text".encode())
    ('the·text', '…·another·one·of·the·text')
    """
    text = part[-4 * AROUND - 4 :].decode(errors="ignore")
    return ("…" if len(text) > AROUND else "") + spelled(text[-AROUND:], "")
