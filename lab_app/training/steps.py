"""The steps of a training: rows of merges, words or iterations in a file, and curves made of them.

Rows are JSON, one per line; the index in memory has 24 bytes for each. Not here: making them (`run`, the engine).
"""

import json
import threading
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST_POINTS = 500
PIECES = ("left", "right", "token")
"""The tokens of a row."""
REPLACEMENT = "\ufffd"
Row = dict[str, Any]


@dataclass(frozen=True)
class CurvePoint:
    """The compression of the held-out text by the vocabulary of that size."""

    vocab_size: int
    bytes_per_token: float
    held_out_tokens: int


@dataclass(frozen=True)
class CountPoint:
    """How often the pair of a merge, or a word, occurs."""

    rank: int
    count: int


@dataclass(frozen=True)
class LossPoint:
    """The loss after an iteration of Unigram, and the size of the vocabulary."""

    iteration: int
    loss: float
    tokens: int


class Steps:
    """The rows in a file, in their order. Threads may share it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     steps = Steps(Path(folder) / "steps.jsonl")
    ...     steps.add([{"rank": 0, "id": 256, "count": 9}, {"rank": 1, "id": 257, "count": 7}])
    ...     steps.rows(0, 1, newest=True), len(steps)
    ([{'rank': 1, 'id': 257, 'count': 7}], 2)
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._ends = array("Q")
        self._sizes = array("q")
        self._counts = array("q")
        self._held = array("q")
        self._losses: list[LossPoint] = []
        if path.is_file():
            self._read()

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, rows: Iterable[Row]) -> None:
        """Appends rows. Raises OSError."""
        with self._lock:
            found = list(rows)
            lines = [json.dumps(row).encode() + b"\n" for row in found]
            with self._path.open("ab") as stream:
                stream.write(b"".join(lines))
            for row, line in zip(found, lines, strict=True):
                self._note(row, len(line))

    def keep_first(self, count: int) -> None:
        """Keeps the first `count` rows: those that a checkpoint knows. Raises OSError."""
        with self._lock:
            if not self._path.is_file():
                return
            kept = min(count, len(self._ends))
            with self._path.open("r+b") as stream:  # also takes away the half line of a killed run
                stream.truncate(self._ends[kept - 1] if kept else 0)
            self._forget()
            self._read()

    def rows(self, offset: int, limit: int, *, newest: bool) -> list[Row]:
        """`limit` rows from the `offset`th on, counted from the first or from the newest. Raises OSError."""
        with self._lock:
            count = len(self._ends)
            first = count - offset - limit if newest else offset
            last = min(first + limit, count)
            first = max(first, 0)
            if first >= last:
                return []
            begin = self._ends[first - 1] if first else 0
            with self._path.open("rb") as stream:
                stream.seek(begin)
                data = stream.read(self._ends[last - 1] - begin)
        found = [_whole(json.loads(line)) for line in data.splitlines()]
        return found[::-1] if newest else found

    def curve(self, held_out_bytes: int, first_tokens: int | None) -> list[CurvePoint]:
        """Bytes per token of the held-out text after each step, at most 500 points. `first_tokens`: before the first."""
        with self._lock:
            sizes, held = self._sizes[:], self._held[:]
            absolute = bool(self._losses)
        if not held_out_bytes or (first_tokens is None and not absolute):
            return []
        found, tokens = [], first_tokens or 0
        wanted = set(_spread(len(sizes)))
        for number, (size, change) in enumerate(zip(sizes, held, strict=True)):
            tokens = change if absolute else tokens + change
            if number in wanted and tokens > 0:
                found.append(CurvePoint(size, held_out_bytes / tokens, tokens))
        return found

    def held_out_change(self, first: int) -> int:
        """By how many tokens the held-out text grew from merge `first` on; below 0 where it shrank."""
        with self._lock:
            return sum(self._held[first:])

    def counts(self) -> list[CountPoint]:
        """The count of each step, at most 500 points."""
        with self._lock:
            return [CountPoint(at, self._counts[at]) for at in _spread(len(self._counts)) if self._counts[at] >= 0]

    def losses(self) -> list[LossPoint]:
        """The loss of each iteration."""
        with self._lock:
            return [self._losses[at] for at in _spread(len(self._losses))]

    def _note(self, row: Row, size: int) -> None:
        self._ends.append((self._ends[-1] if self._ends else 0) + size)
        self._sizes.append(row["tokens"] if "iteration" in row else row["id"] + 1)
        self._counts.append(-1 if row.get("count") is None else row["count"])
        self._held.append(row.get("held_out_tokens") or 0)
        if "iteration" in row and row.get("loss") is not None:
            self._losses.append(LossPoint(row["iteration"], row["loss"], row["tokens"]))

    def _read(self) -> None:
        """Reads the file. A last line without an end is that of a killed run, and is left out."""
        with self._path.open("rb") as stream:
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                self._note(json.loads(line), len(line))

    def _forget(self) -> None:
        for each in (self._ends, self._sizes, self._counts, self._held, self._losses):
            del each[:]


def _whole(row: Row) -> Row:
    """The row, with null for the text of each token whose bytes are not whole characters.

    >>> _whole({"rank": 0, "token": {"text": "\ufffd", "bytes": "e381"}})
    {'rank': 0, 'token': {'text': None, 'bytes': 'e381'}}
    """
    for name in PIECES:
        piece = row.get(name)
        if piece is not None and piece["text"] is not None and REPLACEMENT in piece["text"]:
            try:
                bytes.fromhex(piece["bytes"]).decode()
            except UnicodeDecodeError:
                piece["text"] = None
    return row


def _spread(count: int) -> Sequence[int]:
    """At most 500 of the first `count` numbers, the first and the last among them, denser at the beginning."""
    if count <= MOST_POINTS:
        return range(count)
    # Half of them in steps that grow by a constant factor, since the axes of these charts are logarithmic.
    half = MOST_POINTS // 2
    steep = {round((count - 1) ** (n / (half - 1))) - (n == 0) for n in range(half)}
    even = {round(n * (count - 1) / (half - 1)) for n in range(half)}
    return sorted(steep | even)
