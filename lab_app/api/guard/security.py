"""Who may talk to the server: the right Host, the right Origin, the secret of this run; and what a page may do.

Each check is one ASGI middleware; `checks.py` lists them in the order they run. There are no CORS headers: no other page
may read anything here. Not here: the size of a body (`limits`).

* Host: a web page of another site can make its name resolve to 127.0.0.1 and then talk to us as its own site (DNS
  rebinding). Its requests still carry that site's name in Host.
* Origin: a request that another page sends carries that page's origin.
* Sec-Fetch-Site: a browser says whether another page made it send the request. This covers images, frames and other
  requests that carry no Origin. All ports of a host are one site to a browser, so `same-site` is another page, too.
* Policy of the page: `blob:` is there for images because the page makes its PNG files of a picture that it drew itself; such
  an address names data of the page and can lead nowhere else.
* Secret: other users of the machine, and other programs in a browser, do not have it: it is on no command line
  (`lab_app.desktop.browser`). It is compared in constant time. Programs send it as a bearer token.
* Person: each token of `people` opens what the secret opens. The path and the cookie of a person are derived from the digest of the
  token with the secret, so that who reads the file of digests can derive neither.
* Cookie: a browser sends a cookie to every port of its host, whoever listens there. So the page lives under a path that
  nobody can guess (`page_path`), and the browser sends the cookie only with addresses under that path. A server on another
  port sees neither. The cookie's value is derived from the secret, counts only together with the path, and is no bearer token.
"""

import hmac
import html
import ipaddress
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qs, urlencode

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app.api.errors import response_of, status_of
from lab_app.api.guard.people import digest_of
from lab_app.api.request_log import note
from lab_app.errors import Forbidden, LabError, Unauthorized

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
OPEN = re.compile(r"/healthz|/readyz|/guide(/.*)?")
"""Paths that need no secret: they tell nothing of this run."""
ASKING = ("http", "websocket")  # what asks for something; the server's own start and end do not
COOKIE = "tokenlab"
OWN_SITES = ("", "same-origin", "none")
"""Values of Sec-Fetch-Site for requests of the lab's own page, of the user (an address typed in) and of programs."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
LEAD_ON = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}"><title>Tokenization Laboratory</title>'
REFUSED = """<!doctype html><meta charset="utf-8"><title>Tokenization Laboratory</title>
<script nonce="{nonce}">
  // The page of the lab stores its path; only pages of this host and port can read it.
  const path = location.pathname === '/' && localStorage.getItem('lab-path');
  if (path) location.replace(path + location.search + location.hash);
</script>
<h1>{message}</h1><p>{hint}</p>
"""
REFUSED_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def new_nonce() -> str:
    """A word that marks the styles of one page as its own."""
    return secrets.token_urlsafe(16)


def page_policy(nonce: str) -> str:
    """The Content-Security-Policy of a page: its own scripts and styles, nothing inline, nothing from elsewhere."""
    return PAGE_POLICY.format(nonce=nonce)


def page_path(token: str) -> str:
    """The path under which the page of a run is served. Only the browser that was let in with the secret knows it.

    >>> len(page_path("T"))
    34
    """
    return f"/{_derived(token, 'path')}/"


def cookie_value(token: str) -> str:
    """The value of the cookie of a run."""
    return _derived(token, "cookie")


def _derived(token: str, purpose: str) -> str:
    """128 bits that tell nothing about the secret, as hex digits."""
    return hmac.new(token.encode(), purpose.encode(), "sha256").hexdigest()[:32]


def header(scope: Scope, name: bytes) -> str:
    """The first header of a request by that name, which is lower-case; empty without one.

    Every request is asked for some, so this makes no object of them as `Headers` does.

    >>> header({"headers": [(b"host", b"localhost"), (b"accept", b"*/*")]}, b"accept")
    '*/*'
    """
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


class SecurityHeadersMiddleware:
    """Sets on every answer what keeps a browser from guessing types, leaking addresses or framing the page.

    Those of `ALWAYS` replace a header of that name; those of `BY_DEFAULT` are added to answers without one.
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
        # Links lead to "/", which shows nothing without the secret.
        if header(scope, b"sec-fetch-site") not in OWN_SITES and scope["path"] != "/":
            return Forbidden("another page may not call the lab", "open the full address that the lab printed")
        return None

    def _is_own(self, host: str, scope: Scope) -> bool:
        # Names only: a page of another site keeps its own name in Host, and the port differs where it is forwarded.
        name = _name_of(host)
        server_name = (scope.get("server") or ("",))[0]
        return host in self.allowed or name in self.allowed or name in LOOPBACK or name == _bracketed(server_name)


@dataclass(frozen=True)
class _Visitor:
    """Who has a token: a person, or whoever started the lab, whose name is empty."""

    name: str
    page_path: str
    cookie: str


