"""`tokenlab`, the program: runs the command line and turns every error into a line and an exit status."""

import sys

from lab_app.cli import output
from lab_app.errors import BadRequest, LabError


def main() -> None:
    """The program. Errors of the lab end it with status 1, or 2 where it was used wrongly, and a line on stderr."""
    output.use_utf8()
    try:
        if sys.argv[1:] in ([], ["--browser"]):
            # What most people start the lab with need not wait for the parser of all the rest.
            from lab_app.cli.window import open_lab

            sys.exit(open_lab(browser=bool(sys.argv[1:])))
        from lab_app.cli.app import app

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
