"""Lets one measurement of time run at a time: two at once slow each other, and neither would be true.

Not here: jobs, of which two run at once (`lab_app.jobs`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from lab_app.jobs.job import Running
from lab_app.services.lab import Lab

WAIT_S = 0.2
"""How soon a job that waits notices that it was stopped."""


@contextmanager
def alone(lab: Lab, running: Running) -> Iterator[None]:
    """Waits until no other measurement of this lab runs, and keeps others waiting. Raises Cancelled.

    >>> from lab_app.jobs.job import Job
    >>> from lab_app.settings import Settings
    >>> lab = Lab(Settings())
    >>> with alone(lab, Running(Job("1", "growth", "Growth", "steps"))):
    ...     lab.measuring.locked()
    True
    """
    if not lab.measuring.acquire(blocking=False):
        running.report(0, None, "waiting for another measurement")
        while not lab.measuring.acquire(timeout=WAIT_S):
            running.check()
    try:
        yield
    finally:
        lab.measuring.release()
