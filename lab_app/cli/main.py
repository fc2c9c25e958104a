"""`tokenlab`, the program: runs the command line and turns every error into a line and an exit status."""

import contextlib
import os
import sys

from lab_app.cli import output
from lab_app.errors import BadRequest, BadValue, LabError, Unavailable, reason

COMPLETING = "_TOKENLAB_COMPLETE"
"""Set by a shell that asks how a command could go on."""


def main() -> None:
    """Runs the command line. An error prints a line on stderr and exits with 1, or with 2 for wrong usage."""
    output.use_utf8()
    status = _status()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up_stdout()
        status = status or output.FAILED
    except OSError as error:
        _give_up_stdout()
        output.print_error(
            Unavailable(
                f"the output cannot be written: {reason(error)}",
                "check the permissions and the free space there, or write it to another file",
            )
        )
        status = status or output.FAILED
    sys.exit(status)


def _status() -> int:
    """Runs the command and returns its exit status."""
    try:
        if any("\0" in word for word in sys.argv):
            raise BadValue("an argument has a NUL character", "leave it out: no file name and no option has one")
        completing = COMPLETING in os.environ
        if not completing:
            # What most people start the lab with need not wait for the parser of all the rest.
            from lab_app.cli.window import files_named, open_lab

            files = files_named(sys.argv[1:])
            if files is not None:
                return open_lab(browser="--browser" in sys.argv[1:], files=files)
        from lab_app.cli.app import program

        program(None if completing else sys.argv[1])(prog_name="tokenlab")
    except LabError as error:
        return _refused(error)
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else output.FAILED if exit.code else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of a pipe has gone, as in `tokenlab list | head`
        _give_up_stdout()
        return output.FAILED
    except OSError as error:  # a full disk, a file that vanished: whatever no command foresaw
        place = f"{error.filename}: " if error.filename else ""
        _give_up_stdout()
        output.print_error(Unavailable(f"{place}{reason(error)}", "make room, or check that you may read and write it"))
        return output.FAILED
    except Exception as error:
        from lab_app.services.engine_errors import translated

        found = translated(error)
        if found is None:
            raise
        return _refused(found)
    return 0


def _refused(error: LabError) -> int:
    output.print_error(error)
    return output.WRONG_USE if isinstance(error, BadRequest) else output.FAILED


def _give_up_stdout() -> None:
    """Lets what stdout still holds go nowhere, so that the end of the program does not fail on it once more."""
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


if __name__ == "__main__":
    main()
