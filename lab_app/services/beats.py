"""Waits for threads, and looks up ten times a second: to report how far they are, or to stop."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait

BEAT_S = 0.1


def beats(futures: Sequence[Future[None]]) -> Iterator[None]:
    """Yields until all have ended, and once more then. Raises what one of them raised."""
    waiting = set(futures)
    while waiting:
        ended, waiting = wait(waiting, BEAT_S, FIRST_EXCEPTION)
        for future in ended:
            future.result()
        yield
