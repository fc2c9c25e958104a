"""Every call with values that cannot be: an answer with an error in the one shape, never a failure of the lab."""

import copy
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.frame import unpack
from lab_app.api.json_route import API
from lab_app.services.tokenizers import tokenizers
from lab_app.settings import Settings
from tests import tiny
from tests.api.conftest import ADDRESS, TOKEN
from tests.api.declared import route_of

NUMBERS = [-1, 0, 2**31, 2**32, 2**53 + 1, 2**63, 10**30, 1e17, -0.5, 1e308]
TEXTS = ["", "\0", "\ud800", "é" * 70, "x" * 5000, "../../x", "~nosuchuser/x", "\u202e<b>", "{{", "(", "%00"]
OTHERS = [None, True, [], {}, [[]], "1"]
# A right one of each call; its leaves are replaced one at a time.
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    (
        "POST",
        "tokenize",
        {"tokenizer": "gpt2", "text": "a b", "truncation": "longest_first", "max_length": 1, "stride": 0},
    ),
    ("POST", "tokenize", {"tokenizer": "tiny", "text": "a", "pair": "b", "padding": "max_length", "max_length": 9}),
    ("POST", "tokenize_batch", {"tokenizer": "tiny", "texts": ["a"], "padding": "longest", "pad_to_multiple_of": 4}),
    ("POST", "decode", {"tokenizer": "gpt2", "ids": [1, 2], "skip_special_tokens": True}),
    ("POST", "decode_batch", {"tokenizer": "gpt2", "batch": [[1], [2]]}),
    ("POST", "compare", {"tokenizers": ["gpt2", "tiny"], "text": "a b", "specials": "text"}),
    ("POST", "chat", {"tokenizer": "gpt2", "messages": [{"role": "a"}], "template_text": "x", "variables": {"n": 1}}),
    ("POST", "retokenize", {"source": "gpt2", "target": "tiny", "ids": [1]}),
    ("POST", "retokenize", {"source": "gpt2", "target": "tiny", "text": "a"}),
    ("POST", "vocabulary_overlap", {"a": "gpt2", "b": "tiny", "text": "a"}),
    ("POST", "diff", {"a": "gpt2", "b": "tiny", "text": "a"}),
    ("POST", "export", {"tokenizers": ["gpt2"], "text": "a", "format": "csv"}),
    ("POST", "sessions", {"name": "mine", "tokenizers": ["gpt2"], "text": "a", "view": {"n": 1}}),
    ("POST", "documents", {"tokenizers": ["gpt2"], "text": "a", "ignore_spaces": True}),
    ("POST", "documents/excerpt", {"tokenizers": ["gpt2"], "text": "a", "starts": True, "ends": True}),
    ("POST", "textbook_encoders", {"tokenizer": "gpt2", "text": "a", "algorithms": ["naive"]}),
    ("POST", "normalization_changes", {"tokenizer": "tiny", "text": "a"}),
    ("POST", "trace", {"tokenizer": "gpt2", "text": "a"}),
    ("POST", "explain", {"tokenizer": "gpt2", "text": "a b", "at": 1, "edits": False}),
    ("POST", "compose", {"recipe": {"base": "tiny"}, "text": "a"}),
    ("POST", "vocabulary/gpt2/truncate", {"size": 1000, "text": "a"}),
    ("POST", "tokenizers", {"path": "/no/such/file", "id": "x", "pattern": "gpt2", "special_tokens": {"<s>": 5}}),
    ("POST", "tokenizers", {"hub": "org/name", "id": "x"}),
    ("POST", "tokenizers", {"known": "t5-base"}),
    ("POST", "tokenizers", {"recipe": {"base": "tiny"}, "id": "gpt2"}),
    ("PUT", "preferences", {"chosen": ["gpt2"], "n": 1}),
]
RAW = [
    b"",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"n": ' * 900 + b"1" + b"}" * 900,
    b'{"n": NaN}',
    b'{"n": [Infinity, -Infinity]}',
    b'{"n": 1e999}',
    b'{"n": ' + b"9" * 5000 + b"}",
    b'{"\\ud800": "\\udfff"}',
    b'{"n": 1, "n": 2}',
]


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("bad")
    app = create_app(Settings(data_dir=folder / "data", token=TOKEN, offline=True, max_request_mb=1))
    tokenizers.add(app.state.lab, tiny.vocab_txt(folder / "tiny"))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(app, base_url=ADDRESS, headers=headers, raise_server_exceptions=False) as client:
        yield client


