import asyncio
import json
import logging
from typing import Annotated, get_args

import pytest
from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from httpx2 import ASGITransport, AsyncClient
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.websockets import WebSocket

from lab_app.api import bodies
from lab_app.api.app import ROUTES, create_app
from lab_app.api.requests import Body
from lab_app.api.routes import documents
from lab_app.api.uploads import sent_files

BIG = b'{"tokenizer": "gpt2", "text": "' + b"x" * 1_000_001 + b'"}'


def test_a_body_that_says_it_is_too_large_is_refused(client, refused):
    error = refused(client.post("/api/v1/tokenize", content=BIG), 413, "too_large")
    assert "1 MB" in error["message"] and "TOKENLAB_MAX_REQUEST_MB" in error["hint"]


def test_a_body_that_grows_too_large_is_refused(client, refused):
    chunks = (BIG[start : start + 65_536] for start in range(0, len(BIG), 65_536))
    refused(client.post("/api/v1/tokenize", content=chunks), 413, "too_large")


def test_a_file_that_is_too_large_is_refused(client, refused):
    refused(client.post("/api/v1/tokenizers/files", files=[("files", ("vocab.txt", BIG))]), 413, "too_large")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("decode", b'{"tokenizer": "gpt2", "ids": [%b1]}' % (b"1," * 50)),
        ("decode_batch", b'{"tokenizer": "gpt2", "batch": [%b[]]}' % (b"[]," * 50)),
        ("tokenize_batch", b'{"tokenizer": "gpt2", "texts": [%b""]}' % (b'"",' * 50)),
        ("tokenize_batch", b'{"tokenizer": "gpt2", "texts": [%b""]}' % (rb'"\\\"",' * 50)),
        ("tokenize", b'{"tokenizer": "gpt2", "text": "a", %b"a": 1}' % (b'"a":"",' * 50)),
    ],
)
def test_a_body_of_too_many_values_is_refused(client, refused, monkeypatch, path, body):
    """Parsed, the values would take many times the memory of the body."""
    monkeypatch.setattr(bodies, "MAX_VALUES", 50)
    error = refused(client.post(f"/api/v1/{path}", content=body), 413, "too_large")
    assert "50 values" in error["message"] and "several requests" in error["hint"]


@pytest.mark.parametrize("text", ["," * 100, '",' * 50, '\\",' * 50])
def test_commas_of_a_text_are_no_values(client, monkeypatch, text):
    monkeypatch.setattr(bodies, "MAX_VALUES", 50)
    assert client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": text}).status_code == 200


def test_a_body_of_the_largest_size_is_taken(client):
    body = b'{"tokenizer": "gpt2", "text": ""}'
    body += b" " * (1_000_000 - len(body))
    assert client.post("/api/v1/tokenize", content=body).status_code == 200


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (rb'{"tokenizer": "gpt2", "text": "a\ud83d"}', "text: character 1, \\ud83d"),
        (rb'{"tokenizer": "gpt2", "text": "\ud83d b"}', "text: character 0"),
        (rb'{"tokenizer": "gpt2", "text": "a\udc00b"}', "text: character 1, \\udc00"),
        (rb'{"tokenizer": "gpt2", "text": "\udc00\ud83d"}', "text: character 0"),
    ],
)
def test_half_a_character_is_refused_with_its_place(client, refused, body, place):
    error = refused(client.post("/api/v1/tokenize", content=body), 422, "bad_request")
    assert place in error["message"] and "surrogate" in error["message"] and "emoji" in error["hint"]


def test_half_a_character_in_a_batch_is_found(client, refused):
    body = rb'{"tokenizer": "gpt2", "texts": ["fine", "\ud83d\udc69", "a\ud83d"]}'
    assert (
        "texts[2]: character 1"
        in refused(client.post("/api/v1/tokenize_batch", content=body), 422, "bad_request")["message"]
    )


