"""Serves the guide at `/guide`: the pages that `make guide` made of `docs`. They tell nothing of this run, so a browser
needs no secret for them; the window hands their links to the browser."""

import base64
import hashlib
import re

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from lab_app import paths
from lab_app.api.page import file_below, media_type
from lab_app.errors import NotFound

POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
INLINE = re.compile(rb"<script>(.+?)</script>", re.DOTALL)

router = APIRouter(include_in_schema=False)


@router.get("/guide")
def start() -> Response:
    """Leads to the first page, whose links count from its folder."""
    return RedirectResponse("/guide/", 308)


@router.get("/guide/{path:path}")
def page(path: str) -> Response:
    """A page, a picture or a script of the guide."""
    path = path or "index.html"
    folder = paths.guide()
    try:
        body = file_below(folder, path)
    except NotFound:
        if (folder / "index.html").is_file():
            raise
        raise NotFound("the guide was not built", "run `make guide`; its pages stand in the folder docs, too") from None
    headers = {"Cache-Control": "no-cache"}
    if path.endswith(".html"):
        scripts = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in INLINE.findall(body))
        headers["Content-Security-Policy"] = POLICY.format(scripts="".join(f" 'sha256-{one}'" for one in scripts))
    return Response(body, media_type=media_type(path), headers=headers)
