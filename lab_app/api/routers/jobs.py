"""Long work over HTTP: `/jobs`. Not here: starting it, which the calls that need it do."""

from collections.abc import AsyncIterator

from fastapi import Response
from fastapi.responses import StreamingResponse

from lab_app.api.following import following
from lab_app.api.json_route import json_router
from lab_app.api.routers.lab import TheLab
from lab_app.jobs.job import Job, Jobs, Running
from lab_app.json_text import json_text

router = json_router("jobs")
# How often a comment is sent while nothing changes: the server notices by it that a watcher has gone.
BEAT_S = 5.0


@router.get("/jobs", summary="List the jobs")
def list_jobs(lab: TheLab) -> Jobs:
    """All jobs of this run, oldest first; of those that ended, the last hundred."""
    return Jobs(lab.jobs.jobs())


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


@router.delete("/jobs/{id}", status_code=202, summary="Stop a job")
def cancel(lab: TheLab, id: str) -> Job:
    """Asks it to stop; it has stopped when its state is "cancelled". One that has ended stays as it is."""
    return lab.jobs.cancel(id)


async def _events(running: Running) -> AsyncIterator[bytes]:
    async for job in following(running, BEAT_S):
        yield b": still here\n\n" if job is None else _event(job)


def _event(job: Job) -> bytes:
    return f"data: {json_text(job)}\n\n".encode()
