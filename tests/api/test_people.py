"""People with tokens of their own: each opens the lab, none opens the page of another."""

import logging
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.guard.people import digest_of
from lab_app.api.guard.security import cookie_value, page_path
from tests.api.conftest import ADDRESS, TOKEN

LIST = "/api/v1/tokenizers"
READER, EDITOR = "reader-token-of-at-least-16", "editor-token-of-at-least-16"


@pytest.fixture
def shared(settings, tmp_path):
    """A stranger to a lab that a reader, an editor and the owner of its secret may use."""
    path = tmp_path / "tokens"
    path.write_text(f"reader sha256:{digest_of(READER)}\neditor {EDITOR}\n", encoding="utf-8")
    path.chmod(0o600)
    app = create_app(replace(settings, tokens_file=path, log_level="info"))
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize("token", [READER, EDITOR, TOKEN])
def test_each_token_is_let_in(shared, token):
    assert shared.get(LIST, headers={"Authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.parametrize("token", ["", "reader", digest_of(READER), f"sha256:{digest_of(READER)}", READER + "x"])
def test_no_other_word_is(shared, refused, token):
    refused(shared.get(LIST, headers={"Authorization": f"Bearer {token}"}), 401, "unauthorized")
    assert shared.get(f"/?token={token}").status_code == 401


def test_each_person_has_a_page_of_their_own(shared):
    pages, cookies = {}, {}
    for token in (READER, EDITOR, TOKEN):
        response = shared.get(f"/?token={token}")
        pages[token] = response.headers["location"]
        cookies[token] = response.headers["set-cookie"].partition(";")[0]
        assert f"Path={pages[token]}" in response.headers["set-cookie"]
    shared.cookies.clear()
    assert len(set(pages.values())) == len(set(cookies.values())) == 3
    for whose in pages:
        for given in cookies:
            response = shared.get(pages[whose].rstrip("/") + LIST, headers={"Cookie": cookies[given]})
            assert response.status_code == (200 if whose == given else 401), (whose, given)


def test_who_has_read_the_hashes_has_no_page(shared):
    """What the lab derives of its own secret would be known to all who read the file, derived of a hash."""
    digest = digest_of(READER)
    for secret in (digest, READER):
        cookie = {"Cookie": f"tokenlab={cookie_value(secret)}"}
        assert shared.get(page_path(secret).rstrip("/") + LIST, headers=cookie).status_code == 401


@pytest.mark.parametrize(("token", "name"), [(READER, "reader"), (EDITOR, "editor"), (TOKEN, None)])
def test_the_log_names_who_asked(shared, caplog, token, name):
    with caplog.at_level(logging.INFO):
        shared.get(LIST, headers={"Authorization": f"Bearer {token}"})
    assert [each.request["person"] for each in caplog.records if hasattr(each, "request")] == [name]