class TokenAuthMiddleware:
    """Refuses a request without the secret of this run or a token of `people`, whose names it has by digest.
    `/?token=T` sets the cookie and leads to the page.

    Requests below the path of the page are passed on without it, as `root_path`.
    """

    def __init__(self, app: ASGIApp, token: str, people: Mapping[str, str] | None = None) -> None:
        self.app = app
        self.token = token
        self._owner = _Visitor("", page_path(token), cookie_value(token))
        self._people = {
            digest: _Visitor(name, f"/{_derived(token, f'path {digest}')}/", _derived(token, f"cookie {digest}"))
            for digest, name in (people or {}).items()
        }
        self._by_path = {each.page_path: each for each in self._people.values()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on or answers 401; `/?token=T` answers with the cookie and the page's address."""
        if scope["type"] not in ASKING or OPEN.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        opening = self._with_token(_query(scope)["token"][0]) if _is_opening(scope) else None
        if opening is not None:
            note(scope, path="/", person=opening.name)
            await self._welcome(scope, opening)(scope, receive, send)
            return
        at_page = self._at_page(scope["path"])
        visitor = self._with_token(_bearer(scope))
        if visitor is None and at_page is not None and _has_cookie(scope, at_page):
            visitor = at_page
        if visitor is None:
            await _refused(scope)(scope, receive, send)
            return
        note(scope, person=visitor.name)
        if at_page is not None:
            below = len(at_page.page_path) - 1
            scope = {**scope, "path": scope["path"][below:], "root_path": at_page.page_path[:-1]}
        await self.app(scope, receive, send)

    def _with_token(self, token: str) -> _Visitor | None:
        if _same(token, self.token):
            return self._owner
        return self._people.get(digest_of(token)) if self._people and token else None

    def _at_page(self, path: str) -> _Visitor | None:
        """Whose page a path belongs to. All have the same length."""
        beginning = path[: len(self._owner.page_path)]
        return self._owner if _same(beginning, self._owner.page_path) else self._by_path.get(beginning)

    def _welcome(self, scope: Scope, visitor: _Visitor) -> Response:
        """Sends the browser to the page's plain address, so that the secret stays in no history."""
        query = _query(scope)
        rest = urlencode([(key, value) for key, values in query.items() for value in values if key != "token"])
        plain = visitor.page_path + (f"?{rest}" if rest else "")
        # Another page led here (the file that opens the browser, a link in a text): the browser then sends no strict cookie
        # along with a redirect, but does with what a page of the lab itself leads to.
        if header(scope, b"sec-fetch-site") not in OWN_SITES:
            response: Response = HTMLResponse(LEAD_ON.format(address=html.escape(plain)))
        else:
            response = RedirectResponse(plain, 303)
        response.set_cookie(
            COOKIE,
            visitor.cookie,
            path=visitor.page_path,
            httponly=True,
            samesite="strict",
            secure=_page_scheme(scope) == "https",
        )
        return response


def _has_cookie(scope: Scope, visitor: _Visitor) -> bool:
    # Not only the first by this name: a server on another port can set one for all paths.
    expected = f"{COOKIE}={visitor.cookie}"
    return any(_same(each.strip(), expected) for each in header(scope, b"cookie").split(";"))


def _is_opening(scope: Scope) -> bool:
    """Whether the request is the first of a browser: `/?token=`."""
    return scope["path"] == "/" and scope.get("method") == "GET" and "token" in _query(scope)


def _same(given: str, right: str) -> bool:
    """Compares secrets in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), right.encode())


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
        nonce = new_nonce()
        message, hint = (html.escape(each.capitalize()) for each in (error.message, error.hint))
        shown = REFUSED.format(nonce=nonce, message=message, hint=hint)
        policy = {"Content-Security-Policy": REFUSED_POLICY.format(nonce=nonce)}
        response = HTMLResponse(shown, status_of(error), policy)
    response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _bearer(scope: Scope) -> str:
    scheme, _, value = header(scope, b"authorization").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else ""


def _page_scheme(scope: Scope) -> str:
    """The scheme of the page that asks: a WebSocket's own is another one."""
    scheme = str(scope["scheme"])
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


@lru_cache(maxsize=32)
def _name_of(host: str) -> str:
    """The name in a Host header, without its port; empty if there is none. An IPv6 address keeps its brackets.

    >>> _name_of("[::1]:8000"), _name_of("localhost"), _name_of("a:b")
    ('[::1]', 'localhost', '')
    """
    match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:/@]+)(?::\d{1,5})?", host.lower())
    return match[1] if match else ""


def _bracketed(name: str) -> str:
    try:
        return f"[{name}]" if ipaddress.ip_address(name).version == 6 else name
    except ValueError:
        return name.lower()
