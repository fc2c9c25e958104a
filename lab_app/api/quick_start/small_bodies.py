"""Reads the small body of a request before its route is chosen, and makes it readable again for the route."""

from starlette.types import Message, Receive, Scope

from lab_app.api.guard.security import header


def is_small(scope: Scope, max_bytes: int) -> bool:
    """Whether the request says that its body has at most `max_bytes`."""
    length = header(scope, b"content-length")
    return length.isdecimal() and int(length) <= max_bytes


async def read_body(receive: Receive) -> bytes | None:
    """The whole body; None if the client has left."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return None if message["type"] == "http.disconnect" else body


def again(body: bytes, receive: Receive) -> Receive:
    """`receive` as it was before `body` was read from it."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return unread.pop() if unread else await receive()

    return receive_again
