import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lab_app import paths
from lab_app.api import page as page_module
from lab_app.api.app import create_app
from lab_app.api.page import Page, digest
from lab_app.settings import Settings
from lab_app.store.database import Database
from lab_app.store.preferences import theme


def test_the_page_and_its_files(client):
    assert client.get("/").headers["content-type"] == "text/html; charset=utf-8"
    script = client.get("/js/main.js")
    assert (
        script.headers["content-type"].startswith("text/javascript") and script.headers["cache-control"] == "no-cache"
    )
    assert client.get("/css/base.css").headers["content-type"].startswith("text/css")
    assert client.get("/js/main.js", headers={"If-None-Match": script.headers["etag"]}).status_code == 304


def test_files_with_a_version_may_be_kept_for_ever(client):
    for name in ("vendor/codemirror.js", "icon.svg"):
        assert client.get(f"/{name}").headers["cache-control"] == "no-cache"
        assert "immutable" in client.get(f"/{name}?v=1").headers["cache-control"]
    assert client.get("/").headers["cache-control"] == "no-cache"


@pytest.fixture
def own_page(tmp_path: Path) -> Path:
    """A small copy of the page: two modules, a style sheet, and a bundle made from them."""
    for name, content in {
        "icon.svg": "<svg/>",
        "index.html": '<script src="js/main.js"></script>\n  <!-- STYLES OF SCREENS -->\n',
        "js/main.js": "import './lib/b.js'",
        "js/lib/b.js": "1",
        "css/a.css": "a {}",
        "vendor/codemirror.js": "2",
        "js/screens/corpus/corpus.css": "b {}",
        "js/screens/compare/presenter/presenter.css": "c {}",
        "vendor/app.html": '<script src="vendor/page/app-1.js"></script>',
        "vendor/page/app-1.js": "3",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "vendor" / "app.digest").write_text(digest(tmp_path))
    return tmp_path


def test_the_bundle_is_served_if_it_fits_the_sources(own_page: Path):
    client = TestClient(Page(own_page))
    assert "vendor/page/app-1.js" in client.get("/").text
    assert "immutable" in client.get("/vendor/page/app-1.js").headers["cache-control"]
    assert "immutable" not in client.get("/vendor/codemirror.js").headers["cache-control"]


def test_the_sources_are_read_once(own_page: Path, monkeypatch):
    read = []
    monkeypatch.setattr(page_module, "digest", lambda folder: read.append(folder) or digest(folder))
    client = TestClient(Page(own_page))
    assert client.get("/").text == client.get("/").text
    assert read == [own_page]
    TestClient(Page(own_page, bundled=False)).get("/")
    assert len(read) == 1


@pytest.mark.parametrize(
    "changed",
    ["js/main.js", "js/lib/new.js", "js/screens/corpus/corpus.css", "index.html", "icon.svg", "vendor/codemirror.js"],
)
def test_after_an_edit_the_modules_are_served(own_page: Path, changed: str):
    (own_page / changed).write_text("edited, js/main.js")
    answer = TestClient(Page(own_page)).get("/")
    assert "vendor/page" not in answer.text and "js/main.js" in answer.text


def test_the_modules_come_with_the_styles_of_every_screen(own_page: Path):
    text = TestClient(Page(own_page, bundled=False)).get("/").text
    for sheet in ("compare/presenter/presenter", "corpus/corpus"):
        assert f'<link rel="stylesheet" href="js/screens/{sheet}.css">' in text
    assert "<!--" not in text


def test_without_a_bundle_the_modules_are_served(own_page: Path):
    (own_page / "vendor" / "app.digest").unlink()
    assert "js/main.js" in TestClient(Page(own_page)).get("/").text


def test_a_developer_gets_the_modules(settings: Settings):
    headers = {"Authorization": f"Bearer {settings.token}"}
    client = TestClient(create_app(replace(settings, dev=True)), base_url="http://127.0.0.1:8123", headers=headers)
    answer = client.get("/")
    named = re.findall('<link rel="modulepreload" href="([^"]+)">', answer.text)
    assert {"js/main.js", "vendor/codemirror.js"} <= set(named) and len(named) == len(set(named))
    assert all((paths.page() / each).is_file() for each in named)
    # Proxies and servers stop at 8 kB.
    assert sum(len(name) + len(value) + 4 for name, value in answer.headers.items()) < 4000


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/pyproject.toml", "/js/../../pyproject.toml", "/.gitignore", "/js", "/nothing"],
)
def test_nothing_else_is_served(client, path):
    assert client.get(path).status_code == 404


def test_the_interactive_pages_need_no_network(client):
    response = client.get("/docs")
    assert response.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', response.text)
    assert addresses and not [address for address in addresses if ":" in address or address.startswith("/")]
    for address in addresses:
        assert client.get(f"/{address}").status_code == 200
    assert "<script>" not in response.text and "style=" not in response.text


def test_the_description_of_the_interface_is_whole(client):
    spec = client.get("/openapi.json").json()
    assert {"/api/v1/tokenize", "/api/v1/compare", "/api/v1/tokenizers/{id}"} <= set(spec["paths"])
    body = spec["paths"]["/api/v1/tokenize"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["tokenizer", "text"]
    answers = spec["paths"]["/api/v1/tokenize"]["post"]["responses"]["200"]["content"]
    assert set(answers) == {"application/json", "application/octet-stream"}
    assert not re.findall(r'"\$ref": "#/(?!components/schemas/)', json.dumps(spec))
    named = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(spec)))
    assert named <= set(spec["components"]["schemas"])
    for path, type in (("/api/v1/jobs/{id}/events", "text/event-stream"), ("/metrics", "text/plain")):
        assert set(spec["paths"][path]["get"]["responses"]["200"]["content"]) == {type}


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/v1/tokenize", "POST"),
        ("/api/v1/tokenizers", "GET, POST"),
        ("/api/v1/jobs/1", "DELETE, GET"),
        ("/healthz", "GET"),
        ("/icon.svg", "GET, HEAD"),
    ],
)
def test_another_method_is_refused_with_those_that_are_allowed(client, refused, path, allowed):
    response = client.request("PATCH", path)
    refused(response, 405, "method_not_allowed")
    assert response.headers["allow"] == allowed


def test_the_page_knows_what_the_backend_takes(client: TestClient, own_page: Path):
    (own_page / "index.html").write_text('<meta name="max-request-bytes" content="__MAX_REQUEST_BYTES__">')
    assert 'content="1234"' in TestClient(Page(own_page, max_request_bytes=1234)).get("/").text
    assert re.search(r'<meta name="max-request-bytes" content="\d+">', client.get("/").text)


def test_the_page_has_the_theme_that_was_chosen(client):
    """From its first paint on: nobody sees a light page before a dark one."""
    for chosen, attribute in (
        (None, ""),
        ("system", ""),
        ("dark", ' data-theme="dark"'),
        ("light", ' data-theme="light"'),
    ):
        client.put("/api/v1/preferences", json={} if chosen is None else {"theme": chosen})
        page = client.get("/").text
        assert re.search(r"<html([^>]*)>", page)[1].replace(' lang="en" data-state="busy"', "") == attribute
        assert page.count("data-theme") == bool(attribute)


def test_the_page_opens_without_a_database(own_page: Path, tmp_path: Path):
    broken = Database(tmp_path / "lab.sqlite3")
    broken.path.write_bytes(b"no database" * 999)
    page = Page(own_page, theme=lambda: theme(broken))
    assert TestClient(page).get("/").status_code == 200
    assert theme(Database(tmp_path / "none.sqlite3")) is None and not (tmp_path / "none.sqlite3").exists()
