"""Who may talk to the server: the right Host, the right Origin, the secret of this run; and what a page may do.

Each check is one ASGI middleware; `checks.py` lists them in the order they run. There are no CORS headers: no other page
may read anything here. Not here: the size of a body (`limits`).

* Host: a web page of another site can make its name resolve to 127.0.0.1 and then talk to us as its own site (DNS
  rebinding). Its requests still carry that site's name in Host.
* Origin: a request that another page sends carries that page's origin.
* Policy of the page: `blob:` is there for images because the page makes its PNG files of a picture that it drew itself; such
  an address names data of the page and can lead nowhere else.
* Secret: other users of the machine, and other programs in a browser, do not have it: it is on no command line
  (`lab_app.desktop.browser`). It is compared in constant time.
"""

import hmac
import html
import ipaddress
import re
import secrets
from collections.abc import Collection
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app.api.errors import response_of, status_of
from lab_app.errors import Forbidden, LabError, Unauthorized

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
OPEN = frozenset({"/healthz"})  # paths that need no secret
ASKING = ("http", "websocket")  # what asks for something; the server's own start and end do not
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
LEAD_ON = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}"><title>Tokenization Laboratory</title>'
DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def new_nonce() -> str:
    """A word that marks the styles of one page as its own."""
    return secrets.token_urlsafe(16)


def page_policy(nonce: str) -> str:
    """The Content-Security-Policy of a page: its own scripts and styles, nothing inline, nothing from elsewhere."""
    return PAGE_POLICY.format(nonce=nonce)


def cookie_name(port: int) -> str:
    """The cookie's name. Browsers share cookies between the ports of a host, so the port is part of it."""
    return f"tokenlab_{port}"


def header(scope: Scope, name: bytes) -> str:
    """The first header of a request by that name, which is lower-case; empty without one.

    Every request is asked for some, so this makes no object of them as `Headers` does.

    >>> header({"headers": [(b"host", b"localhost"), (b"accept", b"*/*")]}, b"accept")
    '*/*'
    """
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


