"""`tokenlab report`: sessions as files. `save` makes one, `run` repeats one and compares."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import (
    AddSpecialTokensOption,
    FileOption,
    ForceOption,
    FormatOption,
    SpecialsOption,
    TextArgument,
    the_lab,
    tokenizer_option,
)
from lab_app.cli.usage import Command, Group, epilog
from lab_app.settings import DEFAULT_SPECIALS

if TYPE_CHECKING:
    from lab_app.services.sessions.sessions import SessionChange, SessionChanges

app = typer.Typer(cls=Group, help="Save a session to a file, or run a file and compare.", no_args_is_help=True)


@app.command("save", cls=Command, epilog=epilog("report save"))
def save(
    tokenizer: Annotated[
        list[str],
        tokenizer_option("A tokenizer; one to eight."),
    ],
    to: Annotated[Path, typer.Option("-o", "--output", metavar="PATH", help="The file, .json.", show_default=False)],
    text: TextArgument = None,
    file: FileOption = None,
    name: Annotated[str, typer.Option(help="The name of the session.")] = "Session",
    add_special_tokens: AddSpecialTokensOption = True,
    specials: SpecialsOption = DEFAULT_SPECIALS,
    force: ForceOption = False,
) -> None:
    """Write a session to a file: the text, the tokenizers, the settings and the IDs."""
    content = output.read_text(text, file)
    from lab_app.services.sessions import files as session_files

    chunks = session_files.make(
        the_lab(), name, tokenizer, content, add_special_tokens=add_special_tokens, specials=specials
    )
    output.print_note(f"{to}: {output.write_file(to, chunks, force=force)} bytes")


@app.command("run", cls=Command, epilog=epilog("report run"))
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session's file; - reads stdin.", show_default=False)],
    format: FormatOption = "table",
) -> None:
    """Encode the text of a session's file again and compare with its IDs. Fails if any differ."""
    content = output.read_file(file)
    from lab_app.services.sessions import files as session_files

    found = session_files.run(the_lab(), session_files.parsed(content))
    output.print_found(found, format, _show)
    if not found.are_none:
        raise typer.Exit(output.FAILED)


def _show(found: "SessionChanges") -> None:
    output.table(
        ("tokenizer", "recorded", "now", "change"),
        [(each.tokenizer, each.count_before, _now(each.count_now), _words(each)) for each in found.changes],
        right=("recorded", "now"),
    )
    output.print_note(
        f"recorded with version {found.lab_version_before or 'unknown'}, run with {found.lab_version_now}"
    )


def _now(count: int | None) -> str:
    return "–" if count is None else str(count)


def _words(change: "SessionChange") -> str:
    if change.problem is not None:
        return change.problem
    files = "; other files than recorded" if change.files_changed else ""
    if change.same:
        return f"same IDs{files}"
    return f"IDs differ from token {(change.first_difference or 0) + 1} on{files}"
