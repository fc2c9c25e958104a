"""Routes that read and write JSON in the thread of their endpoint.

FastAPI parses bodies, validates answers and writes them on the event loop, where a text of 10 MB holds up every other
request. Here an endpoint takes its body as a parameter of a pydantic model and returns a dataclass; both are part of the
interface's description (`/docs`). Not here: reading a body (`bodies`), answers that are no JSON, which an endpoint returns
as a `Response` of its own, small requests that are answered on the event loop all the same (`quick`).
"""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import BaseModel

from lab_app.api.answers import json_response
from lab_app.api.bodies import RawBody, parse
from lab_app.api.handlers import RESPONSES

API = "/api/v1"
"""What the path of every call of the interface begins with."""

Endpoint = Callable[..., Any]


class JsonRoute(APIRoute):
    """A route whose endpoint may be `def read(lab: TheLab, body: ReadBody) -> Reading`."""

    def __init__(self, path: str, endpoint: Endpoint, **options: Any) -> None:
        signature = inspect.signature(endpoint, eval_str=True)
        bodies = {name: each.annotation for name, each in signature.parameters.items() if _is_model(each.annotation)}
        for name, model in bodies.items():
            content = {"application/json": {"schema": _schema(model)}}
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
            wrapped = _wrapper(endpoint, bodies, status)
        wrapped.__signature__ = signature  # type: ignore[attr-defined]
        super().__init__(path, wrapped, **options)


def json_router(tag: str) -> APIRouter:
    """A router whose routes have their whole path, so that an app takes them as they are.

    `FastAPI.include_router` builds every route again for each app, at its first request and on the event loop: 0.4 s.
    """
    return APIRouter(prefix=API, tags=[tag], route_class=JsonRoute, responses=RESPONSES)


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


def _is_model(annotation: object) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)


def _wrapper(endpoint: Endpoint, bodies: dict[str, type[BaseModel]], status: int) -> Endpoint:
    @wraps(endpoint)
    def answer(**values: Any) -> Response:
        for name, model in bodies.items():
            values[name] = parse(model, values[name])
        return _response(endpoint(**values), status)

    return answer


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