def is_an_answer(response, asked: object) -> None:
    assert response.status_code < 500 or response.status_code == 503, (asked, response.text)
    if response.status_code >= 400:
        assert set(response.json()["error"]) == {"code", "message", "hint"}, asked
        assert response.json()["error"]["message"], asked


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values inside `value`, from the outside in."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield (*place, key)
        yield from leaves(each, (*place, key))


def changed(body: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    found = copy.deepcopy(body)
    inner: Any = found
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


@pytest.fixture(scope="module")
def description(client) -> dict[str, Any]:
    """The interface's OpenAPI document."""
    return client.app.openapi()


def is_refused_by_type(response) -> bool:
    """Whether pydantic refused the value: it depends on the declared type alone, so that one call per type proves it."""
    return response.status_code == 422 and response.json()["error"]["hint"] == "/docs describes this call"


def type_at(description: dict[str, Any], schema: dict[str, Any], place: tuple[Any, ...]) -> str:
    """The declared type of a place in a body; "{}" inside fields that take any JSON."""
    for key in place:
        while "$ref" in schema:
            schema = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        options = schema.get("anyOf", [schema])
        schema = next((each for each in options if "items" in each or "properties" in each), {})
        schema = (
            schema["items"] if isinstance(key, int) and "items" in schema else schema.get("properties", {}).get(key, {})
        )
    words = ("title", "description", "default")
    return json.dumps({key: each for key, each in schema.items() if key not in words}, sort_keys=True)


def test_the_type_of_a_place_is_found(client, description):
    def found(*place: Any) -> str:
        schema = body_of(description, "POST", "chat")
        return type_at(description, schema, place)

    assert found("tokenizer") == '{"type": "string"}'
    assert found("messages", 0) == '{"additionalProperties": true, "type": "object"}'
    assert found("messages", 0, "role") == found("variables", "n") == "{}"


def body_of(description: dict[str, Any], method: str, path: str) -> dict[str, Any]:
    """The declared schema of a call's body."""
    route = route_of(method, f"{API}/{path}")
    operation = description["paths"][route.path_format][method.lower()]
    return operation["requestBody"]["content"]["application/json"]["schema"]


REFUSED: set[tuple[str, str]] = set()
"""Types and values that pydantic refused."""


@pytest.mark.parametrize("call", CALLS, ids=[f"{number}-{path}" for number, (_, path, _) in enumerate(CALLS)])
def test_no_value_of_a_body_makes_the_lab_fail(client, description, call):
    """Where its type refuses a value, once per type; where any JSON is taken, numbers together; else in every field."""
    method, path, body = call
    schema = body_of(description, method, path)
    done = set()
    for place in leaves(body):
        declared = type_at(description, schema, place)
        for value in (NUMBERS, *TEXTS, OTHERS) if declared == "{}" else (*NUMBERS, *TEXTS, *OTHERS):
            case = (declared, json.dumps(value))
            if case in REFUSED or (declared == "{}" and case in done):
                continue
            done.add(case)
            asked = json.dumps(changed(body, place, value))
            response = client.request(method, f"{API}/{path}", content=asked)
            is_an_answer(response, asked)
            if is_refused_by_type(response):
                REFUSED.add(case)


@pytest.mark.parametrize("path", sorted({(method, path) for method, path, _ in CALLS}))
def test_no_body_makes_the_lab_fail(client, path):
    for raw in RAW:
        is_an_answer(client.request(path[0], f"{API}/{path[1]}", content=raw), raw[:80])
    is_an_answer(client.get(f"{API}/preferences"), "what was kept")


VALUES = ["gpt2", "-1", "0", str(2**63), str(10**30), "9" * 5000, "nan", "%00", "%F0%9F", "%ED%A0%80", "x" * 3000, "("]


def test_no_address_makes_the_lab_fail(client, description):
    """One parameter at a time. Where the type refuses a value, once per type; in a path, once per noun that it names."""
    done: set[tuple[str, ...]] = set()
    for path, operations in description["paths"].items():
        noun = path.removeprefix(API).split("/")[1]
        for method in sorted(set(operations) & {"get", "delete"}):
            parameters = operations[method].get("parameters", [])
            right = {
                each["name"]: "gpt2" if each["name"] == "id" else "1" for each in parameters if each["in"] == "path"
            }
            for each in parameters:
                declared = type_at({}, {"properties": {"it": each["schema"]}}, ("it",))
                place = (method, noun, each["name"]) if each["in"] == "path" else (method, path, each["name"])
                for value in VALUES:
                    kept = method == "delete" and value == "gpt2"
                    endless = path.endswith("/events") and value != "gpt2"
                    if kept or endless or {(declared, value), (*place, value)} & done:
                        continue
                    address = path.format_map({**right, each["name"]: value})
                    if each["in"] == "query":
                        address += f"?{each['name']}={value}"
                    response = client.request(method, address)
                    is_an_answer(response, (method, address[:200]))
                    done.add((*place, value))
                    if is_refused_by_type(response):
                        done.add((declared, value))


def test_an_edit_of_a_document_that_cannot_be(client):
    answer = client.post(f"{API}/documents", json={"tokenizers": ["gpt2"], "text": "hello"})
    opened, _ = unpack(answer.content)
    body = {"version": 1, "start_utf16": 0, "end_utf16": 1, "text": "x"}
    for place in leaves(body):
        for value in (*NUMBERS, *TEXTS, *OTHERS):
            asked = json.dumps(changed(body, place, value))
            is_an_answer(client.post(f"{API}/documents/{opened['document']}/edits", content=asked), asked)


def test_two_uploads_of_one_name_are_refused(client, tmp_path):
    content = tiny.vocab_txt(tmp_path / "a").read_bytes()
    files = [("files", ("vocab.txt", content)), ("files", ("other/vocab.txt", content))]
    response = client.post(f"{API}/tokenizers/files", files=files)
    assert (
        response.status_code == 422 and "two of the files are called vocab.txt" in response.json()["error"]["message"]
    )


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", ".."])
def test_an_upload_with_a_name_that_no_file_can_have(client, name):
    response = client.post(f"{API}/tokenizers/files", files=[("files", (name, b"x"))])
    is_an_answer(response, name)
    assert response.status_code == 422


def test_an_error_nobody_thought_of_is_logged_once_and_answered(client, caplog, monkeypatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr("lab_app.api.routes.preferences.preferences.load", fail)
    with caplog.at_level(logging.ERROR):
        response = client.get(f"{API}/preferences")
    assert response.status_code == 500 and response.json()["error"]["code"] == "internal"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert [record.name for record in caplog.records] == ["lab_app.api.handlers"]


def test_an_error_nobody_thought_of_is_not_raised_again(settings, monkeypatch):
    """The server would log it a second time."""
    app = create_app(settings)
    monkeypatch.setattr("lab_app.api.routes.preferences.preferences.load", lambda _: 1 / 0)
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        assert client.get(f"{API}/preferences").status_code == 500


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (OSError(28, "No space left on device"), 507, "disk_full"),
        (FileNotFoundError(2, "No such file", "/x/y"), 503, "unavailable"),
    ],
)
def test_what_the_system_refuses_is_answered_with_its_reason(client, refused, monkeypatch, error, status, code):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("lab_app.api.routes.preferences.preferences.load", fail)
    found = refused(client.get(f"{API}/preferences"), status, code)
    assert error.strerror in found["message"] and (error.filename or "") in found["message"]
