"""`tokenlab handout` and `tokenlab share`: write a lesson, or a text with its tokens, as a page that works without the lab."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS, SpecialText

if TYPE_CHECKING:
    from lab_app.services.handouts.contents import Subject
    from lab_app.services.lab import Lab

OF_TEXT = ("tokenizer", "to", "text", "file", "specials", "add_special_tokens", "force")
TokenizersOption = Annotated[list[str], tokenizer_option("A tokenizer; one for a lesson, one to four for a text.")]
LessonOption = Annotated[
    str | None,
    typer.Option("--lesson", metavar="NAME", help="The lesson, as for `tokenlab lesson`; without it, the tokens."),
]
DoOption = Annotated[bool, typer.Option("--do/--watch", help="Whether the lesson begins as a task.")]
AtOption = Annotated[int, typer.Option("--at", metavar="N", help="The step at which the lesson begins.")]
LearnOption = Annotated[
    int, typer.Option("--learn", metavar="N", help="Tokens that a lesson on training learns, 1 to 1000.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Of the paths that unigram-encode draws.")]


def check_name(to: Path) -> None:
    """Raises BadValue for a file that no browser would take for a page."""
    if to.suffix.lower() != ".html":
        raise BadValue(f"{to.name} is no name of a handout", "end it with .html")


def handout(
    context: typer.Context,
    tokenizer: TokenizersOption,
    to: Annotated[Path, typer.Option("-o", "--output", metavar="PATH", help="The file, which ends in .html.")],
    text: TextArgument = None,
    file: FileOption = None,
    lesson: LessonOption = None,
    do_it: DoOption = False,
    at: AtOption = 0,
    learn: LearnOption = DEFAULT_LEARN,
    seed: SeedOption = 0,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    add_special_tokens: AddSpecialTokensOption = True,
    force: ForceOption = False,
) -> None:
    """Write a lesson, or a text with its tokens, as one HTML file that encodes new text without the lab or a network."""
    check_name(to)
    lab, subject = _subject(
        context, tokenizer, text, file, lesson, do_it, at, learn, seed, specials, add_special_tokens
    )
    from lab_app.services.handouts import handouts

    made = handouts.handout(lab, subject)
    output.print_note(f"{to}: {output.write_file(to, [made.content], force=force)} bytes")


def share(
    context: typer.Context,
    tokenizer: TokenizersOption,
    to: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="The folder; it is made.")],
    text: TextArgument = None,
    file: FileOption = None,
    lesson: LessonOption = None,
    do_it: DoOption = False,
    at: AtOption = 0,
    learn: LearnOption = DEFAULT_LEARN,
    seed: SeedOption = 0,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    add_special_tokens: AddSpecialTokensOption = True,
    force: ForceOption = False,
) -> None:
    """Write a lesson, or a text with its tokens, as a folder for any web server.

    The address of its page says the text and the step, so a link opens the same.
    """
    lab, subject = _subject(
        context, tokenizer, text, file, lesson, do_it, at, learn, seed, specials, add_special_tokens
    )
    from lab_app.services.handouts import handouts
    from lab_app.services.handouts.page import VOCABULARIES

    size = output.write_folder(to, handouts.folder(lab, [subject]), parts=VOCABULARIES, force=force)
    look = f"python -m http.server --directory {shlex.quote(str(to))}"
    output.print_note(f"{to}: {size} bytes; to look at it: {look}")


def _subject(
    context: typer.Context,
    ids: list[str],
    text: str | None,
    file: Path | None,
    lesson: str | None,
    do_it: bool,
    at: int,
    learn: int,
    seed: int,
    specials: SpecialText,
    add_special_tokens: bool,
) -> "tuple[Lab, Subject]":
    content = output.read_text(text, file)
    if lesson is None and (given := given_options(context, but=OF_TEXT)):
        raise BadValue(f"{given} has no effect without a lesson", "name one with --lesson")
    from lab_app.services.handouts.handouts import lesson_subject, text_subject
    from lab_app.services.lessons.lessons import LessonOptions

    lab = the_lab()
    if lesson is None:
        subject = text_subject(lab, ids, content, specials=specials, add_special_tokens=add_special_tokens)
    elif len(ids) != 1:
        raise BadValue(f"there are {len(ids)} tokenizers", "give one for a lesson")
    else:
        options = LessonOptions(specials, learn, seed, add_special_tokens)
        subject = lesson_subject(lab, lesson, ids[0], content, options, way="do" if do_it else "watch", at=at)
    note_special_text(lab, ids, content, specials)
    for entry in (lab.loaded.get(id)[0] for id in subject.tokenizers):
        if entry.licence is None or entry.gated:
            what = "its owner asks for consent to terms" if entry.gated else "its licence is not known to the lab"
            output.print_note(f"{entry.id}: {what}; see that you may pass its vocabulary on")
    return lab, subject
