"""Times as the lab keeps them. Not here: times as people read them, which the page and the reports write."""

from datetime import UTC, datetime


def now_text() -> str:
    """The time now: UTC, ISO 8601, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")
