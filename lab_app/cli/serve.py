"""`tokenlab serve`: the lab without a window."""

from typing import Annotated

import typer

from lab_app.cli import output
from lab_app.cli.common import the_settings

DEFAULT_PORT = 8000


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes any free one. [default: 8000]")] = None,
    log_level: Annotated[str | None, typer.Option(help="How much to write to stderr. [default: warning]")] = None,
) -> None:
    """Serve the lab without a window.

    The first line on stdout is the full address; opening it in a browser lets that browser in. TOKENLAB_TOKEN sets the
    secret of the run, which is a new one otherwise; a command line is no place for it, since every user can read those.
    """
    settings = the_settings(host=host, port=port, log_level=log_level)
    if port is None and settings.port == 0:
        settings = the_settings(host=host, port=DEFAULT_PORT, log_level=log_level)

    from lab_app.api.server import is_loopback, lab_server

    server = lab_server(settings)
    if not is_loopback(settings.host):
        output.print_note(
            f"warning: {settings.host} is reachable from other machines, and HTTP sends texts and the secret unencrypted"
        )
        output.print_note(
            "         listen on 127.0.0.1 and forward the port through SSH, or put a proxy with TLS in front"
        )
    with server.ended_by_signals():  # who has read the address may end the server at once
        output.print_chunks([server.address])
        output.flush()
        server.run()
