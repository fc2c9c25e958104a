"""The states of a lesson: frames are changes, and a state is what they lead to.

The page reads frames in the same way (`docs/reference/lessons.md` describes them).
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any


def each_of(frames: bytes, ends: Sequence[int]) -> Iterator[bytes]:
    """Every frame as JSON; `ends` says where each of them ends in `frames`.

    >>> list(each_of(b"{}{1}", [2, 5]))
    [b'{}', b'{1}']
    """
    return (frames[start:end] for start, end in pairwise((0, *ends)))


def states(frames: bytes, ends: Sequence[int]) -> Iterator[tuple[dict[str, Any], dict[str, list[Any]]]]:
    """Of each frame: what its step did, and the lists after it, which the next frame changes in place.

    >>> first = b'{"now":{"step":"start"},"key":{"symbols":["a","b","c"]}}'
    >>> second = b'{"now":{"step":"merge"},"lists":{"symbols":[[1,2,"bc"]]}}'
    >>> [(now["step"], list(lists["symbols"])) for now, lists in states(first + second, [len(first), len(first + second)])]
    [('start', ['a', 'b', 'c']), ('merge', ['a', 'bc'])]
    """
    lists: dict[str, list[Any]] = {}
    for each in each_of(frames, ends):
        frame = json.loads(each)
        lists = frame.get("key", lists)
        for name, splices in frame.get("lists", {}).items():
            for at, removed, *items in splices:
                lists[name][at : at + removed] = items
        yield frame["now"], lists
