"""Tokens after small edits: `/analyses/robustness`."""

from lab_app.analysis.options import RobustnessOptions
from lab_app.api.json_route import json_router
from lab_app.api.requests import RobustnessBody
from lab_app.api.routes.lab import TheLab
from lab_app.jobs.job import Job
from lab_app.services.analyses.robustness import start_robustness

router = json_router("analyses")


@router.post("/analyses/robustness", status_code=202, summary="Measure how far small edits change tokens")
def start(lab: TheLab, body: RobustnessBody) -> Job:
    """Starts a job. Its result has the figures of every kind of edit and noise level, per tokenizer."""
    return start_robustness(lab, body.tokenizers, body.corpus, body.as_options(RobustnessOptions))
