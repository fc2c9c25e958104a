"""Serves the page, as the files of `lab_ui` are written, and the interactive pages of the interface; all of it offline."""

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from lab_app.api.security import new_nonce, page_policy
from lab_app.errors import NotFound

NONCE = "__NONCE__"
# Windows takes types from its registry, where other programs put wrong ones.
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
DOCS_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tokenization Laboratory: HTTP interface</title>
<link rel="stylesheet" href="/vendor/swagger-ui/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="/vendor/swagger-ui/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
"""
DOCS_SCRIPT = """SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis], tryItOutEnabled: true,
});
"""


def install(app: FastAPI, folder: Path) -> None:
    """Adds to `app` the page in `folder` at `/` and the interactive pages at `/docs`."""

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        try:
            text = (folder / "index.html").read_text("utf-8")
        except OSError as error:
            raise NotFound(
                f"the page is not in {folder}: {error.strerror}", "install the lab again, or run `make lab`"
            ) from error
        return _page(text, {"Link": _modules(folder)})

    @app.get("/docs", include_in_schema=False)
    def docs() -> Response:
        if not (folder / "vendor" / "swagger-ui" / "swagger-ui-bundle.js").is_file():
            raise NotFound("the interactive pages were not built", "run `make lab`; /openapi.json has the same as data")
        return _page(DOCS_PAGE)

    @app.get("/docs/start.js", include_in_schema=False)
    def docs_script() -> Response:
        return Response(DOCS_SCRIPT, media_type="text/javascript")

    # What no call has an address for is a file; mounted at "/" it would also take calls with the wrong method.
    app.router.default = _Files(directory=folder, check_dir=False)


def _modules(folder: Path) -> str:
    """A Link header that names every script of the page, so that the browser fetches them at once and not each when the
    one that imports it has come: the deepest chain is eight long."""
    scripts = sorted(path.relative_to(folder).as_posix() for path in (folder / "js").rglob("*.js"))
    return ", ".join(f"</{script}>; rel=modulepreload" for script in ["vendor/codemirror.js", *scripts])


def _page(text: str, more: dict[str, str] | None = None) -> Response:
    nonce = new_nonce()
    headers = {"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-store", **(more or {})}
    return HTMLResponse(text.replace(NONCE, nonce), headers=headers)


class _Files(StaticFiles):
    """Files with the type their name says. The lab's own are asked for anew each time, which costs a 304; those of
    others change with the lab's version only."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if any(part.startswith(".") for part in Path(path).parts if part not in (".", "..")):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        vendor = Path(path).parts[:1] == ("vendor",)
        response.headers["Cache-Control"] = "private, max-age=3600" if vendor else "no-cache"
        if response.status_code == 200:
            kind = TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
            response.headers["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        return response
