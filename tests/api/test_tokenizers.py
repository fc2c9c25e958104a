import json
import os
import subprocess
import sys

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.window_requests import WindowRequests
from tests import tiny
from tests.api.conftest import ADDRESS, TOKEN

LIST = "/api/v1/tokenizers"


def ids(client):
    return [entry["id"] for entry in client.get(LIST).json()["tokenizers"]]


def test_the_list_has_every_field_of_the_interface(client):
    entries = client.get(LIST).json()["tokenizers"]
    assert [entry["id"] for entry in entries[:4]] == ["gpt2", "cl100k_base", "o200k_base", "bert-base-uncased"]
    for entry in entries:
        assert set(entry) == {
            "id", "name", "family", "available", "source", "vocab_size", "base_vocab_size", "merge_count", "licence", "origin",
            "sha256", "size_bytes", "special_tokens", "stages", "changing_stages", "lossy", "truncation", "padding", "ignored_fields", "note", "repository", "revision", "gated", "checked", "needs", "problem",
        }  # fmt: skip


def test_without_a_database_texts_are_encoded_and_the_list_says_why_it_is_short(client, settings, refused):
    settings.data_dir.mkdir()
    (settings.data_dir / "lab.sqlite3").write_bytes(b"garbage" * 1000)
    answer = client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": "a b", "fields": ["ids"]})
    assert answer.status_code == 200 and answer.json()["ids"] == [64, 275]
    found = client.get(LIST).json()
    assert {"gpt2", "bert-base-uncased"} < {entry["id"] for entry in found["tokenizers"] if entry["available"]}
    assert (
        "lab.sqlite3 is damaged" in found["problem"]["message"] and "then repair the file" in found["problem"]["hint"]
    )
    error = refused(client.put("/api/v1/preferences", json={}), 503, "store_error")
    assert error["message"] == found["problem"]["message"]


