"""The page is there before the calls behind it are, and behind the same checks."""

import asyncio
import gc
import json
import subprocess
import sys
import threading
import weakref

import httpx2
import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from lab_app import paths
from lab_app.api import app as app_module
from lab_app.api.app import create_app
from lab_app.api.page import Page
from lab_app.api.quick_start import quiet
from lab_app.api.quick_start.startup import StartupApp
from tests.api.conftest import ADDRESS, TOKEN
from tests.waiting import until, until_async

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
    client = TestClient(StartupApp(settings), base_url=ADDRESS, headers=SECRET)
    assert client.get("/").status_code == 200
    assert client.get("/js/main.js").status_code == 200
    answers = []
    caller = threading.Thread(target=lambda: answers.append(client.get("/api/v1/sessions")))
    caller.start()
    caller.join(0.3)
    assert caller.is_alive() and not answers
    held.set()
    caller.join(30)
    assert answers[0].json() == {"sessions": []}


def test_the_window_that_closes_waits_for_no_import(settings, held):
    client = TestClient(StartupApp(settings), base_url=ADDRESS, headers=SECRET)
    assert client.get("/api/v1/jobs").json() == {"jobs": []}


def test_the_first_call_builds_nothing(settings, monkeypatch):
    """Of each app: a field that FastAPI builds has an adapter of its own, and an included router builds all its routes anew."""
    adapters = []
    make = TypeAdapter.__init__

    def counted(*arguments, **options):
        adapters.append(arguments)
        return make(*arguments, **options)

    for build in (make, counted):
        with TestClient(app_module.create_app(settings), base_url=ADDRESS, headers=SECRET) as client:
            monkeypatch.setattr(TypeAdapter, "__init__", build)
            assert client.get("/api/v1/preferences").status_code == 200
    assert not adapters


def test_the_rest_is_imported_when_the_page_has_its_tokens(settings, monkeypatch):
    monkeypatch.setattr(quiet, "QUIET_S", 0.0)
    monkeypatch.setattr(quiet, "PATIENCE_S", 3600.0)
    app = StartupApp(settings)
    client = TestClient(app, base_url=ADDRESS, headers={**SECRET, "Accept": "application/octet-stream"})
    assert client.get("/api/v1/tokenizers").status_code == 200
    assert not app.is_whole
    assert client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": "Hello"}).status_code == 200
    until(lambda: app.is_whole, "the rest is not imported")


def test_the_page_is_quiet_when_it_has_tokens_and_asks_nothing():
    now = 0.0
    page = quiet.Quiet(lambda: now)
    page.asks()
    now = quiet.PATIENCE_S - 0.1
    assert not page.is_now()  # no tokens yet
    now = 5.0
    page.has_tokens()
    now = 5.9
    page.asks()
    now = 6.8
    assert not page.is_now()
    now = 6.9
    assert page.is_now()


def test_a_page_that_never_stops_asking_counts_as_quiet_after_a_while():
    now = 5.0
    page = quiet.Quiet(lambda: now)
    page.has_tokens()
    while now < 5.0 + quiet.LONGEST_S:
        assert not page.is_now()
        page.asks()
        page.has_tokens()
        now += 0.5
    assert page.is_now()


def test_without_a_page_it_is_quiet_in_the_end():
    now = 0.0
    page = quiet.Quiet(lambda: now)
    page.asks()
    now = quiet.PATIENCE_S
    assert page.is_now()


WATCHED = """
import gc, pathlib, sys
from lab_app.api.quick_start import startup
from lab_app.settings import Settings

def state(): return [gc.isenabled(), sys.getswitchinterval() > startup.SWITCH_S]
seen = [state()]
class Watched(startup.StartupApp):
    def _wait_until_quiet(self):
        seen.append(state())
        from lab_app.api import app
        make = app.create_app
        app.create_app = lambda *given, **options: (seen.append(state()), make(*given, **options))[1]
app = Watched(Settings(token="x", data_dir=pathlib.Path(sys.argv[1])))
app._whole.result(60)
seen.append(state())
print(seen)
"""


