"""`tokenlab lesson`: the commands of lessons and of what learners do. `lesson NAME` shows a lesson (`lab_app/cli/lesson.py`)."""

from dataclasses import fields
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    FileOption,
    ForceOption,
    Format,
    FormatOption,
    SpecialsOption,
    TextArgument,
    given_options,
    note_special_text,
    option_of,
    the_lab,
    tokenizer_option,
)
from lab_app.cli.handout import check_name
from lab_app.cli.lesson import lesson
from lab_app.cli.usage import Command, Group, epilog
from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.services.exercises.options import SheetKind, SheetOptions
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.spelling import printable, spelled

if TYPE_CHECKING:
    from lab_app.services.exercises.boundaries import MarkedBoundaries
    from lab_app.services.exercises.files import CheckedFile
    from lab_app.services.exercises.task import Line


class Lessons(Group):
    """A group whose command `show` needs no name: `lesson utf8` is `lesson show utf8`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts `show` before anything but the name of a command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=Lessons, help="Show an algorithm step by step, or mark what a learner did.", no_args_is_help=True)
app.command("show", cls=Command, epilog=epilog("lesson show"))(lesson)

OF_HANDOUT = ("tokenizer", *(each.name for each in fields(SheetOptions)), "handout", "force")
TokenizerOption = Annotated[str, tokenizer_option("The tokenizer.")]


@app.command("boundaries", cls=Command, epilog=epilog("lesson boundaries"))
def boundaries(
    tokenizer: TokenizerOption,
    guess: Annotated[
        str,
        typer.Option(
            "--guess", metavar="TEXT", help="The text with a mark at each boundary: un|believ|able.", show_default=False
        ),
    ],
    text: TextArgument = None,
    file: FileOption = None,
    mark: Annotated[str, typer.Option("--mark", help="The mark; a sign that the text does not have.")] = "|",
    specials: SpecialsOption = DEFAULT_SPECIALS,
    format: FormatOption = "table",
) -> None:
    """Mark a guess of where the tokens of a text end, with the reason of each miss."""
    content = output.read_text(text, file)
    from lab_app.services.exercises.boundaries import guess_of, mark_boundaries

    lab = the_lab()
    note_special_text(lab, [tokenizer], content, specials)
    found = mark_boundaries(lab, tokenizer, content, guess_of(content, guess, mark), specials=specials)
    if format == "json":
        output.print_json(found)
    else:
        _show_boundaries(found, content)


@app.command("exercises", cls=Command, epilog=epilog("lesson exercises"))
def exercises(
    context: typer.Context,
    tokenizer: TokenizerOption,
    seed: Annotated[int, option_of(SheetOptions, "seed")] = SheetOptions.seed,
    kind: Annotated[SheetKind, option_of(SheetOptions, "kind")] = SheetOptions.kind,
    corpus: Annotated[str, option_of(SheetOptions, "corpus", metavar="ID")] = SheetOptions.corpus,
    language: Annotated[
        str | None, option_of(SheetOptions, "language", metavar="NAME", show_default=False)
    ] = SheetOptions.language,
    count: Annotated[int, option_of(SheetOptions, "count", metavar="N")] = SheetOptions.count,
    answers: Annotated[
        str | None,
        typer.Option(
            "--answers",
            metavar="JSON",
            help="Mark these: a list with the number of a choice from 0, a list of bytes, or null for each task.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="PATH", help="Write the marked answers to a file.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="The name of the learner, for the file.", show_default=False)] = "",
    handout: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write the tasks as one HTML file that marks answers.", show_default=False),
    ] = None,
    force: ForceOption = False,
    format: FormatOption = "table",
) -> None:
    """Print a sheet of tasks, without answers, or mark answers. The same seed makes the same tasks."""
    options = SheetOptions(seed, kind, corpus, language, count)
    if handout is not None:
        check_name(handout)
        if given := given_options(context, but=OF_HANDOUT):
            raise BadValue(f"--handout takes no {given}", "leave it out: the page marks what its reader answers")
        from lab_app.services.handouts import handouts

        lab = the_lab()
        page = handouts.handout(lab, handouts.sheet_subject(lab, tokenizer, options)).content
        output.print_note(f"{handout}: {output.write_file(handout, [page], force=force)} bytes")
        return
    if answers is not None:
        from lab_app.services.exercises import files

        lab = the_lab()
        file = files.result_file(lab, tokenizer, options, files.read_answers(answers), name)
        _show_checked(files.check(lab, file), format)
        if to is not None:
            output.print_note(f"{to}: {output.write_file(to, [file.model_dump_json()], force=force)} bytes")
        return
    if to is not None:
        raise BadValue("there are no answers to write", "give them with --answers")
    from lab_app.services.exercises.sheets import sheet_of

    found = sheet_of(the_lab(), tokenizer, options)
    if format == "json":
        output.print_json(found)
        return
    for number, task in enumerate(found.tasks, 1):
        lines = [f"{number}. {task.question}"]
        if task.text not in task.question:
            lines.append(f"   {task.text}")
        lines += [f"      {_line(each)}" for each in task.given]
        lines += [
            f"   {letter}) {_line(each)}" for letter, each in zip(ascii_lowercase, task.choices or [], strict=False)
        ]
        output.print_chunks([printable(each) + "\n" for each in lines])
    for each in found.left_out:
        output.print_note(f"a task of the kind {each.kind} was left out: {each.reason}")


@app.command("check", cls=Command, epilog=epilog("lesson check"))
def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of marked answers; - reads stdin.", show_default=False)
    ],
    format: FormatOption = "table",
) -> None:
    """Make the sheet of a result file again, and verify its marks. Fails, and says what differs, if they are others."""
    content = output.read_file(file)
    from lab_app.services.exercises import files

    _show_checked(files.check(the_lab(), files.read(content)), format)


def _show_checked(found: "CheckedFile", format: Format) -> None:
    if format == "json":
        output.print_json(found)
        return
    marks = found.marks
    words = {True: "right", False: "wrong", None: "not answered"}
    rows = [(n, each.kind, words[each.right], each.reason or "") for n, each in enumerate(marks.marks, 1)]
    output.table(("no.", "task", "mark", "reason"), rows, right=("no.",))
    by = f" by {found.name}" if found.name else ""
    of = f"{marks.tokenizer}, {marks.kind}, seed {marks.seed}, corpus {marks.corpus}"
    output.print_chunks([printable(f"verified: {marks.right} of {marks.of} right{by}, {found.made_at} ({of})")])


@app.command("playlist", cls=Command, epilog=epilog("lesson playlist"))
def playlist(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A playlist; - reads stdin. Default: the one that comes with the lab."),
    ] = None,
    format: FormatOption = "table",
) -> None:
    """Print a playlist, and try every part of it. Fails if this lab cannot show one."""
    from lab_app.services.exercises import playlists

    given = playlists.bundled() if file is None else playlists.read(output.read_file(file))
    found = playlists.check(the_lab(), given)
    problems = {each.part: f"{each.message}: {each.hint}" for each in found.problems}
    if format == "json":
        output.print_json(found)
    else:
        done, rows = 0, []
        for n, part in enumerate(given.parts):
            minutes = f"{done}–{done + part.minutes}"
            rows.append((minutes, part.title, part.show, part.tokenizer or "", problems.get(n, "")))
            done += part.minutes
        output.print_chunks([printable(f"{given.name}: {number_of(found.minutes, 'minute')}")])
        output.table(("minutes", "part", "shows", "tokenizer", "problem"), rows)
    if problems:
        raise typer.Exit(output.FAILED)


def _line(line: "Line") -> str:
    return line.text if line.note is None else f"{line.text}  ({line.note})"


def _show_boundaries(found: "MarkedBoundaries", text: str) -> None:
    data = text.encode()
    words = {"missing": "missing", "extra": "too many"}
    rows = [
        (
            each.number,
            f"{_around(data[: each.at])[-12:]}│{_around(data[each.at :])[:12]}",
            words[each.mark],
            each.kind or "no reason found",
            printable(each.reason.reason) if each.reason else "",
        )
        for each in found.places
        if each.number is not None
    ]
    tokens = (spelled(data[start:end].decode(errors="replace"), "") for start, end in found.tokens)
    output.print_chunks([f"{found.tokenizer}: {' │ '.join(tokens)}"])
    figures = (("precision", found.precision), ("recall", found.recall), ("F1", found.f1))
    scores = ", ".join(f"{name} {'none' if value is None else f'{value:.2f}'}" for name, value in figures)
    real = found.found + found.missing
    output.print_chunks([f"{found.found} of {real} found, {found.extra} too many: {scores}"])
    if rows:
        output.table(("no.", "place", "mark", "kind", "reason"), rows, right=("no.",))


def _around(data: bytes) -> str:
    return spelled(data.decode(), "")
