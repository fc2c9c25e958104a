"""The progress of a download. Not here: showing it (`lab_app.cli.output`, `lab_app.jobs`)."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """`done_bytes` of `total_bytes`, which is None if unknown, from `source`, in words."""

    source: str
    done_bytes: int
    total_bytes: int | None = None


ProgressCallback = Callable[[Progress], None]
"""Called with each progress. It may raise, which stops the download."""


def ignore_progress(_progress: Progress) -> None:
    """Does nothing."""
