"""`tokenlab compare`: one text under several tokenizers."""

from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    Format,
    FormatOption,
    SpecialsOption,
    SpecialText,
    TextArgument,
    the_lab,
)

if TYPE_CHECKING:
    from lab_app.services.compare import Comparison

MAX_ROWS = 200


def compare(
    tokenizer: Annotated[
        list[str],
        typer.Option("-t", "--tokenizer", metavar="ID", help="A tokenizer; two to eight.", show_default=False),
    ],
    text: TextArgument = None,
    file: FileOption = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = SpecialText.parse,
    ignore_spaces: Annotated[
        bool, typer.Option("--ignore-spaces/--count-spaces", help="Whether it matters which token keeps a space.")
    ] = True,
    format: FormatOption = Format.table,
) -> None:
    """Show where tokenizers cut a text differently."""
    content = output.read_text(text, file)
    from lab_app.services.compare import compare as compare_texts

    found = compare_texts(
        the_lab(),
        tokenizer,
        content,
        add_special_tokens=add_special_tokens,
        specials=specials.value,
        ignore_spaces=ignore_spaces,
    )
    if format == Format.json:
        output.print_chunks(found.json_chunks())
    else:
        show(found)


def show(found: "Comparison") -> None:
    """Counts, agreement and divergences as three tables."""
    ids = [result.id for result in found.results]
    summaries = [result.summary() for result in found.results]
    columns = ("tokenizer", "tokens", "bytes per token", "unknown", "characters split")
    output.table(
        columns,
        [
            (each["tokenizer"], each["count"], _per_token(each), each["unknown_count"], each["split_character_count"])
            for each in summaries
        ],
        right=columns[1:],
    )
    matrix = found.agreement.tolist()
    output.table(
        ("agreement", *ids),
        [(id, *(f"{value:.2f}" for value in row)) for id, row in zip(ids, matrix, strict=True)],
        right=ids,
    )
    divergences = found.divergences_as_json()
    data = found.results[0].text.encode()
    rows = [
        (
            "{}–{}".format(*each["span_utf8"]),
            each["kind"],
            *(_cut(data, *each["span_utf8"], cuts=each["boundaries"][result.id]) for result in found.results),
        )
        for each in divergences[:MAX_ROWS]
    ]
    output.table((output.counted(len(divergences), "divergence"), "kind", *ids), rows)
    if len(divergences) > MAX_ROWS:
        output.say(f"{len(divergences) - MAX_ROWS} more divergences; --format json has all")


def _per_token(summary: dict[str, int]) -> str:
    from lab_app.analysis.counts import bytes_per_token

    ratio = bytes_per_token(summary["text_bytes"], summary["count"] - summary["template_count"])
    return "–" if ratio is None else f"{ratio:.2f}"


def _cut(data: bytes, start: int, end: int, *, cuts: list[int]) -> str:
    """The stretch of the text's bytes with a bar at each cut."""
    from lab_app.analysis.divergence import cut_into_parts

    return "│".join(_visible(part) for part in cut_into_parts(data, start, end, cuts))


def _visible(part: bytes) -> str:
    try:
        return output.visible(part.decode(), "")
    except UnicodeDecodeError:
        return output.visible(None, part.hex())
