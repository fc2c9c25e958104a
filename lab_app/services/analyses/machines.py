"""What counts an analysis: this process, worker processes of this machine, or a running cluster.

Not here: the counting in this process (`counting`), on a cluster (`lab_app.cluster.counting`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from lab_app.services.analyses.analyses import Counter
from lab_app.services.analyses.counting import count
from lab_app.services.cluster import cluster


@dataclass(frozen=True)
class Machines:
    """The counter for `run_analysis`, and what it is in words; None for this process."""

    counter: Counter
    words: str | None = None


@contextmanager
def machines(scheduler: str | None = None, workers: int | None = None) -> Iterator[Machines]:
    """The cluster of the scheduler at that address, so many workers on this machine, or this process without both.

    Raises as `lab_app.services.cluster.cluster`.

    >>> with machines() as found:
    ...     found.words is None
    True
    """
    with cluster(scheduler, workers) as found:
        if found is None:
            yield Machines(count)
            return
        from lab_app.cluster import counting

        yield Machines(partial(counting.count, found.connection), found.words)
