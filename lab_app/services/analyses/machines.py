"""What counts an analysis: this process, worker processes of this machine, or a running cluster.

Not here: Dask (`lab_app.cluster`), the counting in this process (`counting`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from lab_app.errors import BadRequest
from lab_app.services.analyses.analyses import Counter
from lab_app.services.analyses.counting import count


@dataclass(frozen=True)
class Machines:
    """The counter for `run_analysis`, and what it is in words; None for this process."""

    counter: Counter
    words: str | None = None


@contextmanager
def machines(scheduler: str | None = None, workers: int | None = None) -> Iterator[Machines]:
    """The cluster of the scheduler at that address, so many workers on this machine, or this process without both.

    Raises BadRequest for both, BadValue for a value that cannot be, and Unavailable as `lab_app.cluster.connection` does.

    >>> with machines() as found:
    ...     found.words is None
    True
    """
    if scheduler is not None and workers is not None:
        raise BadRequest(
            f"both a scheduler, {scheduler}, and {workers} local workers were asked for",
            "choose one of them: a running cluster has its own workers",
            on_terminal="give --scheduler or --workers: a running cluster has its own workers",
        )
    if scheduler is None and workers is None:
        yield Machines(count)
        return
    from lab_app.cluster import connection, counting

    opened = connection.local(workers) if workers is not None else connection.connected(scheduler or "")
    with opened as found:
        threads = found.workers()
        number = "1 worker" if len(threads) == 1 else f"{len(threads)} workers"
        where = f"of {scheduler}" if scheduler else "on this machine"
        yield Machines(partial(counting.count, found), f"{number} {where}")
