"""Long work over HTTP: `/jobs`. Not here: starting it, which the calls that need it do."""

import json
from collections.abc import AsyncIterator

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse

from lab_app.api.routers.lab import TheLab
from lab_app.api.schemas import answers
from lab_app.jobs.job import Job
from lab_app.services.lab import Lab

router = APIRouter(tags=["jobs"])
# How long a watcher's thread waits for a change before it sends a comment, by which a watcher that has gone is noticed.
BEAT_S = 5.0


@router.get("/jobs", summary="List the jobs", responses={200: {"model": answers.Jobs}})
def list_jobs(lab: TheLab) -> Response:
    """All jobs of this run, oldest first; of those that ended, the last hundred."""
    return JSONResponse({"jobs": [job.as_json() for job in lab.jobs.jobs()]})


@router.get("/jobs/{id}", summary="Ask how a job stands", responses={200: {"model": answers.Job}})
def job(lab: TheLab, id: str) -> Response:
    """One job."""
    return JSONResponse(lab.jobs.job(id).as_json())


@router.get("/jobs/{id}/events", summary="Watch a job")
def events(lab: TheLab, id: str) -> Response:
    """Server-sent events: the job as it is now, then whenever it changes, until it has ended."""
    lab.jobs.job(id)
    return StreamingResponse(_events(lab, id), media_type="text/event-stream")


@router.delete("/jobs/{id}", status_code=202, summary="Stop a job", responses={202: {"model": answers.Job}})
def cancel(lab: TheLab, id: str) -> Response:
    """Asks it to stop; it has stopped when its state is "cancelled". One that has ended stays as it is."""
    return JSONResponse(lab.jobs.cancel(id).as_json(), 202)


async def _events(lab: Lab, id: str) -> AsyncIterator[bytes]:
    found = lab.jobs.job(id)
    yield _event(found)
    while not found.ended:
        before = found.version
        found = await run_in_threadpool(lab.jobs.next_change, id, before, BEAT_S)
        yield _event(found) if found.version != before else b": still here\n\n"


def _event(job: Job) -> bytes:
    return f"data: {json.dumps(job.as_json(), ensure_ascii=False)}\n\n".encode()
