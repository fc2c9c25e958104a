"""Routes that read and write JSON in the thread of their endpoint.

FastAPI parses bodies, validates answers and writes them on the event loop, where a text of 10 MB holds up every other
request. Here an endpoint takes its body as a parameter of a pydantic model and returns a dataclass; both are part of the
interface's description (`/docs`). An endpoint marked `quick` answers on the event loop all the same where its body is small
and it says that its work is. Not here: reading a body (`bodies`), answers that are no JSON, which an endpoint returns
as a `Response` of its own.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import BaseModel

from lab_app.api.bodies import RawBody, parse
from lab_app.json_text import json_text

Endpoint = Callable[..., Any]
QUICK_BYTES = 4096
"""The largest body that is answered on the event loop."""


def quick(is_quick: Callable[..., bool]) -> Callable[[Endpoint], Endpoint]:
    """Marks an endpoint that answers a small body on the event loop if `is_quick` says so of the endpoint's own arguments.

    A change of thread takes longer than encoding a page of text, and threads wait for each other's interpreter lock.
    """

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.is_quick = is_quick  # type: ignore[attr-defined]
        return endpoint

    return mark


class JsonRoute(APIRoute):
    """A route whose endpoint may be `def read(lab: TheLab, body: ReadBody) -> Reading`."""

    def __init__(self, path: str, endpoint: Endpoint, **options: Any) -> None:
        signature = inspect.signature(endpoint, eval_str=True)
        bodies = {name: each.annotation for name, each in signature.parameters.items() if _is_model(each.annotation)}
        for name, model in bodies.items():
            content = {"application/json": {"schema": model.model_json_schema()}}
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
            if is_quick := getattr(endpoint, "is_quick", None):
                wrapped = _quick_wrapper(endpoint, wrapped, bodies, status, is_quick)
        wrapped.__signature__ = signature  # type: ignore[attr-defined]
        super().__init__(path, wrapped, **options)


def json_response(value: object, status: int = 200) -> Response:
    """An answer in JSON, for endpoints that choose the status themselves."""
    return Response(json_text(value), status, media_type="application/json")


def _is_model(annotation: object) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, BaseModel)


def _wrapper(endpoint: Endpoint, bodies: dict[str, type[BaseModel]], status: int) -> Endpoint:
    @wraps(endpoint)
    def answer(**values: Any) -> Response:
        for name, model in bodies.items():
            values[name] = parse(model, values[name])
        return _response(endpoint(**values), status)

    return answer


def _quick_wrapper(
    endpoint: Endpoint, slow: Endpoint, bodies: dict[str, type[BaseModel]], status: int, is_quick: Callable[..., bool]
) -> Endpoint:
    @wraps(endpoint)
    async def answer(**values: Any) -> Response:
        if all(len(values[name]) <= QUICK_BYTES for name in bodies):
            parsed = {name: parse(model, values[name]) for name, model in bodies.items()}
            if is_quick(**values | parsed):
                return _response(endpoint(**values | parsed), status)
        return await run_in_threadpool(slow, **values)

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
