"""`tokenlab serve`: the lab without a window."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import the_settings

DEFAULT_PORT = 8000


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes any free one. [default: 8000]")] = None,
    token: Annotated[str | None, typer.Option(help="The secret of this run. [default: a new one]")] = None,
    log_level: Annotated[str | None, typer.Option(help="How much to write to stderr. [default: warning]")] = None,
) -> None:
    """Serve the lab without a window.

    The first line on stdout is the full address; opening it in a browser lets that browser in.
    """
    settings = the_settings(host=host, port=port, token=token, log_level=log_level)
    if port is None and settings.port == 0:
        settings = the_settings(host=host, port=DEFAULT_PORT, token=token, log_level=log_level)

    from lab_app.desktop.server import lab_server

    server = lab_server(settings)
    output.print_chunks([server.address])
    output.flush()
    server.run()
