"""The list of checks that every request passes before it is answered, in order."""

from starlette.middleware import Middleware
from starlette.types import ASGIApp

from lab_app.api.drain import Drain
from lab_app.api.guard.drain import DrainMiddleware
from lab_app.api.guard.limits import MaxBodySizeMiddleware
from lab_app.api.guard.people import read_people
from lab_app.api.guard.security import HostOriginMiddleware, SecurityHeadersMiddleware, TokenAuthMiddleware
from lab_app.api.request_log import RequestLogMiddleware, logs_requests
from lab_app.settings import Settings


def security_middleware(settings: Settings, drain: Drain | None = None) -> list[Middleware]:
    """The checks in order: the first sees the request first and the answer last. `drain` is that of the server.

    Raises BadValue for a file of tokens that cannot be used.
    """
    return [
        *([Middleware(RequestLogMiddleware)] if logs_requests(settings) else []),
        Middleware(SecurityHeadersMiddleware),
        Middleware(HostOriginMiddleware, allowed_hosts=settings.allowed_hosts),
        Middleware(DrainMiddleware, drain=drain or Drain()),
        Middleware(TokenAuthMiddleware, token=settings.token, people=read_people(settings.tokens_file)),
        Middleware(MaxBodySizeMiddleware, max_bytes=int(settings.max_request_mb * 1e6)),
    ]


def checked(app: ASGIApp, settings: Settings, drain: Drain | None = None) -> ASGIApp:
    """Returns `app` with all checks in front of it. Raises BadValue for a file of tokens that cannot be used."""
    for check in reversed(security_middleware(settings, drain)):
        app = check.cls(app, *check.args, **check.kwargs)
    return app
