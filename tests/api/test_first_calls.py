"""The calls of a page that opens have the same answers with and without the whole app."""

import json
import os
import subprocess
import sys

import pytest
from starlette.testclient import TestClient

from lab_app.api import app as app_module
from lab_app.api.frame import unpack
from lab_app.api.quick_start.first_calls import FirstCalls
from lab_app.api.quick_start.startup import StartupApp
from lab_app.api.window_requests import WindowRequests
from lab_app.services import preferences
from lab_app.services.lab import Lab
from tests.api.conftest import ADDRESS, TOKEN

FRAME = "application/octet-stream"
TEXT = "Tokenization isn't neutral: 日本語 नमस्ते 👩‍🔬"
BOTH = ["gpt2", "bert-base-uncased"]


def tokenize(**fields):
    return ("POST", "/api/v1/tokenize", {"tokenizer": "gpt2", "text": TEXT, **fields})


FIRST = {
    "catalog": ("GET", "/api/v1/tokenizers", None),
    "preferences": ("GET", "/api/v1/preferences", None),
    "tokens": tokenize(add_special_tokens=True, specials="text"),
    "tokens with the options left out": tokenize(),
    "tokens of special text": tokenize(text="<|endoftext|>", specials="parse", add_special_tokens=False),
    "comparison": ("POST", "/api/v1/compare", {"tokenizers": BOTH, "text": TEXT, "ignore_spaces": False}),
    "changes": ("POST", "/api/v1/normalization_changes", {"tokenizer": "bert-base-uncased", "text": TEXT}),
    "trace": ("POST", "/api/v1/trace", {"tokenizer": "bert-base-uncased", "text": TEXT, "specials": "text"}),
    "entries": ("GET", "/api/v1/vocabulary/gpt2?ids=0,1,50256", None),
    "entries, commas escaped": ("GET", "/api/v1/vocabulary/gpt2?ids=0%2C1", None),
}
OTHERS = {
    "another call": ("GET", "/api/v1/sessions", None),
    "another method": ("PUT", "/api/v1/preferences", {"theme": "dark"}),
    "a query that is not known": ("GET", "/api/v1/tokenizers?x=1", None),
    "an unknown field": tokenize(colour="red"),
    "a field too few": ("POST", "/api/v1/tokenize", {"tokenizer": "gpt2"}),
    "a value of another type": tokenize(text=3),
    "a number for a switch": tokenize(add_special_tokens=1),
    "an unknown choice": tokenize(specials="both"),
    "a special token that is refused": tokenize(text="<|endoftext|>", specials="reject"),
    "two texts": tokenize(tokenizer="bert-base-uncased", pair="other"),
    "an unknown tokenizer": tokenize(tokenizer="gpt9"),
    "half a surrogate pair": tokenize(text="\ud800"),
    "a long text": tokenize(text="word " * 20_000),
    "a trace of too long a text": ("POST", "/api/v1/trace", {"tokenizer": "gpt2", "text": "a" * 10_001}),
    "one tokenizer to compare": ("POST", "/api/v1/compare", {"tokenizers": ["gpt2"], "text": TEXT}),
    "a list with a number": ("POST", "/api/v1/compare", {"tokenizers": ["gpt2", 3], "text": TEXT}),
    "ids that are none": ("GET", "/api/v1/vocabulary/gpt2?ids=0,x", None),
    "an id above the last": ("GET", "/api/v1/vocabulary/gpt2?ids=999999", None),
}


def answer(client, method, path, body):
    content = None if body is None else json.dumps(body)
    headers = {"Accept": FRAME, **({"Content-Type": "application/json"} if body is not None else {})}
    return client.request(method, path, content=content, headers=headers)


def comparable(response):
    """What two answers to the same call have in common: all but the time they took."""
    head = response.status_code, response.headers["content-type"]
    if response.headers["content-type"] != FRAME:
        return *head, response.content
    header, arrays = unpack(response.content)
    for each in (header, *header.get("tokenizers", ())):
        each.pop("elapsed_ns", None)
    return *head, header, {name: array.tolist() for name, array in arrays.items()}