def test_a_whole_pair_is_a_character(client):
    body = rb'{"tokenizer": "gpt2", "text": "\ud83d\udc69"}'
    assert client.post("/api/v1/tokenize", content=body).json()["text_characters"] == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("documents/x/edits", b'{"version": true, "start_utf16": 0, "end_utf16": 0, "text": ""}'),
        ("documents/x/edits", b'{"version": 1, "start_utf16": 0, "end_utf16": false, "text": ""}'),
        ("decode", b'{"tokenizer": "gpt2", "ids": [true]}'),
        ("decode", b'{"tokenizer": "gpt2", "ids": ["1"]}'),
        ("tokenize", b'{"tokenizer": "gpt2", "text": "a", "stride": false}'),
        ("tokenize", b'{"tokenizer": "gpt2", "text": "a", "add_special_tokens": 1}'),
    ],
)
def test_a_value_of_another_type_is_refused(client, refused, path, body):
    refused(client.post(f"/api/v1/{path}", content=body), 422, "bad_request")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'"a"', b'{"tokenizer": "gpt2", "text": "\xff"}', b"[" * 5000, b'{"text": NaN}']
)
def test_what_is_no_json_object_is_refused(client, refused, body):
    response = client.post("/api/v1/tokenize", content=body)
    refused(response, response.status_code, "bad_request")
    assert response.status_code in (400, 422)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"tokenizer": "gpt2"}, "text is missing"),
        ({"tokenizer": "gpt2", "text": 3}, "text: "),
        ({"tokenizer": "gpt2", "text": "a", "specials": "maybe"}, "specials: "),
        ({"tokenizer": "gpt2", "text": "a", "special": "text"}, 'unknown field "special"'),
    ],
)
def test_a_wrong_field_is_named(client, refused, body, place):
    assert place in refused(client.post("/api/v1/tokenize", json=body), 422, "bad_request")["message"]


def test_a_wrong_address_or_method_has_the_one_shape_too(client, refused):
    refused(client.get("/api/v1/nothing"), 404, "not_found")
    refused(client.get("/api/v1/tokenize"), 405, "method_not_allowed")
    refused(client.post("/js/main.js"), 405, "method_not_allowed")


def test_an_address_answers_405_with_its_methods_to_all_others(client, refused):
    """Also where another route would take the last part of the address for an id."""
    routes = [route for route in ROUTES if isinstance(route, APIRoute)]
    methods: dict[str, set[str]] = {}
    for route in routes:
        if "{" not in route.path:
            methods.setdefault(route.path, set()).update(route.methods)
    tried = 0
    for path, own in methods.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - own:
            others = [each for each in routes if method in each.methods and each.path_regex.match(path)]
            if any(each.dependant.path_params[0].field_info.annotation is str for each in others):
                continue  # an id that is a text may be spelled like the address
            response = client.request(method, path)
            refused(response, 405, "method_not_allowed")
            assert own <= set(response.headers["allow"].split(", ")), (method, path)
            tried += 1
    assert tried > 150


def test_every_body_takes_the_types_of_json(client):
    """Of a flag no number and no text, of a number no flag and no text."""
    found: list[type[Body]] = list(Body.__subclasses__())
    for model in found:
        found += model.__subclasses__()
    fields = [(model, name, each.annotation) for model in found for name, each in model.model_fields.items()]
    wrong = {int: (True, "1"), float: (True, "1"), bool: (1, "true")}
    tried = 0
    for model, name, annotation in fields:
        types = {annotation, *get_args(annotation)}
        kind = next((kind for kind in wrong if kind in types), None)
        for value in wrong[kind] if kind else ():
            with pytest.raises(ValidationError) as refusal:
                model.model_validate_json(json.dumps({name: value}))
            assert name in {each["loc"][0] for each in refusal.value.errors()}, (model, name, value)
            tried += 1
    assert tried > 100


def test_an_error_nobody_expected_tells_no_more_than_that(settings, refused, monkeypatch, caplog):
    from starlette.testclient import TestClient

    from lab_app.api.app import create_app
    from lab_app.services import preferences
    from tests.api.conftest import ADDRESS, TOKEN

    def fail(_lab):
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(preferences, "load", fail)
    with TestClient(create_app(settings), base_url=ADDRESS, raise_server_exceptions=False) as client:
        error = refused(
            client.get("/api/v1/preferences", headers={"Authorization": f"Bearer {TOKEN}"}), 500, "internal"
        )
    assert "secret detail" not in json.dumps(error) and "a secret detail" in caplog.text


def test_ten_megabytes_are_read(settings):
    from lab_app.api.bodies import parse
    from lab_app.api.requests import TokenizeBody

    body = json.dumps({"tokenizer": "gpt2", "text": '日本語 text \\ " \n' * 700_000}).encode()
    assert len(body) > 10_000_000
    assert len(parse(TokenizeBody, body).text) > 8_000_000


