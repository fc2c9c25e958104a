"""`tokenlab lesson`: the commands of lessons and of what learners do. `lesson NAME` shows a lesson (`lab_app/cli/lesson.py`)."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import FileOption, FormatOption, SpecialsOption, TextArgument, note_special_text, the_lab
from lab_app.cli.lesson import lesson
from lab_app.cli.usage import Command, Group, epilog
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.spelling import printable, spelled

if TYPE_CHECKING:
    from lab_app.services.exercises.boundaries import MarkedBoundaries


class Lessons(Group):
    """A group whose command `show` needs no name: `lesson utf8` is `lesson show utf8`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts `show` before anything but the name of a command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=Lessons, help="Show an algorithm step by step, or mark what a learner did.", no_args_is_help=True)
app.command("show", cls=Command, epilog=epilog("lesson show"))(lesson)

TokenizerOption = Annotated[
    str, typer.Option("-t", "--tokenizer", metavar="ID", help="The tokenizer.", show_default=False)
]


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
