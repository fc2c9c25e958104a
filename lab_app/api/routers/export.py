"""What the screens show, as a file: `/export`."""

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from lab_app.api.bodies import described, parse
from lab_app.api.routers.lab import RawBody, TheLab
from lab_app.api.schemas.requests import ExportBody
from lab_app.services.export import MEDIA_TYPES
from lab_app.services.export import export as export_text

router = APIRouter(tags=["encode"])


@router.post(
    "/export",
    summary="Encode a text into a file",
    openapi_extra=described(ExportBody),
    responses={200: {"content": {media_type.split(";")[0]: {} for media_type in MEDIA_TYPES.values()}}},
)
def export(lab: TheLab, body: RawBody) -> Response:
    """JSON, a table of the tokens, or one page that needs nothing else."""
    asked = parse(ExportBody, body)
    found = export_text(
        lab,
        asked.tokenizers,
        asked.text,
        asked.format,
        add_special_tokens=asked.add_special_tokens,
        specials=asked.specials,
        ignore_spaces=asked.ignore_spaces,
    )
    # Ids of tokenizers are letters, digits, dot, hyphen and underscore, so the name needs no quoting rules.
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
    return StreamingResponse((chunk.encode() for chunk in found.chunks), media_type=found.media_type, headers=headers)
