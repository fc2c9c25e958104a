"""Shrinks a text on which something fails to a smallest one on which it still fails.

Not here: what fails (`lab_app.services.analyses.conformance`).
"""

from collections.abc import Callable


def shrunk(text: str, fails: Callable[[str], bool], max_calls: int = 20_000) -> str:
    """Returns a part of `text`, some code points removed, that still fails and does not if any one more is removed.

    `fails(text)` must be true. It is called at most `max_calls` times; after that the smallest text so far is returned.
    It ends: every success makes the text shorter, and a pass without one halves the size of what is removed.

    >>> shrunk("some text with an é in it", lambda text: "é" in text)
    'é'
    >>> shrunk("aXbXc", lambda text: text.count("X") >= 2)
    'XX'

    Source: delta debugging, Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input", of which
    this is the part that removes one range at a time.
    """
    calls = 0
    size = max(1, len(text) // 2)
    while text:
        before, at = len(text), 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            calls += 1
            if calls > max_calls:
                return text
            if fails(shorter):
                text = shorter
            else:
                at += size
        if size == 1 and len(text) == before:
            break
        size = max(1, min(size // 2, len(text) // 2))
    return text
