"""Long work over HTTP: `/jobs`. Not here: starting it, which the calls that need it do."""

from collections.abc import AsyncIterator

from fastapi import Response
from fastapi.responses import StreamingResponse

from lab_app.api.following import following, following_all
from lab_app.api.json_route import json_router
from lab_app.api.routes.lab import TheLab
from lab_app.jobs.job import Job, Jobs, Running
from lab_app.jobs.queue import JobQueue
from lab_app.json_text import json_text
from lab_app.services import restarting

router = json_router("jobs")
# How often a comment is sent while nothing changes: the server notices by it that a watcher has gone.
BEAT_S = 5.0


@router.get("/jobs", summary="List the jobs")
def list_jobs(lab: TheLab) -> Jobs:
    """All jobs of this run, oldest first; of those that ended, the last hundred."""
    return Jobs(lab.jobs.jobs())


@router.get("/jobs/events", summary="Watch all jobs")
def all_events(lab: TheLab) -> Response:
    """Server-sent events: the jobs that have not ended, then those that are new or have changed, until all have ended."""
    return StreamingResponse(_all_events(lab.jobs), media_type="text/event-stream")


@router.get("/jobs/{id}", summary="Get the state of a job")
def job(lab: TheLab, id: str) -> Job:
    """One job."""
    return lab.jobs.job(id)


@router.get(
    "/jobs/{id}/events",
    summary="Watch a job",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
def events(lab: TheLab, id: str) -> Response:
    """Server-sent events: the job as it is now, then whenever it changes, until it has ended."""
    return StreamingResponse(_events(lab.jobs.running(id)), media_type="text/event-stream")


@router.post("/jobs/{id}/restart", status_code=202, summary="Start an interrupted job again")
def restart(lab: TheLab, id: str) -> Job:
    """Another job that does the same: the lab ended while this one ran. A training goes on from its last checkpoint."""
    return restarting.restart(lab, id)


@router.delete("/jobs/{id}", status_code=202, summary="Stop a job")
def cancel(lab: TheLab, id: str) -> Job:
    """Asks it to stop; it has stopped when its state is "cancelled". One that has ended stays as it is; one that was interrupted
    is listed no longer."""
    return lab.jobs.cancel(id)


async def _events(running: Running) -> AsyncIterator[bytes]:
    async for job in following(running, BEAT_S):
        yield _event(job)


async def _all_events(queue: JobQueue) -> AsyncIterator[bytes]:
    async for jobs in following_all(queue, BEAT_S):
        yield _event(None if jobs is None else Jobs(jobs))


def _event(data: Job | Jobs | None) -> bytes:
    return b": still here\n\n" if data is None else f"data: {json_text(data)}\n\n".encode()