@pytest.mark.parametrize("id", ["gpt2", "GPT2", "bert-base-uncased", "t5-base"])
def test_one_is_described_as_in_the_list_and_as_info_does(client, settings, id):
    entry = client.get(f"{LIST}/{id}").json()
    assert entry in client.get(LIST).json()["tokenizers"] and entry["id"] == id.lower()
    environment = {**os.environ, "TOKENLAB_DATA_DIR": str(settings.data_dir), "TOKENLAB_OFFLINE": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "lab_app", "info", id, "--format", "json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == entry


def test_an_unknown_one_is_not_found(client, refused):
    assert "gpt9" in refused(client.get(f"{LIST}/gpt9"), 404, "not_found")["message"]


def test_the_first_list_of_a_fresh_data_folder_loads_no_tokenizer(client, monkeypatch):
    monkeypatch.setattr("lab_app.services.loaded.load", None)
    entries = client.get(LIST).json()["tokenizers"]
    assert all(entry["vocab_size"] for entry in entries if entry["source"] == "built in")


def test_a_path_of_this_machine_is_added_and_survives_a_restart(client, settings, tmp_path):
    path = tiny.vocab_and_merges(tmp_path / "mine").parent
    response = client.post(LIST, json={"path": str(path)})
    assert response.status_code == 201 and response.json()["id"] == "mine" and response.json()["source"] == "added"
    with TestClient(create_app(settings), base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as again:
        assert ids(again)[-1] == "mine"
        assert again.post("/api/v1/tokenize", json={"tokenizer": "mine", "text": "hello"}).json()["ids"] == [259]


def test_a_rank_file_with_what_it_does_not_say(client, tmp_path):
    body = {"path": str(tiny.rank_file(tmp_path)), "id": "ranks", "pattern": "gpt2", "special_tokens": {"<s>": 260}}
    assert client.post(LIST, json=body).json()["special_tokens"] == [{"text": "<s>", "id": 260}]


def test_files_that_are_sent(client, tmp_path):
    folder = tiny.vocab_and_merges(tmp_path / "mine").parent
    files = [("files", (file.name, file.read_bytes())) for file in folder.iterdir()]
    response = client.post(f"{LIST}/files", files=files, data={"id": "sent"})
    assert response.status_code == 201, response.text
    assert response.json()["id"] == "sent" and response.json()["origin"] is None
    assert client.post("/api/v1/tokenize", json={"tokenizer": "sent", "text": "hello"}).json()["ids"] == [259]
    response = client.post(f"{LIST}/files", files=[("files", ("my-bert.txt", tiny.vocab_txt(tmp_path).read_bytes()))])
    assert response.json()["id"] == "my-bert"


@pytest.mark.parametrize("name", ["../../evil.txt", "..\\evil.txt", "/etc/evil.txt", "C:\\evil.txt"])
def test_a_name_that_is_a_path_is_a_name_only(client, tmp_path, name):
    files = [("files", (name, tiny.vocab_txt(tmp_path / "a").read_bytes()))]
    assert client.post(f"{LIST}/files", files=files).json()["id"] == "evil"
    assert [path.name for path in tmp_path.rglob("evil.txt")] == ["evil.txt"]


def test_no_files_no_tokenizer(client, refused):
    refused(client.post(f"{LIST}/files", data={"id": "x"}), 422, "bad_request")
    refused(client.post(f"{LIST}/files", files=[("files", ("", b""))]), 422, "bad_request")
    refused(
        client.post(f"{LIST}/files", content=b"x", headers={"Content-Type": "multipart/form-data"}), 400, "bad_request"
    )


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01"


def truncated_rank_file(folder):
    path = tiny.rank_file(folder)
    path.write_bytes(path.read_bytes()[:-4])
    return path


def png_as_vocabulary(folder):
    path = tiny.vocab_txt(folder)
    path.write_bytes(PNG)
    return path


def merges_of_another_tokenizer(folder):
    path = tiny.vocab_and_merges(folder)
    path.with_name("merges.txt").write_text("h e\nq zz\n")
    return path


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (truncated_rank_file, "tiny.tiktoken line 260"),
        (png_as_vocabulary, "vocab.txt"),
        (merges_of_another_tokenizer, "merges.txt line"),
    ],
)
def test_bad_files_are_refused_and_nothing_is_lost(client, refused, settings, tmp_path, make, place):
    client.post(LIST, json={"path": str(tiny.vocab_txt(tmp_path / "before"))})
    before = ids(client)
    body = {"path": str(make(tmp_path / "bad")), "pattern": "gpt2"}
    error = refused(client.post(LIST, json=body), 422, "load_error")
    assert place in error["message"]
    assert ids(client) == before
    assert len(list((settings.data_dir / "tokenizers").iterdir())) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "bad_request"),
        ({"path": "/a", "known": "b"}, 422, "bad_request"),
        ({"known": "a", "hub": "b"}, 422, "bad_request"),
        ({"hub": "a b"}, 422, "bad_request"),
        ({"hub": "a b", "wait": False}, 422, "bad_request"),
        ({"hub": "a/b", "wait": False, "id": "../x"}, 422, "bad_request"),
        ({"hub": "a/b", "pattern": "gpt2"}, 422, "bad_request"),
        ({"hub": "a/b"}, 503, "unavailable"),
        ({"known": "gpt9", "wait": False}, 404, "not_found"),
        ({"path": "relative/vocab.txt"}, 422, "bad_request"),
        ({"path": "/no/such/file"}, 404, "not_found"),
        ({"known": "gpt9"}, 404, "not_found"),
        ({"known": "t5-base"}, 503, "unavailable"),  # the tests' lab is offline
    ],
)
def test_what_cannot_be_added_is_told(client, refused, body, status, code):
    refused(client.post(LIST, json=body), status, code)


def test_a_taken_or_impossible_id_is_refused(client, refused, tmp_path):
    path = str(tiny.vocab_txt(tmp_path / "mine"))
    refused(client.post(LIST, json={"path": path, "id": "gpt2"}), 409, "conflict")
    refused(client.post(LIST, json={"path": path, "id": "../x"}), 422, "bad_request")


def test_files_sent_without_an_id_get_a_free_one_and_the_same_files_are_the_same_tokenizer(client):
    def send(words):
        return client.post(f"{LIST}/files", files=[("files", ("tokenizer.json", words))])

    def definition(token):
        return json.dumps({"model": {"type": "WordLevel", "vocab": {token: 0}, "unk_token": token}})

    sent = [send(definition(token)) for token in "abab"]
    assert [answer.status_code for answer in sent] == [201] * 4, [answer.text for answer in sent]
    assert [answer.json()["id"] for answer in sent] == ["WordLevel-1", "WordLevel-1-2"] * 2


