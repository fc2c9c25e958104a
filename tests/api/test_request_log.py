"""One line per request: what was asked, never what it said."""

import json
import logging
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.quick_start.startup import StartupApp
from lab_app.api.request_log import JsonLines
from tests.api.conftest import ADDRESS, TOKEN

TEXT = "words that nobody else may read"
SECRET = {"Authorization": f"Bearer {TOKEN}"}
BODY = {"tokenizer": "gpt2", "text": TEXT}


@pytest.fixture(params=["whole", "starting"])
def asked(request, settings, caplog):
    """Asks, and gives the facts of the lines so far."""
    settings = replace(settings, log_level="info")
    app = create_app(settings) if request.param == "whole" else StartupApp(settings, at_once=True)

    def ask(method: str, address: str, **options) -> list[dict]:
        with caplog.at_level(logging.INFO, "lab_app.requests"):
            client.request(method, address, **options)
        return [each.request for each in caplog.records if hasattr(each, "request")]

    with TestClient(app, base_url=ADDRESS, headers=SECRET, follow_redirects=False) as client:
        yield ask


@pytest.mark.parametrize(
    ("method", "address", "options", "line"),
    [
        ("POST", "/api/v1/tokenize", {"json": BODY}, ("POST", "/api/v1/tokenize", 200)),
        ("POST", "/api/v1/tokenize", {"json": {**BODY, TEXT: 1}}, ("POST", "/api/v1/tokenize", 422)),
        ("POST", "/api/v1/tokenize_batch", {"content": b"{"}, ("POST", "/api/v1/tokenize_batch", 400)),
        ("GET", f"/api/v1/tokenizers/{TEXT}", {}, ("GET", "/api/v1/tokenizers/{id}", 404)),
        ("GET", f"/api/v1/vocabulary/gpt2/search?q={TEXT}", {}, ("GET", "/api/v1/vocabulary/{id}/search", 200)),
        ("GET", f"/{TEXT}?token={TOKEN}", {}, ("GET", "-", 404)),
        ("GET", f"/?token={TOKEN}&text={TEXT}", {}, ("GET", "/", 303)),
        ("GET", "/api/v1/jobs", {"headers": {"Authorization": f"Bearer {TEXT}"}}, ("GET", "-", 401)),
        ("GET", "/api/v1/jobs", {"headers": {"Host": TEXT}}, ("GET", "-", 403)),
        ("GET", "/healthz", {}, ("GET", "/healthz", 200)),
    ],
)
def test_a_line_has_the_pattern_and_never_the_content(asked, caplog, method, address, options, line):
    (facts,) = asked(method, address, **options)
    assert (facts["method"], facts["path"], facts["status"]) == line and facts["ms"] >= 0
    lines = "\n".join(JsonLines().format(each) for each in caplog.records if each.name != "httpx2")
    assert not [each for each in (TEXT, TEXT.replace(" ", "%20"), TOKEN) if each in lines]


def test_a_refused_websocket_has_a_line(asked, caplog, settings):
    app = create_app(replace(settings, log_level="info"))
    with TestClient(app, base_url=ADDRESS, headers=SECRET) as client, caplog.at_level(logging.INFO):
        with client.websocket_connect("/api/v1/documents/none/edits") as line:
            line.send_text("{}")
            line.receive_text()
        facts = [each.request for each in caplog.records if hasattr(each, "request")]
    assert [(each["method"], each["path"], each["status"]) for each in facts] == [
        ("WEBSOCKET", "/api/v1/documents/{id}/edits", 101)
    ]


def test_nothing_is_written_by_default(client, caplog):
    with caplog.at_level(logging.DEBUG):
        client.get("/healthz")
    assert not [each for each in caplog.records if each.name.startswith("lab_app")]


def test_a_line_of_json_has_what_the_text_has():
    record = logging.LogRecord("lab_app.requests", logging.INFO, "", 0, "%s", ("GET / 200",), None)
    record.request = {"method": "GET", "path": "/", "status": 200, "ms": 0.1, "person": "reader"}
    line = json.loads(JsonLines().format(record))
    assert line.pop("time").endswith("Z")
    assert line == {"level": "info", "logger": "lab_app.requests", "message": "GET / 200", **record.request}


def test_a_line_of_json_has_the_traceback_in_it():
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        record = logging.LogRecord(
            "lab", logging.ERROR, "", 0, "failed", None, (ValueError, error, error.__traceback__)
        )
    written = JsonLines().format(record)
    assert "\n" not in written and "ValueError: two\nlines" in json.loads(written)["exception"]
