"""The slowest documents of a text, with their beginnings: for the rows of a benchmark and for the stages."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lab_app.benchmarks.growth_result import SlowestDocument

if TYPE_CHECKING:
    import numpy as np

EXCERPT_CHARACTERS = 2000


def slowest_documents(
    documents: Sequence[str],
    tokens: Sequence[int],
    times_ns: "Sequence[float] | np.ndarray[Any, Any]",
    places: Iterable[int],
) -> list[SlowestDocument]:
    """The documents at `places`, which count from 0, in that order.

    >>> slowest_documents(["one", "two words"], [1, 2], [30.0, 90.5], [1])
    [SlowestDocument(document=2, bytes=9, tokens=2, time_ns=90, excerpt='two words', is_whole=True)]
    """
    return [
        SlowestDocument(
            document=int(place) + 1,
            bytes=len(documents[place].encode()),
            tokens=tokens[place],
            time_ns=int(times_ns[place]),
            excerpt=documents[place][:EXCERPT_CHARACTERS],
            is_whole=len(documents[place]) <= EXCERPT_CHARACTERS,
        )
        for place in places
    ]