def test_renaming(client, refused, tmp_path):
    assert client.post(LIST, json={"path": str(tiny.vocab_txt(tmp_path / "mine"))}).status_code == 201
    renamed = client.patch(f"{LIST}/mine", json={"name": "My tokenizer"})
    assert (renamed.status_code, renamed.json()["id"], renamed.json()["name"]) == (200, "mine", "My tokenizer")
    refused(client.patch(f"{LIST}/gpt2", json={"name": "mine"}), 409, "conflict")


def test_removing(client, refused, tmp_path):
    before = ids(client)
    client.post(LIST, json={"path": str(tiny.vocab_txt(tmp_path / "mine"))})
    assert client.delete(f"{LIST}/mine").status_code == 204
    refused(client.delete(f"{LIST}/mine"), 404, "not_found")
    refused(client.delete(f"{LIST}/gpt2"), 409, "conflict")
    assert ids(client) == before


def test_tokens_of_a_vocabulary(client, refused):
    found = client.get("/api/v1/vocabulary/gpt2?ids=995,10545,50256").json()["tokens"]
    assert [token["text"] for token in found] == [" world", None, "<|endoftext|>"]
    assert [token["special"] for token in found] == [False, False, True]
    assert found[1]["bytes"] == "20e6"
    assert client.get("/api/v1/vocabulary/gpt2?ids=").json() == {"tokens": []}
    refused(client.get("/api/v1/vocabulary/gpt2?ids=a"), 422, "bad_request")
    refused(client.get("/api/v1/vocabulary/gpt2"), 422, "bad_request")
    refused(client.get("/api/v1/vocabulary/gpt2?ids=50257"), 422, "decode_error")
    refused(client.get(f"/api/v1/vocabulary/gpt2?ids={','.join(['1'] * 1001)}"), 422, "bad_request")
    refused(client.get("/api/v1/vocabulary/gpt9?ids=1"), 404, "not_found")


def test_preferences_are_the_pages(client, refused):
    assert client.get("/api/v1/preferences").json() == {}
    assert client.put("/api/v1/preferences", json={"theme": "dark"}).json() == {"theme": "dark"}
    assert client.get("/api/v1/preferences").json() == {"theme": "dark"}
    refused(client.put("/api/v1/preferences", json=["dark"]), 422, "bad_request")
    refused(client.put("/api/v1/preferences", json={"x": "x" * 70_000}), 413, "too_large")


def test_a_server_without_a_window_says_so(client, refused, settings):
    refused(client.post("/api/v1/window"), 404, "not_found")
    called = []
    with TestClient(create_app(settings, window_requests=WindowRequests(called.append)), base_url=ADDRESS) as other:
        assert other.post("/api/v1/window", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 204
    assert called == [False]


def test_a_recipe_is_tried_and_then_kept(client, refused):
    assert "NFKC" in client.get("/api/v1/compose").json()["normalizers"]
    recipe = {"base": "gpt2", "normalizers": ["Lowercase"]}
    before = ids(client)
    tried = client.post("/api/v1/compose", json={"recipe": recipe, "text": "HELLO"}).json()
    assert (tried["tokenizer"], tried["ids"]) == ("preview", [31373]) and ids(client) == before
    kept = client.post(LIST, json={"recipe": recipe, "id": "quiet"})
    assert kept.status_code == 201 and kept.json()["source"] == "composed"
    assert client.post("/api/v1/tokenize", json={"tokenizer": "quiet", "text": "HELLO"}).json()["ids"] == [31373]
    refused(client.post(LIST, json={"recipe": recipe}), 422, "bad_request")
    refused(client.post("/api/v1/compose", json={"recipe": {"base": "gpt9"}, "text": ""}), 404, "not_found")
    wrong = {"base": "gpt2", "normalizers": [{"type": "Replace"}]}
    refused(client.post("/api/v1/compose", json={"recipe": wrong, "text": ""}), 422, "load_error")
