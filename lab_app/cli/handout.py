"""`tokenlab handout`: writes a lesson, or a text with its tokens, as one page that works alone."""

from pathlib import Path
from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    ForceOption,
    SpecialsOption,
    TextArgument,
    given_options,
    note_special_text,
    the_lab,
    tokenizer_option,
)
from lab_app.errors import BadValue
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS

OF_TEXT = ("tokenizer", "to", "text", "file", "specials", "add_special_tokens", "force")


def handout(
    context: typer.Context,
    tokenizer: Annotated[list[str], tokenizer_option("A tokenizer; one for a lesson, one to four for a text.")],
    to: Annotated[Path, typer.Option("-o", "--output", metavar="PATH", help="The file, which ends in .html.")],
    text: TextArgument = None,
    file: FileOption = None,
    lesson: Annotated[
        str | None,
        typer.Option("--lesson", metavar="NAME", help="The lesson, as for `tokenlab lesson`; without it, the tokens."),
    ] = None,
    do_it: Annotated[bool, typer.Option("--do/--watch", help="Whether the lesson begins as a task.")] = False,
    at: Annotated[int, typer.Option("--at", metavar="N", help="The step at which the lesson begins.")] = 0,
    learn: Annotated[
        int, typer.Option("--learn", metavar="N", help="Tokens that a lesson on training learns, 1 to 1000.")
    ] = DEFAULT_LEARN,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the paths that unigram-encode draws.")] = 0,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    add_special_tokens: AddSpecialTokensOption = True,
    force: ForceOption = False,
) -> None:
    """Write a lesson, or a text with its tokens, as one HTML file that encodes new text without the lab or a network."""
    content = output.read_text(text, file)
    if to.suffix.lower() != ".html":
        raise BadValue(f"{to.name} is no name of a handout", "end it with .html")
    if lesson is None and (given := given_options(context, but=OF_TEXT)):
        raise BadValue(f"{given} has no effect without a lesson", "name one with --lesson")
    from lab_app.services.handouts.handouts import lesson_handout, text_handout

    lab = the_lab()
    if lesson is None:
        made = text_handout(lab, tokenizer, content, specials=specials, add_special_tokens=add_special_tokens)
    elif len(tokenizer) != 1:
        raise BadValue(f"there are {len(tokenizer)} tokenizers", "give one for a lesson")
    else:
        made = lesson_handout(
            lab,
            lesson,
            tokenizer[0],
            content,
            specials=specials,
            add_special_tokens=add_special_tokens,
            learn=learn,
            seed=seed,
            way="do" if do_it else "watch",
            at=at,
        )
    note_special_text(lab, tokenizer, content, specials)
    output.print_note(f"{to}: {output.write_file(to, [made.content], force=force)} bytes")
