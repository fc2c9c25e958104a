"""`tokenlab desktop`: puts the lab into the menus of the desktop, and takes it out."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.errors import BadRequest


def desktop(
    install: Annotated[
        bool, typer.Option("--install", help="Add the lab, its icon and the types of its files for this user.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove what --install added.")] = False,
) -> None:
    """Add the lab to the menus of a Linux desktop, and to "Open with" of the files that it opens."""
    from lab_app.desktop import entry

    if install == remove:
        raise BadRequest("nothing is asked for", "give --install or --remove")
    done, files = ("Wrote", entry.install()) if install else ("Removed", entry.remove())
    lines = [f"{done} {path}" for path in files] or ["There is nothing to remove."]
    output.print_chunks(["\n".join(lines)])
