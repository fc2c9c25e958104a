"""The text of a run: documents, and the parts that a sample encodes. Not here: reading corpora (`lab_app.services`)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_app.benchmarks.result import TextFacts
from lab_app.errors import BadValue
from lab_app.number_words import number_of

DOCUMENT_BYTES = 2000
"""A text without documents is divided at the first line end after this many bytes."""


@dataclass(frozen=True)
class Workload:
    """Documents in order. At least one has text."""

    title: str
    documents: tuple[str, ...]
    left_out_bytes: int = 0

    @property
    def bytes(self) -> int:
        """UTF-8 bytes of all documents."""
        return sum(self.sizes())

    def sizes(self) -> list[int]:
        """UTF-8 bytes of each document."""
        return [len(document.encode()) for document in self.documents]

    def facts(self) -> TextFacts:
        """What a result says of it."""
        digest = hashlib.sha256()
        for document in self.documents:
            digest.update(document.encode())
        return TextFacts(
            title=self.title,
            sha256=digest.hexdigest(),
            bytes=self.bytes,
            characters=sum(map(len, self.documents)),
            documents=len(self.documents),
            left_out_bytes=self.left_out_bytes,
        )

    def parts(self, count: int) -> list[tuple[int, int]]:
        """Divides the documents into `count` parts of about the same size: first document, and the one after the last.

        Raises BadValue if there are too few documents.

        >>> Workload("", ("aa", "b", "c", "dd")).parts(2)
        [(0, 2), (2, 4)]
        """
        if count > len(self.documents):
            raise BadValue(
                f"{self.title} has {number_of(len(self.documents), 'document')}, and {count} rounds need as many parts that differ",
                "choose a longer text, fewer rounds, or the mode warm or cold",
            )
        total, done = self.bytes, 0
        ends: list[int] = []
        sizes = self.sizes()
        for number, size in enumerate(sizes):
            done += size
            left = len(sizes) - number - 1
            missing = count - len(ends) - 1
            if missing and (left == missing or done >= total * (len(ends) + 1) / count):
                ends.append(number + 1)
        ends.append(len(sizes))
        return list(zip([0, *ends], ends, strict=False))

    def write(self, folder: Path) -> dict[str, Any]:
        """Writes the documents to a file for `worker`: its path, and the byte where each document ends."""
        path = folder / "text"
        path.write_bytes(b"".join(document.encode() for document in self.documents))
        ends, end = [], 0
        for size in self.sizes():
            end += size
            ends.append(end)
        return {"text": str(path), "ends": ends}


def workload(title: str, documents: Iterable[str], max_bytes: int, total_bytes: int | None = None) -> Workload:
    """The first documents of a text, up to `max_bytes`; empty ones are left out, and a single one is divided.

    Reading stops at the first document that does not fit; a first document above `max_bytes` is shortened to whole
    characters. `total_bytes` is the size of all documents, if it is known. Raises BadValue if there is no text.
    """
    kept: list[str] = []
    size = left_out = 0
    for document in documents:
        whole = document.encode("utf-8", "replace")
        if not whole:
            continue
        if size + len(whole) > max_bytes and kept:
            left_out = len(whole)
            break
        kept.append(whole[:max_bytes].decode("utf-8", "ignore"))
        size += min(len(whole), max_bytes)
        left_out = len(whole) - len(kept[-1].encode())
        if left_out:
            break
    if not kept:
        raise BadValue(f"{title} has no text", "choose another text")
    if left_out and total_bytes is not None:
        left_out = max(left_out, total_bytes - size)
    return Workload(title, tuple(divided(kept[0]) if len(kept) == 1 else kept), left_out)


def divided(text: str, size: int = DOCUMENT_BYTES) -> list[str]:
    """Divides a text at line ends into documents of about `size` bytes. A long line stays whole.

    >>> divided("one\\ntwo\\nthree\\n", 5)
    ['one\\ntwo\\n', 'three\\n']
    """
    documents, lines, length = [], [], 0
    for line in text.splitlines(keepends=True):
        lines.append(line)
        length += len(line.encode())
        if length >= size:
            documents.append("".join(lines))
            lines, length = [], 0
    return [*documents, "".join(lines)] if lines else documents
