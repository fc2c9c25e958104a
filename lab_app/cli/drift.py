"""`tokenlab drift`: sampled IDs beside those of the encoder, and the end of a prompt."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import FormatOption, numbers_in, the_lab, tokenizer_option
from lab_app.errors import BadValue
from lab_app.number_words import integer, number_of, percent

if TYPE_CHECKING:
    from lab_app.services.text.drift import Drift, PromptEnd

MAX_ROWS = 20


def drift(
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[IDS...|-]", help="The sampled IDs; - reads stdin.", show_default=False),
    ] = None,
    prompt: Annotated[
        str | None, typer.Option("--prompt", metavar="TEXT", help="Test the end of this prompt instead.")
    ] = None,
    format: FormatOption = "table",
) -> None:
    """Compare IDs that a model sampled with those that the encoder makes of their text.

    With --prompt, it says how many next tokens would change the tokens of a prompt.
    """
    from lab_app.services.text.drift import drift as compare
    from lab_app.services.text.drift import prompt_end

    if prompt is not None:
        if ids:
            raise BadValue("IDs and a prompt are both given", "give one of the two")
        output.print_found(prompt_end(the_lab(), tokenizer, prompt), format, _show_end)
        return
    given = output.read_text("-", None) if ids in (None, [], ["-"]) else " ".join(ids or [])
    found = compare(the_lab(), tokenizer, numbers_in(given))
    output.print_found(found, format, _show)


def _show(found: "Drift") -> None:
    if found.first is None:
        output.print_note(f"no drift: the same {number_of(len(found.sampled), 'ID')}")
        return
    rows = [
        (
            place.sampled[0] + 1,
            place.kind,
            "" if place.text is None else repr(place.text),
            " ".join(map(str, found.sampled[slice(*place.sampled)])),
            " ".join(map(str, found.encoded[slice(*place.encoded)])),
        )
        for place in found.places[:MAX_ROWS]
    ]
    output.table(("token", "kind", "text", "sampled", "encoded"), rows, right=("token",))
    places = number_of(len(found.places), "place")
    output.print_note(f"{places}; {len(found.sampled)} IDs sampled, {len(found.encoded)} encoded")
    if found.reason:
        output.print_note(found.reason)
    if found.other_tokenizer:
        output.print_note("more than half of the IDs differ: they may be another tokenizer's")


def _show_end(found: "PromptEnd") -> None:
    count = len(found.ids)
    share = percent(found.changing / found.tried if found.tried else None, 1)
    rows = [
        ("tokens", integer(count)),
        ("of them stable", integer(found.stable)),
        ("next tokens that change the others", f"{integer(found.changing)} of {integer(found.tried)} ({share})"),
    ]
    if found.stable < count:
        rows += [
            ("for example", repr(found.example)),
            ("healed prompt", " ".join(map(str, found.ids[: found.stable]))),
            ("then a token that begins with", "part of a character" if found.rest is None else repr(found.rest)),
            ("of which there are", integer(found.candidates)),
        ]
    output.table(("", "value"), rows)
