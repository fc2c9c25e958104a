"""How far a download is, as whoever shows it hears of it. Not here: showing it (`lab_app.cli.output`, `lab_app.jobs`)."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a download is: `source` in words, bytes here, bytes in all where known."""

    source: str
    done_bytes: int
    total_bytes: int | None = None


ProgressCallback = Callable[[Progress], None]
"""Who is told; it may raise, which stops the download."""


def ignore_progress(_progress: Progress) -> None:
    """Tells nobody."""
