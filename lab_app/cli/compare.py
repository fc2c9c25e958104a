"""`tokenlab compare`: one text under several tokenizers."""

from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    FormatOption,
    IgnoreSpacesOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.number_words import integer, number_of, ratio
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.spelling import spelled

if TYPE_CHECKING:
    from lab_app.services.text.compare import Comparison

MAX_ROWS = 200
MAX_BYTES = 200
"""Bytes of a divergence that a table shows: a word of megabytes would fill the terminal."""


def compare(
    tokenizer: Annotated[
        list[str],
        tokenizer_option("A tokenizer; two to eight."),
    ],
    text: TextArgument = None,
    file: FileOption = None,
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    ignore_spaces: IgnoreSpacesOption = True,
    format: FormatOption = "table",
) -> None:
    """Compare the boundaries of two to eight tokenizers."""
    content = output.read_text(text, file)
    from lab_app.services.text.compare import compare as compare_texts

    lab = the_lab()
    found = compare_texts(
        lab,
        tokenizer,
        content,
        add_special_tokens=add_special_tokens,
        specials=specials,
        ignore_spaces=ignore_spaces,
    )
    note_special_text(lab, tokenizer, content, specials)
    if format == "json":
        output.print_chunks(map(bytes.decode, found.json_chunks()))
    else:
        show(found)


def show(found: "Comparison") -> None:
    """Figures, agreement and divergences as three tables."""
    from lab_app.analysis import figures

    ids = [result.id for result in found.results]
    summaries = [result.summary() for result in found.results]
    base = summaries[0].text_token_count
    columns = ("tokenizer", "tokens", "difference", "bytes per token", "characters per token", "unknown", "split")
    output.table(
        columns,
        [
            (
                each.tokenizer,
                figures.token_words(each),
                figures.difference(each.text_token_count, base) if number else "",
                ratio(each.bytes_per_token),
                ratio(each.characters_per_token),
                figures.unknown_words(each) or "0",
                integer(each.split_character_count),
            )
            for number, each in enumerate(summaries)
        ],
        right=columns[1:],
    )
    if example := next((each for each in summaries if figures.added_count(each)), None):
        words, added = figures.token_words(example), integer(figures.added_count(example))
        output.print_note(
            f'"{words}" tokens: {words.partition(" + ")[0]} of the text, {added} added around it; '
            "the other figures count the tokens of the text"
        )
    matrix = found.agreement.tolist()
    output.table(
        ("agreement", *ids),
        [(id, *(f"{value:.2f}" for value in row)) for id, row in zip(ids, matrix, strict=True)],
        right=ids,
    )
    divergences = found.listed_divergences()
    data = found.results[0].text.encode()
    rows = [
        (
            "{}–{}".format(*each.span_utf8),
            each.kind,
            *(_with_bars(data, *each.span_utf8, boundaries=each.boundaries[result.id]) for result in found.results),
        )
        for each in divergences[:MAX_ROWS]
    ]
    output.table((number_of(len(divergences), "divergence"), "kind", *ids), rows)
    if len(divergences) > MAX_ROWS:
        output.print_note(f"{len(divergences) - MAX_ROWS} more divergences; --format json has all")


def _with_bars(data: bytes, start: int, end: int, *, boundaries: list[int]) -> str:
    """Returns the start of the stretch of text with a bar at each boundary."""
    from lab_app.analysis.divergence import split_into_parts

    stop = min(end, start + MAX_BYTES)
    while stop < end and data[stop] & 0xC0 == 0x80:  # inside of a character
        stop -= 1
    shown = boundaries[: bisect_left(boundaries, stop)]
    parts = "│".join(_visible(part) for part in split_into_parts(data, start, stop, shown))
    return parts if stop == end else f"{parts}…"


def _visible(part: bytes) -> str:
    try:
        return spelled(part.decode(), "")
    except UnicodeDecodeError:
        return spelled(None, part.hex())
