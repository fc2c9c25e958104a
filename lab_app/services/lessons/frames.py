"""The states of a lesson: frames are changes, and a state is what they lead to.

The page reads frames in the same way (`docs/reference/lessons.md` describes them).
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any


def states(frames: bytes, ends: Sequence[int]) -> Iterator[tuple[dict[str, Any], dict[str, list[Any]]]]:
    """Of each frame: what its step did, and the lists after it, which the next frame changes in place.

    >>> first = b'{"now":{"step":"start"},"key":{"symbols":["a","b","c"]}}'
    >>> second = b'{"now":{"step":"merge"},"lists":{"symbols":[[1,2,"bc"]]}}'
    >>> [(now["step"], list(lists["symbols"])) for now, lists in states(first + second, [len(first), len(first + second)])]
    [('start', ['a', 'b', 'c']), ('merge', ['a', 'bc'])]
    """
    lists: dict[str, list[Any]] = {}
    start = 0
    for end in ends:
        frame = json.loads(frames[start:end])
        start = end
        lists = frame.get("key", lists)
        for name, splices in frame.get("lists", {}).items():
            for at, removed, *items in splices:
                lists[name][at : at + removed] = items
        yield frame["now"], lists
