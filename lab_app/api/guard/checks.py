"""The list of checks that every request passes before it is answered, in order."""

from starlette.middleware import Middleware
from starlette.types import ASGIApp

from lab_app.api.guard.limits import MaxBodySizeMiddleware
from lab_app.api.guard.security import HostOriginMiddleware, SecurityHeadersMiddleware, TokenAuthMiddleware
from lab_app.settings import Settings


def security_middleware(settings: Settings) -> list[Middleware]:
    """The checks in order: the first sees the request first and the answer last."""
    return [
        Middleware(SecurityHeadersMiddleware),
        Middleware(HostOriginMiddleware, allowed_hosts=settings.allowed_hosts),
        Middleware(TokenAuthMiddleware, token=settings.token),
        Middleware(MaxBodySizeMiddleware, max_bytes=int(settings.max_request_mb * 1e6)),
    ]


def checked(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Puts `app` behind all of them."""
    for check in reversed(security_middleware(settings)):
        app = check.cls(app, *check.args, **check.kwargs)
    return app
