"""Loops of edits that end when nobody waits for their result any more. Calls of the engine end by themselves."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from lab_app.engine import Call
from lab_app.errors import Cancelled

T = TypeVar("T")


def stoppable(values: Iterable[T]) -> Iterator[T]:
    """The values, one after the other. Raises Cancelled when the call that this thread works for is cancelled.

    >>> list(stoppable("ab"))
    ['a', 'b']
    """
    call = Call.current()
    for value in values:
        if call is not None and call.cancelled:
            raise Cancelled("the edits were stopped", "start them again")
        yield value
