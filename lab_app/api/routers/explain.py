"""Explain the boundaries of a text: `/explain`, `/trace`, `/changes`."""

from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import answers
from lab_app.api.schemas.requests import ChangesBody, ExplainBody, TraceBody
from lab_app.services.explain import changes_of, explain_text, trace_of

router = APIRouter(tags=["explain"])


@router.post(
    "/explain",
    summary="Explain the boundaries of a text",
    openapi_extra=described(ExplainBody),
    responses={200: {"model": answers.Explanation}},
)
def explain(lab: TheLab, body: RawBody) -> Response:
    """Of one place, or of the first cuts: stage, rule, and the smallest edit that takes the cut away."""
    asked = parse(ExplainBody, body)
    found = explain_text(lab, asked.tokenizer, asked.text, asked.at, specials=asked.specials, edits=asked.edits)
    return JSONResponse(found)


@router.post(
    "/trace",
    summary="What every stage did with a text",
    openapi_extra=described(TraceBody),
    responses={200: {"model": dict[str, Any]}},
)
def trace(lab: TheLab, body: RawBody) -> Response:
    """Every step of every stage."""
    asked = parse(TraceBody, body)
    return JSONResponse(trace_of(lab, asked.tokenizer, asked.text, specials=asked.specials))


@router.post(
    "/changes",
    summary="List what the normalizer changes",
    openapi_extra=described(ChangesBody),
    responses={200: {"model": answers.Changes}},
)
def changes(lab: TheLab, body: RawBody) -> Response:
    """What the stages before the model put in, change and drop."""
    asked = parse(ChangesBody, body)
    return JSONResponse(changes_of(lab, asked.tokenizer, asked.text, specials=asked.specials))
