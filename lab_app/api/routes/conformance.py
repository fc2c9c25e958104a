"""The engine beside reference libraries: `/conformance`."""

from lab_app.analysis.options import ConformanceOptions
from lab_app.api.json_route import json_router
from lab_app.api.requests import ConformanceBody
from lab_app.api.routes.lab import TheLab
from lab_app.jobs.job import Job
from lab_app.services.analyses import conformance
from lab_app.services.analyses.conformance import ConformanceReferences

router = json_router("conformance")


@router.post("/conformance", status_code=202, summary="Compare a tokenizer with reference libraries")
def start(lab: TheLab, body: ConformanceBody) -> Job:
    """Starts a job. Its result has the counts, the smallest texts with other IDs, and what was not compared."""
    return conformance.start_conformance(lab, body.tokenizer, body.as_options(ConformanceOptions))


@router.get("/conformance/{id}", summary="List the reference libraries for a tokenizer")
def references(lab: TheLab, id: str) -> ConformanceReferences:
    """Which are installed and read it, how to install the others, and what the last comparison has found."""
    return conformance.references(lab, id)
