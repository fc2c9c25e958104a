"""The interactive pages of the interface, `/docs`: Swagger UI from `lab_ui/vendor`, so that they need no network."""

from fastapi import APIRouter
from fastapi.responses import Response

from lab_app import paths
from lab_app.api.page import VENDOR, page_response
from lab_app.errors import NotFound
from lab_app.version import lab_version

FOLDER = f"{VENDOR}/swagger-ui"
VERSION = "__VERSION__"
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tokenization Laboratory: HTTP interface</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{FOLDER}/swagger-ui.css?v={VERSION}">
<div id="swagger-ui"></div>
<script src="{FOLDER}/swagger-ui-bundle.js?v={VERSION}"></script>
<script src="docs/start.js"></script>
"""
SCRIPT = """SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis], tryItOutEnabled: true,
});
"""


router = APIRouter(include_in_schema=False)


@router.get("/docs")
def docs() -> Response:
    """The page."""
    if not (paths.page() / FOLDER / "swagger-ui-bundle.js").is_file():
        raise NotFound(
            "the interactive documentation was not built",
            "run `make lab`; /openapi.json has the same content as data",
        )
    return page_response(PAGE.replace(VERSION, lab_version()))


@router.get("/docs/start.js")
def script() -> Response:
    """What starts it."""
    return Response(SCRIPT, media_type="text/javascript")
