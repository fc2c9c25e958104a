"""Serves the page: the files of `lab_ui`, and the page itself with a new nonce each time.

The page comes as one script and one style sheet (`lab_ui/build_page.mjs` makes them) if they were made from the sources as
they were when it was first asked for. Otherwise, and with the setting `dev`, it comes as the modules that it is written in.
A file is read when it is asked for and sent whole, without another thread: files are small, and the modules are asked for all at once.
"""

import asyncio
import mimetypes
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from lab_app.api.errors import response_of
from lab_app.api.guard.security import new_nonce, page_policy
from lab_app.errors import LabError, NotAllowed, NotFound

NONCE = "__NONCE__"
MAX_REQUEST_BYTES = "__MAX_REQUEST_BYTES__"
VENDOR = "vendor"
BUNDLE = f"{VENDOR}/page/"
"""The bundle's files. The version is a part of their names: what is at such an address never changes."""
STYLES = "  <!-- STYLES OF SCREENS -->\n"
KEPT_FOR_EVER = "private, max-age=31536000, immutable"
# Windows takes types from its registry, where other programs put wrong ones.
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}


class Page:
    """The ASGI app of everything that is a file. It answers GET and HEAD.

    `max_request_bytes`: the page refuses a larger file before it reads it. `theme` gives the theme that was chosen, which
    the page has from its first paint on; it may wait.
    """

    def __init__(
        self,
        folder: Path,
        *,
        bundled: bool = True,
        max_request_bytes: int = 64_000_000,
        theme: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.folder = folder
        self.bundled = bundled
        self.max_request_bytes = max_request_bytes
        self._theme = theme
        try:
            self._names = frozenset(path.name for path in folder.iterdir())
        except OSError:
            self._names = frozenset()

    def names_a_file(self, path: str) -> bool:
        """Whether the page answers this path: `/`, or one that starts with a name in its folder. No route starts so."""
        return path == "/" or path.lstrip("/").partition("/")[0] in self._names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with the file at the path, with the page at `/`, or with an error in the one shape."""
        try:
            response = self._response(scope, await asyncio.to_thread(self._theme) if scope["path"] == "/" else None)
        except LabError as error:
            response = response_of(error)
            if isinstance(error, NotAllowed):
                response.headers["Allow"] = "GET, HEAD"
        await response(scope, receive, send)

    def _response(self, scope: Scope, theme: str | None) -> Response:
        if scope.get("method") not in ("GET", "HEAD"):  # a WebSocket has none
            raise NotAllowed("this address does not support this method", "/docs lists the supported methods")
        if scope["path"] == "/":
            if self._bundle_is_current():
                return page_response(self._page(f"{VENDOR}/app.html", theme))
            return page_response(self._page("index.html", theme).replace(STYLES, self._styles() + self._modules()))
        if scope["path"] == "/index.html":  # its only address is the one with a nonce
            query = scope.get("query_string", b"").decode("latin-1")
            return RedirectResponse("./" + (f"?{query}" if query else ""), 308)
        path = scope["path"].lstrip("/")
        body = self._read(path)
        # What is at an address with a version never changes. Others are asked for each time, which costs a 304.
        versioned = path.startswith(BUNDLE) or scope["query_string"].startswith(b"v=")
        headers = {
            "Cache-Control": KEPT_FOR_EVER if versioned else "no-cache",
            "ETag": f'"{sha256(body).hexdigest()[:32]}"',
        }
        if headers["ETag"] in Headers(scope=scope).get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=media_type(path), headers=headers)

    def _page(self, path: str, theme: str | None) -> str:
        page = self._read(path).decode().replace(MAX_REQUEST_BYTES, str(self.max_request_bytes))
        return page.replace("<html ", f'<html data-theme="{theme}" ', 1) if theme else page

    def _read(self, path: str) -> bytes:
        try:
            return file_below(self.folder, path)
        except NotFound as error:
            if path == "index.html":
                hint = "install the lab again, or run `make lab`"
                raise NotFound(f"the page is not in {self.folder}", hint) from error
            raise

    def _bundle_is_current(self) -> bool:
        try:
            return self.bundled and (self.folder / VENDOR / "app.digest").read_text("ascii") == self._digest
        except OSError:
            return False

    @cached_property
    def _digest(self) -> str:
        """The digest of the sources, some four hundred files, which nobody edits while the lab runs but with `dev`."""
        return digest(self.folder)

    def _styles(self) -> str:
        """A link to the style sheet of every screen, so that a new screen needs no line in `index.html`."""
        sheets = sorted(path.relative_to(self.folder).as_posix() for path in self.folder.glob("js/screens/**/*.css"))
        return "".join(f'  <link rel="stylesheet" href="{sheet}">\n' for sheet in sheets)

    def _modules(self) -> str:
        """A link to every script of the page, so that the browser fetches them at once and not each when the one that imports
        it has come: the deepest chain is eight long. They are in the page: proxies refuse a header of their length."""
        scripts = sorted(path.relative_to(self.folder).as_posix() for path in (self.folder / "js").rglob("*.js"))
        return "".join(f'  <link rel="modulepreload" href="{script}">\n' for script in scripts)


def file_below(folder: Path, path: str) -> bytes:
    """The content of the file at a path below a folder. Raises NotFound, also for a path that would lead out of it."""
    parts = path.split("/")
    # No part may lead out of the folder or to what is hidden in it; a backslash or a colon does so on Windows.
    if any(not part or part.startswith(".") or set(part) & set("\\:\0") for part in parts):
        raise _nothing_here()
    try:
        return folder.joinpath(*parts).read_bytes()
    except OSError as error:
        raise _nothing_here() from error


def digest(folder: Path) -> str:
    """The digest of every path and content that the bundle of a page is made from, as `build_page.mjs` computes it.

    Raises OSError if a file cannot be read.
    """
    names = ["icon.svg", "index.html", f"{VENDOR}/codemirror.js"]
    for part in ("css", "js"):
        files = (path for path in (folder / part).rglob("*") if path.suffix in (".css", ".js"))
        names += [path.relative_to(folder).as_posix() for path in files]
    whole = sha256()
    for name in sorted(names):
        content = (folder / name).read_bytes()
        whole.update(f"{name}\n{len(content)}\n".encode() + content)
    return whole.hexdigest()


def page_response(text: str) -> Response:
    """An HTML page under the page's policy, with its nonce wherever `__NONCE__` stands."""
    nonce = new_nonce()
    policy = {"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-cache"}
    return Response(text.replace(NONCE, nonce), media_type="text/html", headers=policy)


def media_type(path: str) -> str:
    """The type of a file by its name.

    >>> media_type("js/main.js"), media_type("a.unknown")
    ('text/javascript', 'application/octet-stream')
    """
    return TYPES.get(PurePosixPath(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"


def _nothing_here() -> NotFound:
    return NotFound("this address does not exist", "/docs lists all addresses")
