"""`tokenlab check`: compares texts and chats with the IDs, counts and masks that a suite expects."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lab_app.cli import output
from lab_app.cli.common import the_lab
from lab_app.number_words import number_of

if TYPE_CHECKING:
    from lab_app.services.suites.suites import CheckedSuite


def check(
    suite: Annotated[
        Path, typer.Argument(metavar="SUITE", help="A suite, in JSON; - reads stdin.", show_default=False)
    ],
    format: Annotated[
        Literal["table", "json", "junit"],
        typer.Option("--format", help="A table for people, JSON for programs, JUnit's XML for build servers."),
    ] = "table",
) -> None:
    """Check that texts and chats still have the tokens that a suite expects; ends with 1 if any has not."""
    from lab_app.services.suites import suites

    found = suites.check(the_lab(), suites.read(output.read_file(suite)))
    if format == "junit":
        output.print_chunks([suites.junit(found).rstrip("\n")])
    else:
        output.print_found(found, format, _show)
    if found.failed:
        raise typer.Exit(output.FAILED)


def _show(found: "CheckedSuite") -> None:
    for case in found.cases:
        if not case.passed:
            output.print_note(f"{case.name} ({case.tokenizer}): {'; '.join(case.problems)}")
    failed = f", {found.failed} failed" if found.failed else ""
    output.print_chunks([f"{found.name}: {number_of(found.passed, 'case')} passed{failed}"])
