import re

import pytest

from lab_app import paths


def test_the_page_and_its_files(client):
    assert client.get("/").headers["content-type"] == "text/html; charset=utf-8"
    script = client.get("/js/main.js")
    assert (
        script.headers["content-type"].startswith("text/javascript") and script.headers["cache-control"] == "no-cache"
    )
    assert client.get("/css/base.css").headers["content-type"].startswith("text/css")
    assert client.get("/js/main.js", headers={"If-None-Match": script.headers["etag"]}).status_code == 304


def test_files_of_others_may_be_kept(client):
    response = client.get("/vendor/codemirror.js")
    assert response.status_code == 200 and "max-age" in response.headers["cache-control"]


def test_the_page_names_its_scripts_at_once(client):
    link = client.get("/").headers["link"]
    for named in re.findall(r"</([^>]+)>; rel=modulepreload", link):
        assert (paths.page() / named).is_file()
    assert "js/main.js" in link


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
    assert addresses and all(address.startswith("/") and not address.startswith("//") for address in addresses)
    for address in addresses:
        assert client.get(address).status_code == 200
    assert "<script>" not in response.text and "style=" not in response.text


def test_the_description_of_the_interface_is_whole(client):
    spec = client.get("/openapi.json").json()
    assert {"/api/v1/tokenize", "/api/v1/compare", "/api/v1/tokenizers/{id}"} <= set(spec["paths"])
    body = spec["paths"]["/api/v1/tokenize"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["tokenizer", "text"]
    answers = spec["paths"]["/api/v1/tokenize"]["post"]["responses"]["200"]["content"]
    assert set(answers) == {"application/json", "application/octet-stream"}
