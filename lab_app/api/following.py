"""Waits for jobs on the event loop: whoever watches a job, or waits for its end, holds no thread."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from lab_app.errors import Cancelled
from lab_app.jobs.job import Job, Running


async def following(running: Running, beat_s: float | None = None) -> AsyncIterator[Job | None]:
    """The job as it is now, then whenever it changes, until it has ended; None after every `beat_s` without a change."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended, the job has not
            loop.call_soon_threadsafe(changed.set)

    with running.watched(tell):
        seen = -1
        while True:
            changed.clear()
            job = running.job
            if job.version != seen:
                seen = job.version
                yield job
                if job.ended:
                    return
                continue
            try:
                await asyncio.wait_for(changed.wait(), beat_s)
            except TimeoutError:
                yield None


async def ended(running: Running) -> Job:
    """The job when it is done. Raises the LabError that it failed with or was cancelled by."""
    async for job in following(running):
        if job is not None and job.ended and job.state != "done":
            raise running.failure or Cancelled(f"{job.title} was stopped", "start it again")
    return running.job