TOKENS_ALONE = """
import json, sys
from starlette.testclient import TestClient
before = set(sys.modules)
from lab_app.api.quick_start.startup import StartupApp
from lab_app.api.window_requests import WindowRequests
from lab_app.settings import Settings
client = TestClient(StartupApp(Settings(token="x")), base_url="http://127.0.0.1:80", headers={"Authorization": "Bearer x"})
head = {"Accept": "application/octet-stream"}
answers = [client.get("/api/v1/tokenizers"), client.get("/api/v1/preferences"),
    client.post("/api/v1/tokenize", json={"tokenizer": "bert-base-uncased", "text": "neutral"}, headers=head),
    client.post("/api/v1/trace", json={"tokenizer": "gpt2", "text": "neutral"}),
    client.get("/api/v1/vocabulary/gpt2?ids=0,1")]
assert [each.status_code for each in answers] == [200] * 5
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def test_the_first_tokens_need_no_large_library(tmp_path):
    """In a process of its own, which has imported none of them for another test."""
    environment = {**os.environ, "TOKENLAB_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", TOKENS_ALONE]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True, env=environment).stdout
    imported = set(json.loads(said))
    assert "lab_app" in imported and not imported & {"fastapi", "pydantic", "numpy", "typer"}


@pytest.mark.parametrize(
    ("kept", "loaded"),
    [
        ({}, "bert-base-uncased"),
        ({"chosen": ["gpt2", "bert-base-uncased"]}, "gpt2"),
        ({"chosen": ["gpt2", "bert-base-uncased"], "active": "bert-base-uncased"}, "bert-base-uncased"),
    ],
)
def test_the_tokenizer_of_the_page_is_loaded_before_it_asks(settings, monkeypatch, kept, loaded):
    lab = Lab(settings)
    preferences.save(lab, kept)
    asked = []
    monkeypatch.setattr(lab.loaded, "get_any", asked.append)
    FirstCalls(lab).prepare()
    assert asked == [loaded]


@pytest.mark.parametrize("kept", [{"chosen": 3}, {"active": "gpt9"}])
def test_preferences_that_name_no_tokenizer_hold_nothing_up(settings, kept):
    lab = Lab(settings)
    preferences.save(lab, kept)
    FirstCalls(lab).prepare()


@pytest.fixture
def quick(settings, monkeypatch):
    """A client of an app that is never made whole."""

    def fail(*_arguments, **_options):
        raise ImportError("the whole app")

    monkeypatch.setattr(app_module, "create_app", fail)
    return TestClient(StartupApp(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})


@pytest.mark.parametrize("call", FIRST.values(), ids=FIRST)
def test_a_first_call_has_the_answer_of_the_whole_app(quick, client, call):
    expected = answer(client, *call)
    assert expected.status_code == 200
    assert comparable(answer(quick, *call)) == comparable(expected)


def test_another_start_brings_the_window_forward_without_the_whole_app(settings, client, monkeypatch):
    focused = []
    monkeypatch.setattr(app_module, "create_app", None)
    app = StartupApp(settings, WindowRequests(lambda _: focused.append("first")))
    quick = TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    client.app.state.window_requests = WindowRequests(lambda _: focused.append("whole"))
    answers = [each.post("/api/v1/window") for each in (quick, client)]
    assert focused == ["first", "whole"]
    assert [(each.status_code, each.content) for each in answers] == [(204, b"")] * 2


def test_json_is_left_to_the_whole_app(quick):
    assert quick.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": TEXT}).status_code == 500


@pytest.mark.parametrize("call", OTHERS.values(), ids=OTHERS)
def test_every_other_call_is_left_to_the_whole_app(quick, call):
    assert answer(quick, *call).json()["error"]["message"] == "the lab did not start"


@pytest.mark.parametrize("call", OTHERS.values(), ids=OTHERS)
def test_what_is_passed_on_arrives_as_it_was_sent(settings, client, call):
    whole = TestClient(StartupApp(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    assert comparable(answer(whole, *call)) == comparable(answer(client, *call))


def test_a_body_in_parts_is_passed_on_whole(settings, client):
    """httpx sends an iterator in chunks of unknown number, without the length."""
    whole = TestClient(StartupApp(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    body = json.dumps({"tokenizer": "gpt2", "text": TEXT}).encode()
    headers = {"Content-Type": "application/json", "Accept": FRAME}
    chunked = whole.post("/api/v1/tokenize", content=iter([body[:9], body[9:]]), headers=headers)
    assert comparable(chunked) == comparable(client.post("/api/v1/tokenize", content=body, headers=headers))
