"""A request whose client leaves uses the processor no longer."""

import asyncio

from fastapi import APIRouter, FastAPI

from lab_app.api.json_route import JsonRoute
from lab_app.engine import CallCancelled, Tokenizer
from lab_app.errors import Cancelled
from lab_app.services.engine_errors import translate_engine_errors


def test_the_engine_stops_when_the_client_leaves():
    works, ended, messages = asyncio.Event(), [], []
    tokenizer = Tokenizer.builtin("gpt2")
    app, router = FastAPI(), APIRouter(route_class=JsonRoute)

    @router.get("/long")
    def long() -> str:
        loop.call_soon_threadsafe(works.set)
        try:
            while True:  # the engine alone ends it
                with translate_engine_errors():
                    tokenizer.encode_ids("some words " * 1000)
        except Cancelled as error:
            ended.append(error)
            return "nobody reads this"

    app.include_router(router)
    request = {
        "type": "http",
        "method": "GET",
        "path": "/long",
        "query_string": b"",
        "headers": [],
        "http_version": "1.1",
    }

    async def receive():
        if not messages:
            messages.append("body")
            return {"type": "http.request", "body": b"", "more_body": False}
        await works.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        messages.append(message)

    async def call():
        nonlocal loop
        loop = asyncio.get_running_loop()
        await app(request, receive, send)

    loop = None
    asyncio.run(call())
    assert [type(error.__cause__) for error in ended] == [CallCancelled]
