"""Routes that read and write JSON in the thread of their endpoint.

FastAPI parses bodies, validates answers and writes them on the event loop, where a text of 10 MB holds up every other
request. Here an endpoint takes its body as a parameter of a pydantic model and returns a dataclass; both are part of the
interface's description (`/docs`). Not here: reading a body (`bodies`), answers that are no JSON, which an endpoint returns
as a `Response` of its own, small requests that are answered on the event loop all the same (`quick_start.quick`).

The engine's calls for one request, before its answer begins, share the limits of one call, and end when its client leaves:
nobody reads the answer. Endpoints that are coroutines, and quick answers, have no such call: each call of the engine has one.
"""

import asyncio
import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import BaseModel

from lab_app.api.answers import json_response
from lab_app.api.bodies import RawBody, parse
from lab_app.api.examples import BODIES
from lab_app.api.handlers import RESPONSES
from lab_app.engine import Call
from lab_app.errors import LabError

API = "/api/v1"
"""What the path of every call of the interface begins with."""

Endpoint = Callable[..., Any]

ADDED_TOKENS = 1 << 22
"""The most tokens that padding, overlapping parts and templates may add in one request: some 100 MB."""

REQUEST = "_request"
"""The parameter in which FastAPI hands the request over to an endpoint that takes none: it fills one such parameter alone."""


class JsonRoute(APIRoute):
    """A route whose endpoint may be `def read(lab: TheLab, body: ReadBody) -> Reading`."""

    def __init__(self, path: str, endpoint: Endpoint, **options: Any) -> None:
        signature = inspect.signature(endpoint, eval_str=True)
        bodies = {name: each.annotation for name, each in signature.parameters.items() if _is_model(each.annotation)}
        for name, model in bodies.items():
            content = {"application/json": {"schema": _schema(model), **_example(path, options)}}
            options["openapi_extra"] = {"requestBody": {"required": True, "content": content}}
            parameters = [
                each.replace(annotation=RawBody) if each.name == name else each
                for each in signature.parameters.values()
            ]
            signature = signature.replace(parameters=parameters)
        status = options.get("status_code") or 200
        if inspect.iscoroutinefunction(endpoint):
            wrapped = _async_wrapper(endpoint, bodies, status)
        else:
            own = next((each.name for each in signature.parameters.values() if each.annotation is Request), None)
            wrapped = _wrapper(endpoint, bodies, status, own)
            signature = signature if own else _with_request(signature)
        wrapped.__signature__ = signature  # type: ignore[attr-defined]
        super().__init__(path, wrapped, **options)


def json_router(tag: str) -> APIRouter:
    """A router whose routes have their whole path, so that an app takes them as they are.

    `FastAPI.include_router` builds every route again for each app, at its first request and on the event loop: 0.4 s.
    """
    return APIRouter(
        prefix=API, tags=[tag], route_class=JsonRoute, responses=RESPONSES, generate_unique_id_function=call_name
    )


def call_name(route: APIRoute) -> str:
    """The name of a call in the interface's description, from which clients make the names of functions.

    >>> call_name(APIRoute("/api/v1/analyses/{id}/figures", print, methods=["GET"]))
    'get_analyses_id_figures'
    """
    words = re.findall(r"\w+", route.path_format.removeprefix(API))
    return "_".join([*(each.lower() for each in sorted(route.methods or ())), *words])


def _schema(model: type[BaseModel]) -> Any:
    """The JSON schema of a body without `$defs`: a reference to them would have no target in the whole description."""
    whole = model.model_json_schema()
    parts = whole.pop("$defs", {})

    def inlined(value: Any) -> Any:
        if isinstance(value, list):
            return [inlined(each) for each in value]
        if not isinstance(value, dict):
            return value
        part = parts.get(str(value.get("$ref", "")).removeprefix("#/$defs/"))
        if part is not None:
            value = {**part, **{name: each for name, each in value.items() if name != "$ref"}}
        return {name: inlined(each) for name, each in value.items()}

    return inlined(whole)


def _example(path: str, options: dict[str, Any]) -> dict[str, Any]:
    """The example of a call's body, as the description has it; nothing without one."""
    names = (f"{method} {path.removeprefix(API)}" for method in options.get("methods") or ())
    return next(({"example": BODIES[name]} for name in names if name in BODIES), {})


def _is_model(annotation: object) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)


def _with_request(signature: inspect.Signature) -> inspect.Signature:
    request = inspect.Parameter(REQUEST, inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    return signature.replace(parameters=[*signature.parameters.values(), request])


def _wrapper(endpoint: Endpoint, bodies: dict[str, type[BaseModel]], status: int, own_request: str | None) -> Endpoint:
    def work(values: dict[str, Any]) -> Response:
        for name, model in bodies.items():
            values[name] = parse(model, values[name])
        return _response(endpoint(**values), status)

    @wraps(endpoint)
    async def answer(**values: Any) -> Response:
        request: Request = values[own_request] if own_request else values.pop(REQUEST)
        call = Call(added_tokens=ADDED_TOKENS)
        watching = asyncio.ensure_future(_cancel_when_gone(request, call))
        try:
            response: Response = await run_in_threadpool(call.run, partial(work, values))
            return response
        finally:
            watching.cancel()

    return answer


async def _cancel_when_gone(request: Request, call: Call) -> None:
    """Cancels the call when the client leaves. The body has been read: what else arrives can only say that, or be too much."""
    with suppress(LabError):
        while (await request.receive())["type"] != "http.disconnect":
            pass
    call.cancel()


def _async_wrapper(endpoint: Endpoint, bodies: dict[str, type[BaseModel]], status: int) -> Endpoint:
    @wraps(endpoint)
    async def answer(**values: Any) -> Response:
        for name, model in bodies.items():
            values[name] = await run_in_threadpool(parse, model, values[name])
        return await run_in_threadpool(_response, await endpoint(**values), status)

    return answer


def _response(value: object, status: int) -> Response:
    if isinstance(value, Response):
        return value
    return Response(status_code=status) if status == 204 else json_response(value, status)
