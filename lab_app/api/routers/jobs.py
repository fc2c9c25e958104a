"""Long work over HTTP: `/jobs`. Not here: starting it, which the calls that need it do."""

import json
from collections.abc import AsyncIterator

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, StreamingResponse

from lab_app.api.following import following
from lab_app.api.routers.lab import TheLab
from lab_app.api.schemas import answers
from lab_app.jobs.job import Job, Running

router = APIRouter(tags=["jobs"])
# How often a comment is sent while nothing changes: the server notices by it that a watcher has gone.
BEAT_S = 5.0


@router.get("/jobs", summary="List the jobs", responses={200: {"model": answers.Jobs}})
def list_jobs(lab: TheLab) -> Response:
    """All jobs of this run, oldest first; of those that ended, the last hundred."""
    return JSONResponse({"jobs": [job.as_json() for job in lab.jobs.jobs()]})


@router.get("/jobs/{id}", summary="Get the state of a job", responses={200: {"model": answers.Job}})
def job(lab: TheLab, id: str) -> Response:
    """One job."""
    return JSONResponse(lab.jobs.job(id).as_json())


@router.get("/jobs/{id}/events", summary="Watch a job")
def events(lab: TheLab, id: str) -> Response:
    """Server-sent events: the job as it is now, then whenever it changes, until it has ended."""
    return StreamingResponse(_events(lab.jobs.running(id)), media_type="text/event-stream")


@router.delete("/jobs/{id}", status_code=202, summary="Stop a job", responses={202: {"model": answers.Job}})
def cancel(lab: TheLab, id: str) -> Response:
    """Asks it to stop; it has stopped when its state is "cancelled". One that has ended stays as it is."""
    return JSONResponse(lab.jobs.cancel(id).as_json(), 202)


async def _events(running: Running) -> AsyncIterator[bytes]:
    async for job in following(running, BEAT_S):
        yield b": still here\n\n" if job is None else _event(job)


def _event(job: Job) -> bytes:
    return f"data: {json.dumps(job.as_json(), ensure_ascii=False)}\n\n".encode()
