"""The app of a quick start answers what the whole app answers."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lab_app import paths
from lab_app.api.app import create_app
from lab_app.api.early import EarlyApp
from lab_app.api.page import Page
from lab_app.settings import Settings
from tests.api.conftest import ADDRESS, TOKEN


@pytest.fixture
def early(settings: Settings) -> TestClient:
    return TestClient(EarlyApp(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})


def test_no_route_is_taken_for_a_file(settings: Settings):
    page = Page(paths.page())
    routes = create_app(settings).openapi()["paths"].keys() | {"/docs", "/docs/start.js", "/openapi.json"}
    assert {"/api/v1/tokenize", "/healthz"} <= routes
    assert not [path for path in routes if page.names_a_file(path)], "lab_ui has a file of the same name"


def test_every_file_of_the_page_is(settings: Settings):
    files = [path.relative_to(paths.page()) for path in Path(paths.page()).rglob("*") if path.is_file()]
    page = Page(paths.page())
    assert files and all(page.names_a_file(f"/{path.as_posix()}") for path in files)


@pytest.mark.parametrize(
    "path", ["/", "/js/main.js", "/healthz", "/docs", "/openapi.json", "/nothing", "/api/v1/nothing"]
)
def test_it_answers_as_the_whole_app_does(early: TestClient, client: TestClient, path: str):
    answer, expected = early.get(path), client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (
        expected.status_code,
        expected.headers["content-type"],
    )
    if path != "/":  # with another nonce
        assert answer.content == expected.content
