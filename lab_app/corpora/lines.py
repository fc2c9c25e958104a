"""Whole lines of a stream of bytes, in blocks: the fast path of plain text. No Python object per line is made.

Not here: opening and decoding (`streams`), what a line means (`reading`).
"""

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

NEWLINE = ord("\n")


class Readable(Protocol):
    """A file open for reading bytes."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes, none at the end."""


def line_blocks(
    stream: Readable,
    *,
    block_bytes: int,
    max_line_bytes: int,
    too_long: Callable[[int, int], None],
    limit: int | None = None,
    inside: bool = False,
) -> Iterator[bytes]:
    """Blocks of whole lines with their "\\n"; the last line may lack it. Memory is bounded by the two sizes.

    Lines that start at or after byte `limit` of the stream are not read, nor is the first one if the stream starts `inside`
    it. A line above `max_line_bytes` is passed over: `too_long` gets its first byte in the stream and its length.

    >>> import io
    >>> blocks = line_blocks(io.BytesIO(b"one\\ntwo\\nthree"), block_bytes=5, max_line_bytes=9, limit=5, too_long=print)
    >>> list(blocks)
    [b'one\\n', b'two\\n']
    """
    # The line whose end is not read yet, in parts: joined at every read, it would be copied again and again.
    rest: list[bytes] = []
    rest_start = rest_bytes = 0
    dropping, dropped = inside, 0  # whether it is passed over, and how many bytes of it were
    while True:
        read = stream.read(block_bytes)
        if not read:
            break
        if dropping:
            found = read.find(b"\n")
            if found < 0:
                dropped += len(read)
                continue
            if not inside:
                too_long(rest_start, dropped + found)
            rest_start += dropped + found + 1
            read, dropping, inside = read[found + 1 :], False, False
            if limit is not None and rest_start >= limit:
                return
        if b"\n" not in read:
            rest.append(read)
            rest_bytes += len(read)
            if rest_bytes > max_line_bytes:
                rest, dropping, dropped, rest_bytes = [], True, rest_bytes, 0
            continue
        block, start = b"".join((*rest, read)), rest_start
        end = block.rfind(b"\n") + 1
        if limit is not None and start + len(block) > limit:
            # The first line end at or after byte limit - 1 closes the last line that starts before the limit.
            last = block.find(b"\n", max(limit - 1 - start, 0)) + 1
            if last:
                yield from _short_lines(block[:last], start, max_line_bytes, too_long)
                return
        if end:
            yield from _short_lines(block[:end], start, max_line_bytes, too_long)
        rest, rest_start, rest_bytes = [block[end:]], start + end, len(block) - end
        if limit is not None and rest_start >= limit:
            return
        if rest_bytes > max_line_bytes:
            rest, dropping, dropped, rest_bytes = [], True, rest_bytes, 0
    if dropping and not inside:
        too_long(rest_start, dropped)
    elif rest_bytes:
        yield from _short_lines(b"".join(rest), rest_start, max_line_bytes, too_long)


def _short_lines(block: bytes, start: int, most: int, too_long: Callable[[int, int], None]) -> Iterator[bytes]:
    """The block without its lines above `most` bytes."""
    if len(block) <= most:
        yield block
        return
    ends = line_ends(block)
    starts = np.concatenate(([0], ends[:-1]))
    kept = 0
    for number in np.flatnonzero(ends - starts - 1 > most).tolist():
        if starts[number] > kept:
            yield block[kept : int(starts[number])]
        kept = int(ends[number])
        too_long(start + int(starts[number]), kept - int(starts[number]) - block.endswith(b"\n", 0, kept))
    if kept < len(block):
        yield block[kept:]


def line_ends(block: bytes) -> NDArray[np.int64]:
    """The byte after each line, its "\\n" included.

    >>> line_ends(b"a\\nbc").tolist()
    [2, 4]
    """
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == NEWLINE) + 1
    return ends if block.endswith(b"\n") or not block else np.append(ends, len(block))


def without_line_ends(block: bytes) -> tuple[bytes, NDArray[np.uint64]]:
    """The lines one after the other, without "\\n" or "\\r\\n", and the end of each: (lines,).

    >>> without_line_ends(b"a\\r\\n\\nbc\\n")
    (b'abc', array([1, 1, 3], dtype=uint64))
    """
    ends = line_ends(block)
    removed = np.ones(len(ends), np.int64)  # bytes of each line's end
    if ends.size and not block.endswith(b"\n"):
        removed[-1] = 0
    if b"\r" not in block:  # one character is found ten times as fast as two
        text = block.replace(b"\n", b"")
    else:
        returns = _has_return(block, ends)
        removed += returns
        if block.count(b"\r") == np.count_nonzero(returns):
            text = block.translate(None, b"\r\n")
        else:  # some "\r" is inside a line
            text = block.replace(b"\r\n", b"").replace(b"\n", b"")
    return text, (ends - np.cumsum(removed)).astype(np.uint64)


def _has_return(block: bytes, ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each line ends with "\r\n": (lines,)."""
    data = np.frombuffer(block, np.uint8)
    found: NDArray[np.bool_] = (data[ends - 1] == NEWLINE) & (ends > 1) & (data[np.maximum(ends - 2, 0)] == ord("\r"))
    return found
