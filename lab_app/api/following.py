"""Waits for jobs on the event loop: whoever watches a job, or waits for its end, holds no thread."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractContextManager, aclosing

from lab_app.errors import Cancelled
from lab_app.jobs.job import Job, Running, Watcher
from lab_app.jobs.queue import JobQueue

LEAST_GAP_S = 0.05
"""Between two reports of all jobs: what changes meanwhile comes together."""


async def following(running: Running, beat_s: float | None = None) -> AsyncIterator[Job | None]:
    """The job as it is now, then whenever it changes, until it has ended; None after every `beat_s` without a change."""
    seen = -1
    async with aclosing(_changes(running.watched, beat_s)) as changes:
        async for is_change in changes:
            job = running.job
            if job.version != seen:
                seen = job.version
                yield job
                if job.ended:
                    return
            elif not is_change:
                yield None


async def following_all(queue: JobQueue, beat_s: float) -> AsyncIterator[list[Job] | None]:
    """The jobs that have not ended, then those that are new or have changed, until all have ended; None after every
    `beat_s` without a change."""
    seen: dict[str, Job] | None = None
    async with aclosing(_changes(queue.watched, beat_s)) as changes:
        async for is_change in changes:
            jobs = queue.jobs()
            # A job that changes is another object; a job of the same key may follow it.
            news = [job for job in jobs if (not job.ended if seen is None else seen.get(job.id) is not job)]
            if news or seen is None:
                yield news
            elif not is_change:
                yield None
            seen = {job.id: job for job in jobs}
            if all(job.ended for job in jobs):
                return
            if news:
                await asyncio.sleep(LEAST_GAP_S)


async def ended(running: Running) -> Job:
    """The job when it is done. Raises the LabError that it failed with or was cancelled by."""
    async for job in following(running):
        if job is not None and job.ended and job.state != "done":
            raise running.failure or Cancelled(f"{job.title} was stopped", "start it again")
    return running.job


async def _changes(
    watched: Callable[[Watcher], AbstractContextManager[None]], beat_s: float | None
) -> AsyncGenerator[bool, None]:
    """True now and after each change, False after every `beat_s` without one."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended, the job has not
            loop.call_soon_threadsafe(changed.set)

    with watched(tell):
        yield True
        while True:
            try:
                await asyncio.wait_for(changed.wait(), beat_s)
            except TimeoutError:
                yield False
                continue
            changed.clear()
            yield True
