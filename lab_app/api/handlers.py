"""What FastAPI, pydantic and the services raise, as errors in the one shape."""

import json
import logging
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab_app import errors
from lab_app.api.errors import ErrorAnswer, response_of
from lab_app.api.request_log import note
from lab_app.engine import EngineError
from lab_app.services.engine_errors import translated

# For the interactive pages: what any call may answer.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "model": ErrorAnswer,
        "description": "An error",
        "content": {
            "application/json": {
                "example": errors.NotFound(
                    'there is no tokenizer "gpt9"', "the Library lists all tokenizers and can add others"
                ).as_json()
            }
        },
    }
}


def bad_value(error: ValidationError, body: bytes) -> errors.LabError:
    """What pydantic found wrong with `body`, as the lab's own error: the first fault, with its place."""
    faults = [dict(fault) for fault in error.errors(include_url=False, include_input=False)]
    surrogate = _surrogate(body) if faults[0]["type"] == "json_invalid" else None
    return surrogate or _bad_value(faults)


def unexpected_error(error: Exception) -> errors.LabError:
    """What is said of an error that nobody thought of; the terminal says all of it."""
    logging.getLogger(__name__).error("unexpected error", exc_info=error)
    if isinstance(error, OSError):  # a full disk, a file that vanished: whatever no call foresaw
        place = f"{error.filename}: " if error.filename else ""
        if error.errno in errors.NO_ROOM:
            return errors.DiskFull(f"{place}{errors.reason(error)}", "free some space")
        return errors.Unavailable(f"{place}{errors.reason(error)}", "check the permissions")
    return errors.LabError("the lab failed unexpectedly", "report it with the details that its terminal shows")


class LastResort:
    """Answers an error that nobody thought of, and logs it once: given to FastAPI as a handler, it would be raised again
    and logged by the server too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on. After the beginning of an answer an error can only end the connection: the server does
        that, and logs it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            _note_route(scope)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            if started:
                raise
            await response_of(unexpected_error(error))(scope, receive, send)
        finally:
            _note_route(scope)


def _note_route(scope: Scope) -> None:
    """Says in the log which route was asked. The router has put it there."""
    if (pattern := getattr(scope.get("route"), "path", None)) is not None:
        note(scope, path=pattern)


def install(app: FastAPI) -> None:
    """Makes `app` answer every error in the one shape."""

    async def lab_error(_request: Request, error: Exception) -> Response:
        assert isinstance(error, errors.LabError)
        return response_of(error)

    async def engine_error(_request: Request, error: Exception) -> Response:
        return response_of(translated(error) or unexpected_error(error))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = list(error.errors())
        # `GET /benchmarks/growth` is of `/benchmarks/{id}` to the router, and of an address without GET to its caller.
        if faults[0]["loc"][0] == "path" and (methods := _methods(app, request.scope, whole=True)):
            return _not_allowed(methods)
        return response_of(_bad_value(faults))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return _not_allowed(_methods(app, request.scope))
        return response_of(_of_status(error.status_code, str(error.detail)))

    async def gone(_request: Request, _error: Exception) -> Response:
        # The client hung up while it was still sending: nobody reads the answer.
        return Response(status_code=400)

    app.add_exception_handler(errors.LabError, lab_error)
    app.add_exception_handler(EngineError, engine_error)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(ClientDisconnect, gone)


def _not_allowed(methods: list[str]) -> Response:
    error = errors.NotAllowed("this address does not support this method", "/docs lists the supported methods")
    response = response_of(error)
    response.headers["Allow"] = ", ".join(methods)
    return response


def _methods(app: FastAPI, scope: Scope, *, whole: bool = False) -> list[str]:
    """The methods of all routes that have the address; `whole`: without those that have it as a value of theirs."""
    routes = [route for route in app.routes if isinstance(route, Route) and not (whole and "{" in route.path)]
    here = [route for route in routes if route.matches(scope)[0] is not Match.NONE]
    return sorted({method for route in here for method in route.methods or ()})


def _of_status(status: int, detail: str) -> errors.LabError:
    if status == 404:
        return errors.NotFound("this address does not exist", "/docs lists all addresses")
    return errors.BadRequest(detail)


def _bad_value(faults: list[dict[str, Any]]) -> errors.LabError:
    fault = faults[0]
    said = str(fault["msg"])
    if fault["type"] == "json_invalid":
        return errors.BadRequest(f"the body is not JSON: {said}", "send a JSON object in UTF-8")
    # FastAPI begins a place with the part of the request it is in, pydantic does not.
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    if fault["type"] == "missing":
        return errors.BadValue(f"{place} is missing", "/docs describes this call")
    if fault["type"] == "extra_forbidden":
        return errors.BadValue(f'unknown field "{place}"', "/docs describes this call")
    return errors.BadValue(f"{place}: {said}" if place else said, "/docs describes this call")


def _surrogate(body: bytes) -> errors.LabError | None:
    """The error where `body` is JSON but for half a surrogate pair. Python's parser takes one, pydantic's does not."""
    try:
        found = _half_pair(json.loads(body), "")
    except (ValueError, RecursionError):
        return None
    if found is None:
        return None
    return errors.BadValue(
        f"{found} is half of a surrogate pair",
        "send whole characters; a text split inside an emoji has this fault",
    )


def _half_pair(value: object, place: str) -> str | None:
    """Where, and which, the first lone surrogate in a JSON value is; None without one."""
    if isinstance(value, str):
        match = re.search("[\ud800-\udfff]", value)
        return match and f"{place}: character {match.start()}, \\u{ord(match[0]):04x},"
    if isinstance(value, dict):
        parts = ((f"{place}.{key}".strip("."), each) for key, each in value.items())
    elif isinstance(value, list):
        parts = ((f"{place}[{number}]", each) for number, each in enumerate(value))
    else:
        return None
    return next((found for where, each in parts if (found := _half_pair(each, where))), None)
