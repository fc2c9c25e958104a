"""Splits a stream of text into windows at split points: the parts train the same as the whole.

Memory depends on the window alone, or on the longest stretch without a split point. Not here: which points these are (the
engine), opening files (`lab_app.corpora.streams`).
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from lab_app import engine
from lab_app.corpora.lines import Readable
from lab_app.errors import BadValue

WINDOW_BYTES = 2_000_000
MOST_WINDOW_BYTES = 1_000_000_000
LOOK_BEHIND_BYTES = 65_536
LOOK_AHEAD_BYTES = 4096
NOT_NEWLINE = r"[^\n]"


class SplitPoints:
    """Finds split points under the options of a training, as the engine reads them."""

    def __init__(self, options: str) -> None:
        # A counter of nothing: it keeps what finding split points needs.
        self._counter = engine.WordCounter(options)
        given = json.loads(options)
        special = [*given.get("special_tokens", []), given.get("unknown_token") or ""]
        over_lines = sorted((re.escape(token) for token in special if "\n" in token), key=len, reverse=True)
        self._lines = re.compile(f"(?:{'|'.join([*over_lines, NOT_NEWLINE])})*\n?")

    def last(self, data: bytes, at: int) -> int | None:
        """Returns the last split point in bytes 1 to `at`, or None."""
        return self._counter.safe_chunk_end(data, at) or None

    @property
    def each_line_is_a_text(self) -> bool:
        """Whether these options split texts nowhere, so that each line of a file is a text of its own."""
        return self._counter.each_line_is_a_text

    def lines(self, text: str) -> list[str]:
        """The lines of a text, which end with a newline that is no part of a special token."""
        return [line for line in self._lines.findall(text) if line]


@lru_cache(4)
def split_points(options: str) -> SplitPoints:
    """The split points of these options. Threads may share them; making them takes some 10 ms."""
    return SplitPoints(options)


def windows(stream: Readable, points: SplitPoints, name: str, *, most: int = MOST_WINDOW_BYTES) -> Iterator[bytes]:
    """The stream in windows of about 2 MB. Raises BadValue if there is no split point within `most` bytes."""
    parts: list[bytes] = []
    size, target, done = 0, WINDOW_BYTES, 0
    while read := stream.read(WINDOW_BYTES):
        parts.append(read)
        size += len(read)
        if size < target:
            continue
        data = b"".join(parts)
        at = points.last(data, len(data))
        if at is None:
            if size > most:
                raise BadValue(
                    f"{name} has no split point within {size} bytes from byte {done}",
                    "put line ends into it, or choose options whose pretokenizer splits the text",
                )
            # Doubled, so that a long stretch is searched a few times and not at every read.
            parts, target = [data], 2 * size
            continue
        yield data[:at]
        done += at
        parts, size, target = [data[at:]], size - at, WINDOW_BYTES
    if rest := b"".join(parts):
        yield rest


Read = Callable[[int, int], bytes]
"""Reads up to so many bytes of a file from a byte on."""


def place_near(read: Read, size_bytes: int, nominal: int, points: SplitPoints) -> int:
    """The last split point of a file at or before byte `nominal`: the same for both parts that meet there."""
    if nominal in (0, size_bytes):
        return nominal
    behind = LOOK_BEHIND_BYTES
    while True:
        start = max(0, nominal - behind)
        data = read(start, nominal - start + LOOK_AHEAD_BYTES)
        found = points.last(data, min(nominal - start, len(data)))
        if found is not None or start == 0:
            return start + (found or 0)
        behind *= 4


@dataclass
class HeldOut:
    """Chooses the held-out share of the text of one unit: the same for the same unit, wherever it is read."""

    share: float
    least_bytes: float
    """Nothing shorter is taken from a window."""
    seed: int
    seen: int = 0
    held: int = 0

    def parts(self, window: bytes, points: SplitPoints) -> tuple[list[bytes], bytes]:
        """What of a window to train on, and what to hold out: one stretch of it, or nothing."""
        if not self.share:
            return [window], b""
        self.seen += len(window)
        wanted = int(self.share * self.seen - self.held)
        if wanted < self.least_bytes:
            return [window], b""
        if wanted >= len(window):
            self.held += len(window)
            return [], window
        nominal = random.Random(self.seed * 1_000_003 + self.seen).randrange(len(window) - wanted + 1)
        start = points.last(window, nominal) or 0
        end, reach = points.last(window, start + wanted), wanted
        # Where split points are far apart, the stretch is as long as it must be; later windows give less.
        while (end is None or end <= start) and start + reach < len(window):
            reach *= 2
            end = points.last(window, min(start + reach, len(window)))
        if end is None or end <= start or end - start > max(wanted, len(window) // 2):
            # Too few split points near here: the smaller side of one of them.
            place = start or end or 0
            start, end = (0, place) if 2 * place <= len(window) else (place, len(window))
            if end <= start:
                return [window], b""
        self.held += end - start
        return [part for part in (window[:start], window[end:]) if part], window[start:end]

    def takes(self, size: int) -> bool:
        """Whether to hold out the next document, of `size` bytes."""
        if not self.share:
            return False
        self.seen += size
        held = self.held + size <= self.share * self.seen
        self.held += size if held else 0
        return held
