"""Calls that are answered on the event loop, before routing: small bodies whose work takes a fraction of a millisecond.

Choosing a route, solving its dependencies and changing to a thread take several times as long as encoding a page of text.
An endpoint marked `quick` has a function beside it that gives its answer if it can do so at once. It stays the endpoint of
its route, which describes it and answers every other request for it.
Not here: the checks of a request (`guard.checks`), which come before this; the routes (`json_route`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from lab_app.api.bodies import parse
from lab_app.api.errors import response_of
from lab_app.api.quick_start.small_bodies import again, is_small, read_body
from lab_app.api.request_log import note
from lab_app.errors import LabError
from lab_app.services.lab import Lab

QUICK_BYTES = 4096
"""The largest body that is answered on the event loop."""

Endpoint = TypeVar("Endpoint", bound=Callable[..., Response])
Body = TypeVar("Body", bound=BaseModel)
Answering = Callable[[Request, Lab, Body], Response | None]


@dataclass(frozen=True)
class QuickCall(Generic[Body]):
    """How the event loop answers the calls of one route."""

    answering: Answering[Body]
    """The answer of the route's endpoint; None where it may take long."""
    model: type[Body]

    def answer(self, request: Request, lab: Lab, body: bytes) -> Response | None:
        """The answer; None if it may take long."""
        try:
            return self.answering(request, lab, parse(self.model, body))
        except LabError as error:
            return response_of(error)


def quick(model: type[Body], answering: Answering[Body]) -> Callable[[Endpoint], Endpoint]:
    """Marks the endpoint of a POST route, which takes a body of `model`; `answering` answers its quick calls."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.quick = QuickCall(answering, model)  # type: ignore[attr-defined]
        return endpoint

    return mark


def quick_calls(routes: Iterable[BaseRoute]) -> dict[str, QuickCall[Any]]:
    """Maps the paths of `routes` to what answers their quick calls."""
    own = [route for route in routes if isinstance(route, APIRoute)]
    return {route.path: route.endpoint.quick for route in own if hasattr(route.endpoint, "quick")}


class QuickCallsMiddleware:
    """Answers quick calls; passes every other request on."""

    def __init__(self, app: ASGIApp, lab: Lab, calls: dict[str, QuickCall[Any]]) -> None:
        self.app = app
        self.lab = lab
        self.calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        call = self.calls.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if call is None or not is_small(scope, QUICK_BYTES):
            await self.app(scope, receive, send)
            return
        note(scope, path=scope["path"])
        body = await read_body(receive)
        if body is None:
            return
        response = call.answer(Request(scope, receive), self.lab, body)
        if response is None:
            await self.app(scope, again(body, receive), send)
        else:
            await response(scope, receive, send)
