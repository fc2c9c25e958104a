"""Every check that a request passes before anything answers it, in order: the one list of them."""

from starlette.middleware import Middleware
from starlette.types import ASGIApp

from lab_app.api.limits import BodyLimit
from lab_app.api.security import OwnHost, SafeHeaders, Secret
from lab_app.settings import Settings


def checks(settings: Settings) -> list[Middleware]:
    """The checks in the order they run: the first sees the request first and the answer last."""
    return [
        Middleware(SafeHeaders),
        Middleware(OwnHost, allowed_hosts=settings.allowed_hosts),
        Middleware(Secret, token=settings.token),
        Middleware(BodyLimit, max_bytes=int(settings.max_request_mb * 1e6)),
    ]


def checked(app: ASGIApp, settings: Settings) -> ASGIApp:
    """`app` behind all of them."""
    for check in reversed(checks(settings)):
        app = check.cls(app, *check.args, **check.kwargs)
    return app
