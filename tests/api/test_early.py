"""The page is there before the calls behind it are, and behind the same checks."""

import asyncio
import threading

import httpx2
import pytest
from starlette.testclient import TestClient

from lab_app import paths
from lab_app.api import app as app_module
from lab_app.api.early import EarlyApp
from lab_app.api.page import Page
from tests.api.conftest import ADDRESS, TOKEN

SECRET = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def held(monkeypatch):
    """Keeps the whole app from being made until the event is set."""
    go = threading.Event()
    make = app_module.create_app

    def late(*arguments, **options):
        assert go.wait(30)
        return make(*arguments, **options)

    monkeypatch.setattr(app_module, "create_app", late)
    yield go
    go.set()


def test_the_page_does_not_wait_and_a_call_does(settings, held):
    client = TestClient(EarlyApp(settings), base_url=ADDRESS, headers=SECRET)
    assert client.get("/").status_code == 200
    assert client.get("/js/main.js").status_code == 200
    answers = []
    caller = threading.Thread(target=lambda: answers.append(client.get("/api/v1/tokenizers")))
    caller.start()
    caller.join(0.3)
    assert caller.is_alive() and not answers
    held.set()
    caller.join(30)
    assert answers[0].json()["tokenizers"][0]["id"] == "gpt2"


def test_a_call_that_is_given_up_leaves_the_others_waiting(settings, held):
    app = EarlyApp(settings)
    entered = 0

    async def counted(scope, receive, send) -> None:
        nonlocal entered
        entered += 1
        await app(scope, receive, send)

    async def status() -> int:
        transport = httpx2.ASGITransport(counted)
        async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS, headers=SECRET) as client:
            return (await client.get("/api/v1/tokenizers")).status_code

    async def one_is_given_up() -> int:
        first, second = asyncio.create_task(status()), asyncio.create_task(status())
        while entered < 2:
            await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        held.set()
        return await second

    assert asyncio.run(one_is_given_up()) == 200


def test_the_checks_are_the_same(settings, refused):
    client = TestClient(EarlyApp(settings), base_url=ADDRESS, follow_redirects=False)
    for path in ("/", "/js/main.js", "/api/v1/tokenizers", "/docs", "/openapi.json"):
        refused(client.get(path), 401, "unauthorized")
        refused(client.get(path, headers={**SECRET, "Host": "evil.example"}), 403, "forbidden")
        refused(client.get(path, headers={**SECRET, "Origin": "http://evil.example"}), 403, "forbidden")
    assert client.get(f"/?token={TOKEN}").status_code == 303
    assert "frame-ancestors 'none'" in client.get("/").headers["content-security-policy"]


def test_calls_that_cannot_be_imported_are_told(settings, refused, monkeypatch, caplog):
    def fail(*_arguments, **_options):
        raise ImportError("half of it is missing")

    monkeypatch.setattr(app_module, "create_app", fail)
    client = TestClient(EarlyApp(settings), base_url=ADDRESS, headers=SECRET)
    assert client.get("/").status_code == 200
    assert "terminal" in refused(client.get("/api/v1/tokenizers"), 500, "internal")["hint"]
    assert "half of it is missing" in caplog.text


def test_no_route_is_taken_for_a_file(settings):
    """Such a route would be answered as a file, which is not there."""
    page = Page(paths.page())
    routes = app_module.create_app(settings).openapi()["paths"].keys() | {"/docs", "/docs/start.js", "/openapi.json"}
    assert len(routes) > 30
    assert [path for path in routes if page.names_a_file(path)] == []


def test_every_file_of_the_page_is_taken_for_one():
    files = [path.relative_to(paths.page()).as_posix() for path in paths.page().rglob("*") if path.is_file()]
    page = Page(paths.page())
    assert files and all(page.names_a_file(f"/{path}") for path in files)


@pytest.mark.parametrize(
    "path", ["/js/main.js", "/healthz", "/docs/start.js", "/openapi.json", "/nothing", "/api/v1/none"]
)
def test_the_answer_is_that_of_the_whole_app(settings, client, path):
    answer = TestClient(EarlyApp(settings), base_url=ADDRESS, headers=SECRET).get(path)
    expected = client.get(path)
    assert (answer.status_code, answer.content) == (expected.status_code, expected.content)
    assert answer.headers["content-type"] == expected.headers["content-type"]
