"""`tokenlab lesson`: shows an algorithm step by step on a text."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    FormatOption,
    SpecialsOption,
    TextArgument,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS
from lab_app.spelling import printable


def lesson(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The lesson: bpe-encode, bpe-train, chat-template, encoders, languages, pipeline, sentencepiece, special-tokens, unigram-encode,"
            " unigram-train, utf8, wordpiece-encode or wordpiece-train.",
            show_default=False,
        ),
    ],
    tokenizer: Annotated[str, tokenizer_option("The tokenizer.")],
    text: TextArgument = None,
    file: FileOption = None,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    learn: Annotated[
        int, typer.Option("--learn", metavar="N", help="Tokens that a lesson on training learns, 1 to 1000.")
    ] = DEFAULT_LEARN,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", help="Of the paths that unigram-encode draws: the same seed draws the same."
        ),
    ] = 0,
    add_special_tokens: AddSpecialTokensOption = True,
    format: FormatOption = "table",
) -> None:
    """Show every step of an algorithm on a text."""
    content = output.read_text(text, file)
    from lab_app.services.lessons.lessons import LessonOptions, lesson_of

    lab = the_lab()
    note_special_text(lab, [tokenizer], content, specials)
    made = lesson_of(lab, name, tokenizer, content, LessonOptions(specials, learn, seed, add_special_tokens))
    if format == "json":
        output.print_chunks([made.json_text()])
        return
    from lab_app.services.lessons.step_words import step_rows

    rows = [(number, printable(done), printable(result)) for number, (done, result) in enumerate(step_rows(made))]
    output.table(("step", "what is done", "result"), rows, right=("step",))