class SecurityHeadersMiddleware:
    """Sets on every answer what keeps a browser from guessing types, leaking addresses or framing the page.

    Those of `ALWAYS` replace what an answer has by that name; those of `BY_DEFAULT` are for answers without one. So none
    stands there twice, also where an answer comes here twice: the quick start passes calls on to the whole app.
    """

    ALWAYS = (
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    )
    _ALWAYS_NAMES = frozenset(name for name, _ in ALWAYS)
    BY_DEFAULT = ((b"content-security-policy", DATA_POLICY.encode()), (b"cache-control", b"no-store"))

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and adds the headers to the answer."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.get("headers", ())
                names = {name for name, _ in given}
                headers = [each for each in given if each[0] not in self._ALWAYS_NAMES]
                headers += self.ALWAYS
                headers += (each for each in self.BY_DEFAULT if each[0] not in names)
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class HostOriginMiddleware:
    """Refuses a request whose Host is not an address of this server, and one that another page sent."""

    def __init__(self, app: ASGIApp, allowed_hosts: Collection[str] = ()) -> None:
        self.app = app
        self.allowed = frozenset(host.lower() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on or answers 403."""
        if scope["type"] in ASKING:
            refusal = self._refusal(scope)
            if refusal is not None:
                await response_of(refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Forbidden | None:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._is_own(hosts[0].lower(), scope):
            shown = ", ".join(hosts) or "none"
            return Forbidden(
                f"this server does not answer for the host {shown}",
                "open the address it printed, or add the host to TOKENLAB_ALLOWED_HOSTS",
            )
        for origin in [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]:
            own = f"{_page_scheme(scope)}://{hosts[0].lower()}"
            # A proxy that speaks https in front of the lab changes the scheme, never the host.
            if origin.lower() not in (own, own.replace("http://", "https://", 1)):
                return Forbidden(f"a page of {origin} may not call the lab", "open the lab's own address")
        return None

    def _is_own(self, host: str, scope: Scope) -> bool:
        name, port = _split_host(host, 443 if _page_scheme(scope) == "https" else 80)
        server_name, server_port = scope.get("server") or ("", None)
        if host in self.allowed or name in self.allowed:
            return True
        return port == server_port and (name in LOOPBACK or name == _bracketed(server_name))


class TokenAuthMiddleware:
    """Refuses a request without the secret of this run; `/?token=T` takes it once and sets a cookie."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on or answers 401; `/?token=T` answers with the cookie and the page's address."""
        if scope["type"] not in ASKING or scope["path"] in OPEN:
            await self.app(scope, receive, send)
            return
        query = _query(scope) if scope["path"] == "/" and scope.get("method") == "GET" else {}
        if self._right(query.get("token", [""])[0]):
            await self._welcome(query, scope)(scope, receive, send)
        elif self._right(_bearer(scope)) or self._right(_cookie(scope, cookie_name(_port(scope)))):
            await self.app(scope, receive, send)
        else:
            await _refused(scope)(scope, receive, send)

    def _right(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self.token.encode())

    def _welcome(self, query: dict[str, list[str]], scope: Scope) -> Response:
        """Sends the browser to the page's plain address, so that the secret stays in no history."""
        rest = urlencode([(key, value) for key, values in query.items() for value in values if key != "token"])
        plain = "/" + (f"?{rest}" if rest else "")
        # Another page led here (the file that opens the browser, a link in a text): the browser then sends no strict cookie
        # along with a redirect, but does with what a page of the lab itself leads to.
        if header(scope, b"sec-fetch-site") in ("cross-site", "same-site"):
            response: Response = HTMLResponse(LEAD_ON.format(address=html.escape(plain)))
        else:
            response = RedirectResponse(plain, 303)
        response.set_cookie(cookie_name(_port(scope)), self.token, path="/", httponly=True, samesite="strict")
        return response


def _query(scope: Scope) -> dict[str, list[str]]:
    return parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _refused(scope: Scope) -> Response:
    error: LabError = Unauthorized(
        "the secret of this run is missing or wrong",
        "open the full address that the lab printed, with ?token=; programs send Authorization: Bearer TOKEN",
    )
    if "text/html" not in header(scope, b"accept"):
        response: Response = response_of(error)
    else:
        text = "<!doctype html><meta charset=utf-8><title>Tokenization Laboratory</title><h1>{}</h1><p>{}</p>"
        shown = text.format(html.escape(error.message.capitalize()), html.escape(error.hint.capitalize()))
        response = HTMLResponse(shown, status_of(error))
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _bearer(scope: Scope) -> str:
    scheme, _, value = header(scope, b"authorization").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else ""


def _cookie(scope: Scope, name: str) -> str:
    try:
        found = SimpleCookie(header(scope, b"cookie")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _port(scope: Scope) -> int:
    """The port the browser sees, which behind a forwarded port is not the server's."""
    return _split_host(header(scope, b"host"), 80)[1]


def _page_scheme(scope: Scope) -> str:
    """The scheme of the page that asks: a WebSocket's own is another one."""
    scheme = str(scope["scheme"])
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


@lru_cache(maxsize=32)
def _split_host(host: str, default_port: int) -> tuple[str, int]:
    """Name and port of a Host header; the name of an IPv6 address keeps its brackets.

    >>> _split_host("[::1]:8000", 80), _split_host("localhost", 80)
    (('[::1]', 8000), ('localhost', 80))
    """
    match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:/@]+)(?::(\d{1,5}))?", host.lower())
    return (match[1], int(match[2] or default_port)) if match else ("", -1)


def _bracketed(name: str) -> str:
    try:
        return f"[{name}]" if ipaddress.ip_address(name).version == 6 else name
    except ValueError:
        return name.lower()
