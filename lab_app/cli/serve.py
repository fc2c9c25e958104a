"""`tokenlab serve`: the lab without a window."""

from pathlib import Path
from typing import Annotated, Any

import typer

from lab_app.cli import output
from lab_app.cli.common import the_settings
from lab_app.settings import help_of

DEFAULT_PORT = 8000


def _setting(name: str) -> Any:
    """The option of a setting. Its value is read by `lab_app.settings`, whose errors name it."""
    return typer.Option(f"--{name.replace('_', '-')}", help=help_of(name), show_default=False)


def serve(
    host: Annotated[str | None, _setting("host")] = None,
    port: Annotated[
        int | None, typer.Option(help="The port the server listens on; 0 takes any free one. [default: 8000]")
    ] = None,
    data_dir: Annotated[Path | None, _setting("data_dir")] = None,
    tokens_file: Annotated[Path | None, _setting("tokens_file")] = None,
    allowed_hosts: Annotated[str | None, _setting("allowed_hosts")] = None,
    max_request_mb: Annotated[float | None, _setting("max_request_mb")] = None,
    max_connections: Annotated[int | None, _setting("max_connections")] = None,
    drain_timeout_s: Annotated[float | None, _setting("drain_timeout_s")] = None,
    log_level: Annotated[str | None, _setting("log_level")] = None,
    log_format: Annotated[str | None, _setting("log_format")] = None,
) -> None:
    """Serve the lab without a window.

    The first line on stdout is the full address; opening it in a browser lets that browser in. TOKENLAB_TOKEN sets the
    secret of the run, which is a new one otherwise; a command line is no place for it, since every user can read those.
    SIGTERM lets requests under way end.
    """
    flags = dict(locals())
    settings = the_settings(**flags)
    if port is None and settings.port == 0:
        settings = the_settings(**{**flags, "port": DEFAULT_PORT})

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
    server.leave_jobs(0)
