"""Files that a later start of the lab hands over to the one that runs."""

import gzip

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.window_requests import MOST_FILES, WindowRequests
from lab_app.errors import Unavailable
from tests import tiny
from tests.api.conftest import ADDRESS, TOKEN
from tests.waiting import PATIENCE_S


@pytest.fixture
def asked() -> list[bool]:
    """What the window was asked for: true, to open files."""
    return []


@pytest.fixture
def client(settings, asked):
    app = create_app(settings, window_requests=WindowRequests(asked.append))
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        yield client


def opened(client, *paths) -> list[dict]:
    """What the page is given of files that were handed over; without what is null."""
    assert client.post("/api/v1/window/files", json={"paths": [str(path) for path in paths]}).status_code == 204
    files = client.post("/api/v1/window/opened").json()["files"]
    return [{name: value for name, value in file.items() if value is not None} for file in files]


def test_files_are_opened_once(client, asked, tmp_path):
    text = tmp_path / "a b.txt"
    text.write_text("Grüße", encoding="utf-8")
    assert opened(client, text) == [{"name": "a b.txt", "kind": "text", "text": "Grüße", "encoding": "UTF-8"}]
    assert asked == [True]
    assert client.post("/api/v1/window/opened").json() == {"files": []}


def test_a_tokenizer_is_added_once_with_the_files_that_belong_to_it(client, tmp_path):
    vocab = tiny.vocab_and_merges(tmp_path / "mine")
    merges = vocab.with_name("merges.txt")
    first = opened(client, vocab, merges)
    assert [file["kind"] for file in first] == ["tokenizer"]
    assert opened(client, vocab) == first
    entry = client.get(f"/api/v1/tokenizers/{first[0]['tokenizer']}").json()
    assert entry["source"] == "added" and entry["merge_count"] == 4


def test_an_unknown_rank_file_is_given_back_for_its_pattern_to_be_asked(client, tmp_path):
    path = tiny.rank_file(tmp_path)
    assert opened(client, path) == [{"name": path.name, "kind": "rank file", "text": path.read_text()}]


def test_several_texts_tables_and_folders_are_one_corpus(client, tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "c.txt").write_text("three\n")
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"two\n"))
    found = opened(client, tmp_path / "a.txt", tmp_path / "b.txt.gz", tmp_path / "more")
    assert [file["kind"] for file in found] == ["text", "corpus"]
    (tmp_path / "d.txt").write_text("four\n")
    (file,) = opened(client, *(tmp_path / name for name in ("a.txt", "b.txt.gz", "more", "d.txt")))
    done = client.app.state.lab.jobs.wait(file["job"]["id"], PATIENCE_S)
    assert done.state == "done" and done.result.documents == 4


def test_what_cannot_be_opened_is_said_and_the_others_are_opened(client, tmp_path):
    (tmp_path / "gone.txt").write_text("x")
    (tmp_path / "bad.model").write_text("not a model")
    (tmp_path / "a.txt").write_text("text")
    paths = [tmp_path / name for name in ("gone.txt", "bad.model", "a.txt")]
    assert client.post("/api/v1/window/files", json={"paths": [str(path) for path in paths]}).status_code == 204
    paths[0].unlink()
    files = client.post("/api/v1/window/opened").json()["files"]
    assert [(file["name"], file["kind"]) for file in files] == [
        ("gone.txt", "problem"),
        ("bad.model", "problem"),
        ("a.txt", "text"),
    ]
    assert all(file["problem"]["message"] and file["problem"]["hint"] for file in files[:2])


def test_a_corpus_that_cannot_be_started_loses_no_other_answer(client, tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise Unavailable("64 jobs wait", "wait until one ends")

    monkeypatch.setattr("lab_app.services.corpora.corpora.start_adding", refuse)
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "b.csv").write_text("text\na\n")
    assert opened(client, tmp_path / "a.txt", tmp_path / "b.csv") == [
        {"name": "a.txt", "kind": "text", "text": "text", "encoding": "UTF-8"},
        {"name": "b.csv", "kind": "problem", "problem": {"message": "64 jobs wait", "hint": "wait until one ends"}},
    ]


def test_no_more_files_wait_than_one_call_may_name(client, tmp_path, refused):
    path = tmp_path / "a.txt"
    path.write_text("text")
    most = {"paths": [str(path)] * MOST_FILES}
    assert client.post("/api/v1/window/files", json=most).status_code == 204
    refused(client.post("/api/v1/window/files", json={"paths": [str(path)]}), 409, "conflict")
    assert [file["name"] for file in client.post("/api/v1/window/opened").json()["files"]] == ["a.txt"]
    assert opened(client, path), "the page has taken those that waited"


def test_bad_requests_are_refused(client, asked, refused):
    refused(client.post("/api/v1/window/files", json={"paths": ["notes.txt"]}), 422, "bad_request")
    refused(client.post("/api/v1/window/files", json={"paths": []}), 422, "bad_request")
    assert not asked


def test_a_server_without_a_window_opens_nothing(settings, refused, tmp_path):
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as server:
        refused(server.post("/api/v1/window/files", json={"paths": [str(tmp_path)]}), 404, "not_found")
        refused(server.post("/api/v1/window/opened"), 404, "not_found")


def test_only_who_knows_the_secret_may_name_files(settings, tmp_path, asked, refused):
    app = create_app(settings, window_requests=WindowRequests(asked.append))
    with TestClient(app, base_url=ADDRESS) as stranger:
        refused(stranger.post("/api/v1/window/files", json={"paths": [str(tmp_path)]}), 401, "unauthorized")
    assert not asked
