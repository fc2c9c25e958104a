"""`tokenlab`: the command line's root, and `main`, which turns every error into a line and an exit status."""

import sys
from typing import Annotated

import typer

from lab_app.cli import commands, output, window
from lab_app.errors import BadRequest, LabError

app = typer.Typer(
    name="tokenlab",
    help="The Tokenization Laboratory. Without a command it opens the window.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from lab_app.version import lab_version

        output.print_chunks([f"tokenlab {lab_version()}"])
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    browser: Annotated[bool, typer.Option("--browser", help="Open the default browser, not a window.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The Tokenization Laboratory. Without a command it opens the window."""
    if context.invoked_subcommand is None:
        raise typer.Exit(window.open_lab(browser))


commands.register(app)


def main() -> None:
    """The program. Errors of the lab end it with status 1, or 2 where it was used wrongly, and a line on stderr."""
    output.use_utf8()
    try:
        app()
    except LabError as error:
        output.tell(error)
        sys.exit(output.WRONG_USE if isinstance(error, BadRequest) else output.FAILED)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe has gone, as in `tokenlab list | head`; say nothing, and do not fail again on the way out.
        sys.stderr.close()
        sys.exit(output.FAILED)


if __name__ == "__main__":
    main()
