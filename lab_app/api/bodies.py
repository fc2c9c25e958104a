"""Bodies of requests: JSON, read in one pass by pydantic's own parser.

A text of 10 MB is read in about 20 ms, off the event loop; half a surrogate pair and broken UTF-8 are found there.
A parsed value takes some fifty times the memory of its shortest spelling, `0,`, so the number of values has a limit.
Not here: how large a body may be (`guard.limits`), when it is read (`json_route`), files (`uploads`).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Annotated, Any, TypeVar
from weakref import WeakKeyDictionary

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError

from lab_app.api.handlers import bad_value
from lab_app.errors import TooLarge

MAX_VALUES = 1_000_000
"""The most values in the lists and objects of a body together: texts, ids, rows."""

LARGE_BYTES = 4_000_000
LARGE_AT_ONCE = 2
"""How many requests and messages from `LARGE_BYTES` on are worked on at a time: each takes many times its size. Others wait."""
_large: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

Model = TypeVar("Model", bound=BaseModel)


def turn(size_bytes: int) -> AbstractAsyncContextManager[Any]:
    """The turn of what so many bytes ask for: at once, unless it is large and as much as may be is worked on."""
    if size_bytes < LARGE_BYTES:
        return nullcontext()
    return _large.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(LARGE_AT_ONCE))


async def _raw_body(request: Request) -> AsyncIterator[bytes]:
    """The body, when it is its turn, which ends when its answer is made: a client may be slow to read it."""
    body = await request.body()
    async with turn(len(body)):
        yield body


RawBody = Annotated[bytes, Depends(_raw_body, scope="function")]
"""The body as it came."""


def parse(model: type[Model], body: bytes) -> Model:
    """`body` as `model`. Raises BadRequest or BadValue with the place of the first fault, TooLarge for too many values.

    >>> class Point(BaseModel):
    ...     x: int
    >>> parse(Point, b'{"x": 3}').x
    3
    """
    if _commas(body) >= MAX_VALUES:
        raise TooLarge(f"the body has more than {MAX_VALUES} values", "send the texts or IDs in several requests")
    try:
        return model.model_validate_json(body or b"null")
    except ValidationError as error:
        raise bad_value(error, body) from None


def _commas(body: bytes) -> int:
    """The number of commas outside strings, or a larger number if it is below `MAX_VALUES`.

    >>> _commas(b'{"a": "1,2", "b": [3]}') < MAX_VALUES
    True
    """
    if (commas := body.count(b",")) < MAX_VALUES:
        return commas  # nearly always: no string needs to be found
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    if (quotes := plain.count(b'"')) >= 4 * MAX_VALUES:
        return quotes  # a key and a value between two commas have at most four
    return sum(part.count(b",") for part in plain.split(b'"')[::2])


def wants_frame(request: Request) -> bool:
    """Whether the caller asks for the binary form."""
    return "application/octet-stream" in request.headers.get("accept", "")
