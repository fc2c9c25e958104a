"""Long work on a terminal: the handle that services report through, drawn on stderr."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lab_app.cli import output
from lab_app.jobs.job import Job, Running
from lab_app.spelling import printable


@contextmanager
def running_job(kind: str, title: str, unit: str = "bytes", *, says_time_left: bool = False) -> Iterator[Running]:
    """A handle whose progress is drawn on stderr if that is a terminal, with the time left: the work's own words for it if
    it `says_time_left`, or else an estimate."""
    running = Running(Job(kind, kind, title, unit, state="running"))
    if not sys.stderr.isatty():
        yield running
        return
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counts = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = [TextColumn("{task.description}", markup=False), BarColumn(bar_width=20), counts]
    if not says_time_left:
        columns.append(TimeRemainingColumn())
    with Progress(*columns, console=output.console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=None)

        def draw() -> None:
            job = running.job
            shown.update(
                task,
                description=f"{title}: {printable(job.message)}" if job.message else title,
                completed=job.done,
                total=job.total,
            )

        with running.watched(draw):
            yield running