def test_a_page_that_hangs_up_in_the_middle_is_no_error(settings, caplog):
    # The page does so at every key that makes its last question stale.
    said = [{"type": "http.request", "body": b'{"text": "ab', "more_body": True}, {"type": "http.disconnect"}]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/v1/tokenize",
        "raw_path": b"/api/v1/tokenize",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8123"), (b"authorization", f"Bearer {settings.token}".encode())],
        "server": ("127.0.0.1", 8123),
        "client": ("127.0.0.1", 5),
        "scheme": "http",
        "http_version": "1.1",
    }

    async def receive():
        return said.pop(0) if len(said) > 1 else said[0]

    async def send(_message):
        pass

    asyncio.run(create_app(settings)(scope, receive, send))
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_little_that_is_large_is_worked_on_at_a_time(monkeypatch):
    """Bodies, files and messages, all together; what is small never waits."""
    app, here, most = FastAPI(), {"large": 0, "small": 0}, {"large": 0, "small": 0}

    async def work(size: int) -> int:
        kind = "large" if size >= bodies.LARGE_BYTES else "small"
        here[kind] += 1
        most[kind] = max(most[kind], here[kind])
        for _ in range(50):  # all others that may be here come meanwhile
            turn = asyncio.Event()
            asyncio.get_running_loop().call_soon(turn.set)
            await turn.wait()
        here[kind] -= 1
        return size

    @app.post("/body")
    async def body(body: bodies.RawBody) -> int:
        return await work(len(body))

    @app.post("/files")
    async def files(form: Annotated[FormData, Depends(sent_files(2), scope="function")]) -> int:
        return await work(sum(each.size for each in form.getlist("files")))

    async def edit(_work, _lab, _id, message: bytes) -> bytes:
        return b"%d" % await work(len(message))

    monkeypatch.setattr(documents, "run_in_threadpool", edit)
    app.state.lab = None

    async def message(content: bytes) -> int:
        said = [{"type": "websocket.connect"}, {"type": "websocket.receive", "bytes": content}]
        heard = []

        async def receive():
            return said.pop(0) if said else {"type": "websocket.disconnect", "code": 1000}

        async def send(message):
            heard.append(message)

        await documents.edit_line(WebSocket({"type": "websocket", "app": app}, receive, send), "x")
        return int(heard[-1]["bytes"])

    async def ask() -> list[int]:
        async with AsyncClient(transport=ASGITransport(app), base_url="http://lab") as client:

            async def post(path: str, **content) -> int:
                return (await client.post(path, **content)).json()

            large, small = b"x" * bodies.LARGE_BYTES, b"x"
            half = large[: len(large) // 2]
            calls = []
            for _ in range(2):
                calls += [post("/body", content=each) for each in (large, small)]
                calls += [post("/files", files=[("files", ("a", each))] * 2) for each in (half, small)]
                calls += [message(each) for each in (large, small)]
            return await asyncio.gather(*calls)

    assert asyncio.run(ask()) == [bodies.LARGE_BYTES, 1, bodies.LARGE_BYTES, 2, bodies.LARGE_BYTES, 1] * 2
    assert most["large"] == bodies.LARGE_AT_ONCE and most["small"] > bodies.LARGE_AT_ONCE and not any(here.values())


def test_senders_that_are_slow_keep_nobody_waiting(monkeypatch):
    """Large bodies and files wait for their turn when they have come, not while they are sent."""
    monkeypatch.setattr(bodies, "LARGE_BYTES", 10)
    app = FastAPI()

    @app.post("/body")
    async def body(body: bodies.RawBody) -> int:
        return len(body)

    @app.post("/files")
    async def files(form: Annotated[FormData, Depends(sent_files(2), scope="function")]) -> int:
        return sum(each.size for each in form.getlist("files"))

    async def ask() -> int:
        begun, all_begun, rest = [], asyncio.Event(), asyncio.Event()

        async def slowly(first: bytes, last: bytes):
            begun.append(first)
            if len(begun) == 6:
                all_begun.set()
            yield first
            await rest.wait()
            yield last

        async with AsyncClient(transport=ASGITransport(app), base_url="http://lab") as client:
            part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n' + b"a" * 50
            form = {"Content-Type": "multipart/form-data; boundary=x"}
            slow = [asyncio.ensure_future(client.post("/body", content=slowly(b"a" * 50, b"b"))) for _ in range(3)]
            slow += [
                asyncio.ensure_future(client.post("/files", content=slowly(part, b"\r\n--x--\r\n"), headers=form))
                for _ in range(3)
            ]
            await asyncio.wait_for(all_begun.wait(), 60)
            quick = await asyncio.wait_for(client.post("/body", content=b"c" * 60), 60)
            assert not any(each.done() for each in slow)
            rest.set()
            assert [(await each).json() for each in slow] == [51] * 3 + [50] * 3
            return quick.json()

    assert asyncio.run(ask()) == 60
