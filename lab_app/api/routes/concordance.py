"""A token or a word in a corpus: `/concordance`. A client that goes away ends the search."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from lab_app.api.json_route import json_router
from lab_app.api.requests import ConcordanceBody, SegmentationsBody
from lab_app.api.routes.lab import TheLab
from lab_app.corpora.options import Page, Query
from lab_app.jobs.job import Job, Running
from lab_app.services.corpora import concordance as service
from lab_app.services.corpora.concordance import Concordance, WordSegmentations

router = json_router("analyses")
ASK_S = 0.25
"""How often it is asked whether the client is still there."""
Result = TypeVar("Result")


@router.post("/concordance", summary="Find a token or a word in a corpus")
async def concordance(request: Request, lab: TheLab, body: ConcordanceBody) -> Concordance:
    """A page of occurrences in context. `next` is the `start` of the next page."""
    return await _while_asked(
        request,
        lambda running: service.concordance(
            lab, body.tokenizer, body.corpus, body.as_options(Query), body.as_options(Page), running
        ),
    )


@router.post("/concordance/segmentations", summary="Count the segmentations of a word in a corpus")
async def segmentations(request: Request, lab: TheLab, body: SegmentationsBody) -> WordSegmentations:
    """Every segmentation with its count and one example."""
    return await _while_asked(
        request,
        lambda running: service.word_segmentations(
            lab, body.tokenizer, body.corpus, body.word, running, max_bytes=body.as_options(Page).max_bytes
        ),
    )


async def _while_asked(request: Request, work: Callable[[Running], Result]) -> Result:
    """Runs `work` in a thread, and stops it when the client disconnects."""
    running = Running(Job("concordance", "concordance", "The search", "bytes", state="running"))
    task = asyncio.ensure_future(run_in_threadpool(work, running))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=ASK_S)
            if not task.done() and await request.is_disconnected():
                running.cancel()
        return await task
    finally:
        running.cancel()
