"""Explain the boundaries of a text: `/explain`, `/trace`, `/normalization_changes`, `/drift`, `/prompt_end`."""

from fastapi import Response

from lab_app.api.answers import json_response
from lab_app.api.json_route import json_router
from lab_app.api.requests import ChangesBody, DriftBody, ExplainBody, PromptEndBody, TraceBody
from lab_app.api.routes.lab import TheLab
from lab_app.services.text.drift import Drift, PromptEnd, drift, prompt_end
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


@router.post("/drift", summary="Compare sampled IDs with the encoder's")
def compare_sampled(lab: TheLab, body: DriftBody) -> Drift:
    """IDs that a model sampled beside those that the encoder makes of their text."""
    return drift(lab, body.tokenizer, body.ids)


@router.post("/prompt_end", summary="Test the end of a prompt")
def end_of_prompt(lab: TheLab, body: PromptEndBody) -> PromptEnd:
    """How many next tokens change the tokens of a prompt, and where a healed prompt ends."""
    return prompt_end(lab, body.tokenizer, body.text)
