"""Explain the boundaries of a text: `/explain`, `/trace`, `/normalization_changes`."""

from fastapi import Response

from lab_app.api.answers import json_response
from lab_app.api.json_route import json_router
from lab_app.api.requests import ChangesBody, ExplainBody, TraceBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.text.explain import Explanation, NormalizationChanges, changes_of, explain_text
from lab_app.services.text.trace import Trace, trace_of

router = json_router("explain")


@router.post("/explain", summary="Explain the boundaries of a text")
def explain(lab: TheLab, body: ExplainBody) -> Explanation:
    """One byte, or the first boundaries: stage, rule, and the smallest edit that removes the boundary."""
    return explain_text(lab, body.tokenizer, body.text, body.at, specials=body.specials, edits=body.edits)


@router.post("/trace", summary="Trace every stage on a text", response_model=Trace)
def trace(lab: TheLab, body: TraceBody) -> Response:
    """Every step of every stage."""
    return json_response(trace_of(lab, body.tokenizer, body.text, specials=body.specials))


@router.post("/normalization_changes", summary="List what the normalizer changes")
def normalization_changes(lab: TheLab, body: ChangesBody) -> NormalizationChanges:
    """What the stages before the model add, change and drop."""
    return changes_of(lab, body.tokenizer, body.text, specials=body.specials)
