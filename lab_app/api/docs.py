"""The interactive pages of the interface, `/docs`: Swagger UI from `lab_ui/vendor`, so that they need no network."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response

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


def install(app: FastAPI, page_folder: Path) -> None:
    """Adds `/docs` to `app`."""

    @app.get("/docs", include_in_schema=False)
    def docs() -> Response:
        if not (page_folder / FOLDER / "swagger-ui-bundle.js").is_file():
            raise NotFound(
                "the interactive documentation was not built",
                "run `make lab`; /openapi.json has the same content as data",
            )
        return page_response(PAGE.replace(VERSION, lab_version()))

    @app.get("/docs/start.js", include_in_schema=False)
    def script() -> Response:
        return Response(SCRIPT, media_type="text/javascript")
