"""Every route declares what it answers; `conftest` checks every answer of these tests against that."""

import json
from dataclasses import dataclass

import pytest
from fastapi.routing import APIRoute
from httpx2 import Request, Response
from pydantic import ValidationError

from lab_app.api.app import ROUTES
from tests.api.declared import HEADERS, check, check_json, path_of

ADDRESS = "http://127.0.0.1:8123/api/v1"


@dataclass
class Head:
    id: int
    text: str | None


@dataclass
class Line:
    heads: list[Head]


def test_what_is_declared_passes():
    check_json(Line, '{"heads": [{"id": 1, "text": null}, {"id": 2, "text": "a"}]}')


@pytest.mark.parametrize(
    "head",
    [
        {"id": 1},
        {"id": "1", "text": "a"},
        {"id": 1.5, "text": "a"},
        {"id": 1, "text": "a", "bytes": "61"},
        {"id": None},
    ],
    ids=["missing", "of another type", "of another number", "more than declared", "null"],
)
def test_what_is_not_declared_is_found(head):
    with pytest.raises((ValidationError, AssertionError)):
        check_json(Line, json.dumps({"heads": [head]}))


@pytest.mark.parametrize(
    ("method", "path", "status", "body"),
    [
        ("POST", "/decode", 200, {"tokenizer": "gpt2", "text": "a"}),
        ("GET", "/chat/gpt2", 200, {"templates": [], "more": 1}),
        ("POST", "/decode", 422, {"error": {"code": "decode_error", "message": "no"}}),
        ("POST", "/decode", 200, []),
    ],
)
def test_a_wrong_answer_of_a_route_is_found(method, path, status, body):
    with pytest.raises((ValidationError, AssertionError)):
        check(Response(status, json=body, request=Request(method, ADDRESS + path)))


def test_every_answer_in_json_has_a_model():
    routes = [route for route in ROUTES if isinstance(route, APIRoute)]
    without = {path_of(route) for route in routes if route.response_model is None and route.status_code != 204}
    assert without == {"/documents/excerpt", "/documents/{id}/edits", "/documents", *FILES_AND_EVENTS}
    assert set(HEADERS) >= without - FILES_AND_EVENTS


FILES_AND_EVENTS = {
    "/analyses/{id}/file",
    "/benchmarks/{id}/file",
    "/edits/rows",
    "/export",
    "/handouts",
    "/jobs/events",
    "/jobs/{id}/events",
    "/trainings/{id}/file",
    "/trainings/{id}/report",
    "/sessions/{id}/file",
    "/tokenize_rows",
    "/vocabulary/{id}/export",
}
