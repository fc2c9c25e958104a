"""What the screens show, as a file, and how to cite it: `/export` and `/citation`."""

from typing import get_args

from fastapi import Response

from lab_app.api.file_answers import declared_files, file_answer
from lab_app.api.json_route import json_router
from lab_app.api.requests import CitationBody, ExportBody
from lab_app.api.routes.lab import TheLab
from lab_app.reports.citation import Citation, cite
from lab_app.reports.text import Format
from lab_app.reports.text import export as export_text

router = json_router("encode")


@router.post(
    "/export",
    summary="Encode a text into a file",
    responses=declared_files(get_args(Format)),
)
def export(lab: TheLab, body: ExportBody) -> Response:
    """JSON, a table of the tokens, tables of the figures as Markdown or LaTeX, or one page that needs nothing else."""
    found = export_text(lab, body.tokenizers, body.text, body.format, **body.text_options())
    return file_answer(found.chunks, found.name)


@router.post("/citation", summary="Say how a result is made and cited")
def citation(lab: TheLab, body: CitationBody) -> Citation:
    """The provenance of a result, a caption, and how to cite it. Encodes nothing."""
    return cite(lab, body.tokenizers, body.text, **body.text_options())
