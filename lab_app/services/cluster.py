"""The cluster that work was asked to run on: that of a scheduler, or worker processes of this machine. Not here: Dask
(`lab_app.cluster`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab_app.errors import BadRequest

if TYPE_CHECKING:
    from lab_app.cluster.connection import Connection


@dataclass(frozen=True)
class Cluster:
    """A connection, and what it is in words."""

    connection: "Connection"
    words: str


@contextmanager
def cluster(scheduler: str | None = None, workers: int | None = None) -> Iterator[Cluster | None]:
    """The cluster of the scheduler at that address, or so many workers on this machine; None without both.

    Raises BadRequest for both, BadValue for a value that cannot be, and Unavailable as `lab_app.cluster.connection` does.

    >>> with cluster() as found:
    ...     found is None
    True
    """
    if scheduler is not None and workers is not None:
        raise BadRequest(
            f"both a scheduler, {scheduler}, and {workers} local workers were asked for",
            "choose one of them: a running cluster has its own workers",
            on_terminal="give --scheduler or --workers: a running cluster has its own workers",
        )
    if scheduler is None and workers is None:
        yield None
        return
    from lab_app.cluster import connection

    opened = connection.local(workers) if workers is not None else connection.connected(scheduler or "")
    with opened as found:
        threads = found.workers()
        number = "1 worker" if len(threads) == 1 else f"{len(threads)} workers"
        yield Cluster(found, f"{number} {f'of {scheduler}' if scheduler else 'on this machine'}")
