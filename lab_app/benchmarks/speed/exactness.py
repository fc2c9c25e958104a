"""Compares the ids of a subject with the reference, unit by unit, and finds the first difference.

A unit is the text of one call: a document, or the whole text.
"""

from collections.abc import Callable
from itertools import zip_longest
from typing import Any

from lab_app.benchmarks.result import Exactness, FirstDifference
from lab_app.benchmarks.speed.entrant import Entrant
from lab_app.engine import EngineError

AROUND = 100
"""Characters of the text to show on each side."""


def compared(
    entrant: Entrant,
    reference: Entrant,
    units: list[str],
    ask: Callable[..., dict[str, Any]],
    decode: Callable[[str, list[int]], bytes],
) -> None:
    """Sets the exactness of a subject, and its state if it is inexact. Both have digests. Raises SubjectEnded."""
    pairs = zip_longest(reference.digests, entrant.digests)
    differing = [number for number, (expected, found) in enumerate(pairs) if expected != found]
    first = None
    if differing:
        unit = differing[0]
        expected, found = (ask(each, "difference", unit=unit)["ids"] for each in (reference, entrant))
        first = first_difference(unit, units[unit], expected, found, lambda ids: decode(entrant.subject.tokenizer, ids))
        entrant.state = "inexact"
        entrant.message = (
            f"{len(differing)} of {len(reference.digests)} texts have other IDs than {reference.subject.engine}: "
            "its figures do not count."
        )
    entrant.exactness = Exactness(reference.subject.engine, len(reference.digests), len(differing), first)


def first_difference(
    unit: int, text: str, expected: list[int], found: list[int], decode: Callable[[list[int]], bytes]
) -> FirstDifference | None:
    """The first token that differs, with the text around it; None if the ids are equal, so that the digests were wrong.

    >>> first_difference(0, "a b c", [1, 2, 3], [1, 2, 4], lambda ids: b"a b"[: 2 * len(ids) - 1]).text
    'a b c'
    """
    pairs = zip_longest(expected, found)
    at = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return None
    # The decoded text before it is about as long as the original one; exactly, unless the tokenizer changes text.
    try:
        place = len(decode(expected[:at]).decode("utf-8", "ignore"))
    except EngineError:  # the reference has ids that the lab's engine does not: its text is shown from the start
        place = 0
    return FirstDifference(
        document=unit + 1,
        token=at,
        expected=expected[at] if at < len(expected) else None,
        found=found[at] if at < len(found) else None,
        text=text[max(0, place - AROUND) : place + AROUND],
    )
