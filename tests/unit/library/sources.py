"""An address at which nobody listens. Not here: a Hub (`tests.fake_hub`)."""

import socket


def closed_address() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
