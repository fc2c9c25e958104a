"""What happened while documents were read: counts, and the places of what was skipped. Reports of partitions add up."""

from dataclasses import dataclass, field

MOST_PLACES = 20


@dataclass(frozen=True)
class Skipped:
    """A document that was not read: `place` is the file with the line, row or byte, `reason` says why and what to do."""

    place: str
    reason: str


@dataclass
class ReadReport:
    """Filled by `reading.batches`. All are counts over the documents read so far.

    `documents` and `bytes` (UTF-8) were handed on; `read_bytes` of the files on disk were read for them;
    `empty` lines or cells are no documents; `replaced_characters` were not valid in the file's encoding and are U+FFFD
    now; of the `skipped` documents the first `MOST_PLACES` are in `places`. `cleaning` counts the documents that each step
    changed or removed.
    """

    documents: int = 0
    bytes: int = 0
    read_bytes: int = 0
    empty: int = 0
    replaced_characters: int = 0
    skipped: int = 0
    places: list[Skipped] = field(default_factory=list)
    cleaning: dict[str, int] = field(default_factory=dict)

    def took(self, count: int) -> None:
        """Counts bytes that were read of a file. A subclass may raise here to stop the reading."""
        self.read_bytes += count

    def skip(self, place: str, reason: str) -> None:
        """Counts a document that is not handed on."""
        self.skipped += 1
        if len(self.places) < MOST_PLACES:
            self.places.append(Skipped(place, reason))

    def merge(self, other: "ReadReport") -> None:
        """Adds the counts of another report.

        >>> report = ReadReport(documents=2, bytes=10)
        >>> report.merge(ReadReport(documents=1, bytes=5))
        >>> report.documents, report.bytes
        (3, 15)
        """
        for name in ("documents", "bytes", "read_bytes", "empty", "replaced_characters", "skipped"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for step, count in other.cleaning.items():
            self.cleaning[step] = self.cleaning.get(step, 0) + count
        self.places = [*self.places, *other.places][:MOST_PLACES]
