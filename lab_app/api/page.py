"""Serves the page: the files of `lab_ui` as they are written, and `index.html` with a nonce of its own each time.

A file is read when it is asked for and sent whole, in one go and without another thread: they are small, and a start of
the lab asks for sixty of them at once.
"""

import mimetypes
from hashlib import sha256
from pathlib import Path, PurePosixPath

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lab_app.api.errors import response_of
from lab_app.api.security import new_nonce, page_policy
from lab_app.errors import LabError, NotAllowed, NotFound

NONCE = "__NONCE__"
VENDOR = "vendor"
# Windows takes types from its registry, where other programs put wrong ones.
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}


class Page:
    """The ASGI app of everything that is a file. It answers GET and HEAD."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with the file at the path, with the page at `/`, or with an error in the one shape."""
        try:
            response = self._response(scope)
        except LabError as error:
            response = response_of(error)
        await response(scope, receive, send)

    def _response(self, scope: Scope) -> Response:
        if scope.get("method") not in ("GET", "HEAD"):  # a WebSocket has none
            raise NotAllowed("this address does not take this method", "see /docs for those it takes")
        if scope["path"] == "/":
            return page_response(self._read("index.html").decode(), {"Link": self._modules()})
        path = scope["path"].lstrip("/")
        body = self._read(path)
        # The lab's own files are asked for anew each time, which costs a 304; those of others change with its version.
        vendor = PurePosixPath(path).parts[0] == VENDOR
        headers = {
            "Cache-Control": "private, max-age=3600" if vendor else "no-cache",
            "ETag": f'"{sha256(body).hexdigest()[:32]}"',
        }
        if headers["ETag"] in Headers(scope=scope).get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=_media_type(path), headers=headers)

    def _read(self, path: str) -> bytes:
        parts = path.split("/")
        # No part may lead out of the folder or to what is hidden in it; a backslash or a colon does so on Windows.
        if any(not part or part.startswith(".") or set(part) & set("\\:\0") for part in parts):
            raise _nothing_here()
        try:
            return self.folder.joinpath(*parts).read_bytes()
        except OSError as error:
            if path == "index.html":
                hint = "install the lab again, or run `make lab`"
                raise NotFound(f"the page is not in {self.folder}: {error.strerror}", hint) from error
            raise _nothing_here() from error

    def _modules(self) -> str:
        """A Link header that names every script of the page, so that the browser fetches them at once and not each when
        the one that imports it has come: the deepest chain is eight long."""
        scripts = sorted(path.relative_to(self.folder).as_posix() for path in (self.folder / "js").rglob("*.js"))
        return ", ".join(f"</{script}>; rel=modulepreload" for script in [f"{VENDOR}/codemirror.js", *scripts])


def page_response(text: str, headers: dict[str, str] | None = None) -> Response:
    """An HTML page under the page's policy, with its nonce wherever `__NONCE__` stands."""
    nonce = new_nonce()
    policy = {"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-store"}
    return Response(text.replace(NONCE, nonce), media_type="text/html", headers={**policy, **(headers or {})})


def _media_type(path: str) -> str:
    return TYPES.get(PurePosixPath(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"


def _nothing_here() -> NotFound:
    return NotFound("there is nothing at this address", "see /docs for the addresses there are")