def test_while_the_lab_waits_for_the_page_the_interpreter_works_as_ever(tmp_path):
    """In a process of its own: these settings are those of all threads."""
    command = [sys.executable, "-c", WATCHED, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    usual, importing = [True, True], [False, False]
    assert json.loads(said.lower()) == [usual, usual, importing, usual]


def test_a_server_without_a_window_does_not_wait_for_a_page(settings, monkeypatch):
    monkeypatch.setattr(quiet, "PATIENCE_S", 3600.0)
    app = StartupApp(settings, at_once=True)
    until(lambda: app.is_whole, "the rest is not imported")


def test_a_call_that_is_given_up_leaves_the_others_waiting(settings, held):
    app = StartupApp(settings)
    entered = 0

    async def counted(scope, receive, send) -> None:
        nonlocal entered
        entered += 1
        await app(scope, receive, send)

    async def status() -> int:
        transport = httpx2.ASGITransport(counted)
        async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS, headers=SECRET) as client:
            return (await client.get("/api/v1/jobs")).status_code

    async def one_is_given_up() -> int:
        first, second = asyncio.create_task(status()), asyncio.create_task(status())
        await until_async(lambda: entered == 2)
        first.cancel()
        await asyncio.wait([first])
        held.set()
        return await second

    assert asyncio.run(one_is_given_up()) == 200


def test_the_checks_are_the_same(settings, refused):
    client = TestClient(StartupApp(settings), base_url=ADDRESS, follow_redirects=False)
    for path in ("/", "/js/main.js", "/api/v1/tokenizers", "/api/v1/jobs", "/docs", "/openapi.json"):
        refused(client.get(path), 401, "unauthorized")
        refused(client.get(path, headers={**SECRET, "Host": "evil.example"}), 403, "forbidden")
        refused(client.get(path, headers={**SECRET, "Origin": "http://evil.example"}), 403, "forbidden")
    assert client.get(f"/?token={TOKEN}").status_code == 303
    assert "frame-ancestors 'none'" in client.get("/").headers["content-security-policy"]


def headers_twice(answer) -> list[str]:
    names = [name for name, _ in answer.headers.multi_items()]
    return sorted({name for name in names if names.count(name) > 1})


@pytest.mark.parametrize("path", ["/", "/js/main.js", "/api/v1/tokenizers", "/api/v1/jobs", "/docs", "/nothing"])
def test_no_header_stands_there_twice(settings, path):
    """The page, a first call, calls that are passed on, and the same when the whole app is there."""
    client = TestClient(StartupApp(settings), base_url=ADDRESS, headers=SECRET)
    answers = [client.get(path), client.get("/api/v1/jobs"), client.get(path), client.get(path, headers={"Host": "no"})]
    assert [headers_twice(answer) for answer in answers] == [[]] * 4
    assert {answer.headers["cross-origin-resource-policy"] for answer in answers} == {"same-origin"}


def test_calls_that_cannot_be_imported_are_told(settings, refused, monkeypatch, caplog):
    def fail(*_arguments, **_options):
        raise ImportError("half of it is missing")

    monkeypatch.setattr(app_module, "create_app", fail)
    client = TestClient(StartupApp(settings), base_url=ADDRESS, headers=SECRET)
    assert client.get("/").status_code == 200
    failed = client.get("/api/v1/sessions")
    assert "terminal" in refused(failed, 500, "internal")["hint"] and headers_twice(failed) == []
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
    answer = TestClient(StartupApp(settings), base_url=ADDRESS, headers=SECRET).get(path)
    expected = client.get(path)
    assert (answer.status_code, answer.content) == (expected.status_code, expected.content)
    assert answer.headers["content-type"] == expected.headers["content-type"]


def test_an_app_that_nobody_uses_any_more_is_freed(settings):
    app = create_app(settings)
    with TestClient(app, base_url=ADDRESS, headers=SECRET) as client:
        for path in ("/healthz", "/metrics", "/docs/start.js", "/openapi.json", "/api/v1/preferences"):
            assert client.get(path).status_code == 200
    lab = weakref.ref(app.state.lab)
    del app, client
    gc.collect()
    assert lab() is None
