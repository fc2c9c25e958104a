"""uvicorn's protocol of HTTP with limits that it lacks: the size of a request's head, how long a client may be silent, and how many
connections are open.

Without them, anybody who reaches the port could fill the memory with one header, or keep connections that say nothing.
Not here: the size of a body (`lab_app.api.guard.limits`).
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 65_536
"""Above it, a head is refused unless it came in one read. Browsers send the cookies of all ports of a host."""
HEAD_TIMEOUT_S = 30.0
"""For the whole head of a request."""
BODY_TIMEOUT_S = 60.0
"""Between two parts of a body."""
BUSY = (
    b'{"error": {"code": "unavailable", "message": "the server has as many connections as it takes", '
    b'"hint": "ask again in a second, on connections that are kept"}}'
)
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(BUSY), BUSY)
)


class LimitedProtocol(HttpToolsProtocol):
    """One of at most `max_connections`."""

    def __init__(self, *given: Any, max_connections: int, **options: Any) -> None:
        super().__init__(*given, **options)
        self._max_connections = max_connections

    _waiting: asyncio.TimerHandle | None = None
    _in_head = False
    _head_bytes = 0
    _is_websocket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Waits for the first request."""
        super().connection_made(transport)
        if len(self.connections) > self._max_connections:
            transport.write(REFUSAL)
            transport.close()
            return
        self._wait(HEAD_TIMEOUT_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parses it. A head that is too large ends the connection."""
        was_in_head = self._in_head
        if self._waiting is not None and not was_in_head and self.cycle is not None:
            self._wait(BODY_TIMEOUT_S)
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if was_in_head and self._in_head else 0
        if self._head_bytes > MAX_HEAD_BYTES:
            self.send_400_response(f"The head of the request has more than {MAX_HEAD_BYTES} bytes.")
        elif (
            self._waiting is None and self._is_idle()
        ):  # what came is not the start of a request, such as an empty line
            self._wait(HEAD_TIMEOUT_S)

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over: messages may be far apart."""
        self._is_websocket = True
        self._wait(None)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True
        self._wait(HEAD_TIMEOUT_S)

    def on_headers_complete(self) -> None:
        """Its head is whole."""
        self._in_head = False
        self._wait(BODY_TIMEOUT_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is whole: the client waits for us."""
        self._wait(None)
        super().on_message_complete()

    def _is_idle(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.timeout_keep_alive_task is None and not self._is_websocket

    def _wait(self, timeout_s: float | None) -> None:
        """Waits so long for more of the client, from now on."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = None if timeout_s is None else self.loop.call_later(timeout_s, self._silent)

    def _silent(self) -> None:
        if self.flow.read_paused:  # the app has not read what came
            self._wait(BODY_TIMEOUT_S)
        else:
            self.transport.close()
