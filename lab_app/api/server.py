"""The lab's server: a socket of this machine, the app behind it, and a thread to run it in.

The socket is bound before anything is told its address, so the address is never wrong and no other program can take it.
Not here: the app itself (`lab_app.api`), showing it (`lab_app.desktop`).
"""

import errno
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from lab_app.api.drain import Drain
from lab_app.api.guard.people import read_people
from lab_app.errors import Unavailable
from lab_app.jobs.unfinished import unfinished_words
from lab_app.settings import Settings, with_token

if TYPE_CHECKING:
    import asyncio

    import uvicorn
    from starlette.types import ASGIApp

    from lab_app.api.window_requests import WindowRequests
    from lab_app.jobs.job import Job

STOP_TIMEOUT_S = 3.0


def bind(settings: Settings) -> socket.socket:
    """A listening socket at the settings' host and port; port 0 takes any free one.

    Raises Unavailable where the address is taken or is not this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named as TCP: asyncio sends small answers at once only on a socket that says so. Otherwise Nagle's algorithm holds the
    # body of an answer back until the browser has confirmed its head, which takes up to 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # Elsewhere this lets a new server take the port that an old one has just left; on Windows it would let a second
        # program take a port in use.
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(128)
    except (OSError, OverflowError, TypeError, ValueError) as error:  # the others: a host that no address can be
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise Unavailable(
            f"{settings.host} port {settings.port} cannot be used: {reason}", _what_to_do(error)
        ) from error
    return listening


def _what_to_do(error: Exception) -> str:
    strange = (errno.EADDRNOTAVAIL, errno.EINVAL, errno.EAFNOSUPPORT)
    if not isinstance(error, OSError) or isinstance(error, socket.gaierror) or error.errno in strange:
        return "choose a host that is an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them"
    return "choose another port, or --port 0 for any free one"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def address(listening: socket.socket, token: str) -> str:
    """The full address that opens the page, secret included."""
    host, port = listening.getsockname()[:2]
    # 0.0.0.0 and :: are all addresses of this machine, none that a browser can open.
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/?token={token}"


def lab_server(
    settings: Settings, window_requests: "WindowRequests | None" = None, *, for_window: bool = False
) -> "Server":
    """The lab's server, bound and not serving yet. `window_requests` take what later starts ask of the window.

    `for_window`: what the page's first calls do not need is imported after them. Raises Unavailable where the address is taken,
    BadValue for a file of tokens that cannot be used.
    """
    settings = with_token(settings)
    read_people(settings.tokens_file)  # what is wrong with it is said before the address

    def make_app() -> "ASGIApp":
        from lab_app.api.quick_start.startup import StartupApp

        app = StartupApp(settings, window_requests, at_once=not for_window, drain=server.drain)
        server.unfinished = app.unfinished
        return app

    server = Server(make_app, bind(settings), settings)
    return server


class Server:
    """An app on a socket. `run` serves in the calling thread, `start` in one of its own; `stop` ends either.

    `make_app` is called, and everything it needs imported, when serving begins. A browser may be sent to the address
    before: the socket listens, so its first request waits for the app instead of failing.
    """

    def __init__(self, make_app: Callable[[], "ASGIApp"], listening: socket.socket, settings: Settings) -> None:
        self._make_app = make_app
        self._listening = listening
        self._settings = settings
        self._max_message_bytes = int(settings.max_request_mb * 1e6)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._is_warned = False
        self.drain = Drain()
        """The requests that SIGTERM lets end."""
        self._drains_until: float | None = None
        self.unfinished: Callable[[], list[Job]] = list
        """The jobs that wait or run; a handler of a signal asks."""
        self.token = settings.token
        self.address = address(listening, settings.token)

    def keeps_running(self, number: int) -> bool:
        """Whether a signal is a Ctrl+C that comes while jobs run, and the first: then says what runs, on stderr.

        Takes no lock and writes to no buffered file: a signal may come in the midst of either.
        """
        if number != signal.SIGINT or self._is_warned or self._stopping:
            return False
        self._is_warned = True
        words = unfinished_words(self.unfinished())
        if words is None:
            return False
        with suppress(OSError):
            os.write(2, f"{words} Ctrl+C again ends it.\n".encode())
        return True

    @contextmanager
    def ended_by_signals(self) -> Iterator[None]:
        """Inside, SIGINT and SIGTERM end the server, begun or not, and nothing else; while jobs run, the second SIGINT.
        The first SIGTERM lets the requests under way end (`drain`).

        No KeyboardInterrupt is raised: one that arrives in a finalizer or in a callback of an import would be lost, and
        the server would run on.
        """

        def end(number: int, _frame: FrameType | None) -> None:
            if number == signal.SIGTERM and self._server is not None and not self.drain.is_on:
                self.drain.begin()
            elif not self.keeps_running(number):
                self._ask_to_end()

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def run(self) -> None:
        """Serves until the server is asked to end, in the calling thread or, after `start`, in the server's."""
        try:
            if self._thread is None:
                self._serve()
            else:
                while self._thread.is_alive() and not self._stopping:
                    self._thread.join(1)  # on Windows no signal would end a wait without a limit
        finally:
            self.stop()

    def start(self) -> None:
        """Serves in a thread of its own and returns at once."""
        self._thread = threading.Thread(target=self._serve, name="server", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Returns when the server has ended, of itself or because it was stopped."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """Ends serving: requests under way get a second, then the thread is left to the end of the process."""
        self._ask_to_end()
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S)
        self._listening.close()

    def leave_jobs(self, status: int) -> None:
        """Ends the process with `status` where jobs have not ended. Their threads would go on, and the interpreter waits for some of them.

        It is what a kill does, which they are made for: the next run lists them as interrupted, and starts what waited.
        """
        if self.unfinished():
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(status)

    def _ask_to_end(self) -> None:
        self._stopping = True
        if self._server is not None:
            self._server.should_exit = True

    def _is_drained(self) -> bool:
        """Whether the server was asked to end, and either no request is under way or they had their time."""
        if not self.drain.is_on:
            return False
        if self._drains_until is None:
            self._drains_until = time.monotonic() + self._settings.drain_timeout_s
            logging.getLogger(__name__).info("ending, %d requests under way", self.drain.running)
        return self.drain.running == 0 or time.monotonic() >= self._drains_until

    def _serve(self) -> None:
        app = self._make_app()  # before uvicorn is imported: it may import what is needed later in a thread of its own

        import uvicorn

        from lab_app.api.http_protocol import LimitedProtocol
        from lab_app.api.request_log import configure

        configure(self._settings)
        logging.getLogger("uvicorn.error").addFilter(_may_be_shown)
        config = uvicorn.Config(
            app,
            log_level=self._settings.log_level,
            log_config=None,
            access_log=False,  # its lines would hold the secret
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
            timeout_keep_alive=60,
            http=partial(LimitedProtocol, max_connections=self._settings.max_connections),  # type: ignore[arg-type]
            ws=_websocket_protocol,  # type: ignore[arg-type]
            ws_max_size=self._max_message_bytes,
            ws_per_message_deflate=False,  # an edit and its tokens are some hundred bytes
        )
        self._server = _without_signals(uvicorn.Server(config), self._is_drained)
        if not self._stopping:
            self._server.run(sockets=[self._listening])


def _websocket_protocol(*arguments: Any, **options: Any) -> "asyncio.Protocol":
    """uvicorn's protocol of WebSockets, imported for the first of them: no page opens one before its first tokens."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    return WebSocketsSansIOProtocol(*arguments, **options)


def _without_signals(server: "uvicorn.Server", is_drained: Callable[[], bool]) -> "uvicorn.Server":
    """uvicorn's server, which in the main thread would put its own handlers of signals in the place of ours. It ends when
    `is_drained`, which it asks ten times a second."""
    tick = server.on_tick

    async def on_tick(counter: int) -> bool:
        return is_drained() or await tick(counter)

    server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]
    server.on_tick = on_tick  # type: ignore[method-assign]
    return server


def _may_be_shown(record: logging.LogRecord) -> bool:
    """Leaves out of uvicorn's log the headers of WebSockets, which hold the secret, refused WebSockets, and calls that the
    end of the server cuts off.

    uvicorn takes one that was refused, with the right status, for a fault of the app. Any page could fill the terminal.
    It takes a call that it cancels itself for one, too.
    """
    if record.exc_info is not None and type(record.exc_info[1]).__name__ == "CancelledError":
        return False
    refused = record.msg == "ASGI callable returned without completing handshake."
    return not refused and record.levelno > logging.DEBUG
