"""The guide is served to every browser, under a policy of its own; what is not in it does not exist."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from lab_app import paths


@pytest.fixture
def own_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "_static").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><script>\n a() \n</script><script src=x.js></script>Guide")
    (tmp_path / "_static" / "x.js").write_text("b()")
    (tmp_path.parent / "secret").write_text("not for you")
    monkeypatch.setattr(paths, "guide", lambda: tmp_path)
    return tmp_path


def test_the_guide_needs_no_secret(stranger: TestClient, own_guide: Path):
    assert stranger.get("/guide").headers["location"] == "/guide/"
    assert "Guide" in stranger.get("/guide/").text
    assert stranger.get("/guide/_static/x.js").headers["content-type"].startswith("text/javascript")
    elsewhere = stranger.get("/guide/", headers={"Host": "elsewhere.example"})
    assert elsewhere.status_code == 403 and "Guide" not in elsewhere.text


def test_only_the_scripts_of_the_page_run(stranger: TestClient, own_guide: Path):
    policy = stranger.get("/guide/").headers["content-security-policy"]
    digest = base64.b64encode(hashlib.sha256(b"\n a() \n").digest()).decode()
    scripts = re.search("script-src ([^;]*)", policy)[1]
    assert scripts == f"'self' 'sha256-{digest}'"
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path", ["nothing.html", "..%2fsecret", "%2e%2e/secret", "_static", "_static/", ".hidden", "a%00b"]
)
def test_what_is_not_in_the_guide_is_not_there(stranger: TestClient, own_guide: Path, path: str):
    answer = stranger.get(f"/guide/{path}")
    assert answer.status_code == 404 and "not for you" not in answer.text


def test_a_guide_that_was_not_built_says_so(stranger: TestClient, own_guide: Path):
    (own_guide / "index.html").unlink()
    answer = stranger.get("/guide/")
    assert answer.status_code == 404 and "make guide" in answer.json()["error"]["hint"]
