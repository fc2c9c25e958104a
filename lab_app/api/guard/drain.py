"""Lets a server end without cutting off an answer: requests under way end, new ones are sent elsewhere.

From `Drain.begin` on, `/readyz` and every other call are answered 503 with `Retry-After`, `/healthz` as ever. Streams of events and
WebSockets are not waited for: they have no end of their own. Nor are jobs, which the next run lists as interrupted.
Not here: when it begins (`lab_app.api.drain`) and how long it may last (`lab_app.api.server`).
"""

import asyncio

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app.api.drain import Drain
from lab_app.api.errors import response_of
from lab_app.errors import Unavailable

READY = "/readyz"
ALIVE = "/healthz"
RETRY_AFTER_S = 5
"""When a client that is refused may ask again."""
ENDLESS = b"text/event-stream"


class DrainMiddleware:
    """Counts the requests of `drain`, and refuses new ones once it has begun."""

    def __init__(self, app: ASGIApp, drain: Drain) -> None:
        self.app = app
        self.drain = drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on or answers 503."""
        is_open = scope["type"] == "lifespan" or scope["path"] == ALIVE
        if self.drain.is_on and not is_open:
            await _ending()(scope, receive, send)
        elif scope["type"] == "http":
            await self._counted(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_counted, has_begun = True, False
        self.drain.running += 1

        def leave() -> None:
            nonlocal is_counted
            self.drain.running -= is_counted
            is_counted = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start" and _is_endless(message):
                leave()
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except asyncio.CancelledError:  # the server waits no longer
            if has_begun or not self.drain.is_on:
                raise
            await _ending()(scope, receive, send)
        finally:
            leave()


def not_now(message: str, retry_after_s: int) -> Response:
    """The answer of a server that cannot answer yet, or no more."""
    response = response_of(Unavailable(message, "ask again later, or ask another server"))
    response.headers["Retry-After"] = str(retry_after_s)
    return response


def _ending() -> Response:
    response = not_now("the server is ending", RETRY_AFTER_S)
    response.headers["Connection"] = "close"
    return response


def _is_endless(start: Message) -> bool:
    return any(name == b"content-type" and value.startswith(ENDLESS) for name, value in start.get("headers", ()))
