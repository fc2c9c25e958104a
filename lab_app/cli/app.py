"""The command line: the root command, its own options and its commands. Not here: running it (`main`)."""

from typing import Annotated

import typer

from lab_app.cli import commands, output, window
from lab_app.cli.usage import Group


def _version(asked: bool) -> None:
    if asked:
        from lab_app.version import lab_version

        output.print_chunks([f"tokenlab {lab_version()}"])
        raise typer.Exit


def _root(
    context: typer.Context,
    browser: Annotated[bool, typer.Option("--browser", help="Open the default browser instead of a window.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The Tokenization Laboratory. Without a command it opens the window, with the files that are named."""
    if context.invoked_subcommand is None:
        raise typer.Exit(window.open_lab(browser))


def program(asked: str | None = None) -> typer.Typer:
    """The command line. `asked`: the command that it will be asked for, which alone is imported."""
    app = typer.Typer(
        name="tokenlab",
        cls=Group,
        help="The Tokenization Laboratory. Without a command it opens the window, with the files that are named.",
        subcommand_metavar="[FILE... | COMMAND [ARGS]...]",
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    commands.register(app, asked)
    return app
