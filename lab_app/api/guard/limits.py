"""How large the body of a request may be. Not here: messages of a WebSocket, which the server limits (`api.server`)."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app.api.errors import response_of
from lab_app.api.guard.security import header
from lab_app.errors import TooLarge

MAX_DIGITS = 20  # of a length


class MaxBodySizeMiddleware:
    """Refuses a body of more than `max_bytes`, whether it says its length or comes in chunks of unknown number."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on; a body that grows too large raises TooLarge where it is read."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = header(scope, b"content-length") or "0"
        if not length.isdecimal() or len(length) > MAX_DIGITS or int(length) > self.max_bytes:
            await _drain(receive, self.max_bytes)
            await response_of(self._too_large())(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.max_bytes:
                if message.get("more_body"):
                    await _drain(receive, self.max_bytes)
                raise self._too_large()
            return message

        await self.app(scope, counted, send)

    def _too_large(self) -> TooLarge:
        return TooLarge(
            f"the body is larger than {self.max_bytes / 1e6:g} MB", "send less, or raise TOKENLAB_MAX_REQUEST_MB"
        )


async def _drain(receive: Receive, at_most: int) -> None:
    """Reads on and throws away: a client that is still sending does not see an answer when the connection closes."""
    left = at_most
    while left > 0:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            return
        left -= len(message.get("body", b""))
