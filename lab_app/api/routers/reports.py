"""Saved sessions: `/reports`."""

from dataclasses import asdict

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas import reports as answers
from lab_app.api.schemas.requests import ReportBody
from lab_app.services import reports

router = APIRouter(tags=["reports"])


@router.get("/reports", summary="List the saved sessions", responses={200: {"model": answers.Reports}})
def list_reports(lab: TheLab) -> Response:
    """The newest first, without their texts."""
    return JSONResponse({"reports": [asdict(line) for line in reports.lines(lab)]})


@router.post(
    "/reports",
    summary="Save a session",
    openapi_extra=described(ReportBody),
    status_code=201,
    responses={201: {"model": answers.Saved}},
)
def save(lab: TheLab, body: RawBody) -> Response:
    """Encodes the text with the tokenizers and keeps all of it."""
    asked = parse(ReportBody, body)
    id = reports.save(
        lab,
        asked.name,
        asked.tokenizers,
        asked.text,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        view=asked.view,
    )
    return JSONResponse({"id": id}, status_code=201)


@router.get("/reports/{id}", summary="Open a saved session", responses={200: {"model": answers.Report}})
def load(lab: TheLab, id: int) -> Response:
    """The text, the options and the counts of then."""
    found = reports.load(lab, id)
    results = [
        {"tokenizer": result.tokenizer, "sha256": result.sha256, "count": result.ids.size} for result in found.results
    ]
    head = {"id": found.id, "name": found.name, "saved_at": found.saved_at, "text": found.text}
    return JSONResponse({**head, **found.options, "results": results})


@router.post("/reports/{id}/run", summary="Run a saved session again", responses={200: {"model": answers.SinceThen}})
def run_again(lab: TheLab, id: int) -> Response:
    """What became different since the session was saved."""
    return JSONResponse({"changes": [asdict(change) for change in reports.run_again(lab, id)]})


@router.delete("/reports/{id}", summary="Delete a saved session", status_code=204)
def delete(lab: TheLab, id: int) -> Response:
    """For good."""
    reports.delete(lab, id)
    return Response(status_code=204)
