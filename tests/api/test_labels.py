"""Names and notes of kept results over HTTP."""

import pytest

SESSION = {"name": "old", "tokenizers": ["gpt2"], "text": "hello world"}


@pytest.fixture
def session(client) -> int:
    return client.post("/api/v1/sessions", json=SESSION).json()["id"]


def listed(client) -> list[tuple[int, str]]:
    return [(each["id"], each["name"]) for each in client.get("/api/v1/sessions").json()["sessions"]]


def test_a_result_gets_a_name_and_a_note_and_loses_them(client, session):
    answer = client.put(f"/api/v1/labels/session/{session}", json={"name": "  for  the talk ", "note": "<b>\n"})
    label = {"kind": "session", "id": session, "name": "for the talk", "note": "<b>"}
    assert answer.json() == label
    assert client.get("/api/v1/labels").json() == {"labels": [label]}
    assert listed(client) == [(session, "for the talk")]

    # A note alone leaves the name.
    assert client.put(f"/api/v1/labels/session/{session}", json={"note": "b"}).json() == {**label, "note": "b"}
    client.put(f"/api/v1/labels/session/{session}", json={"name": ""})
    assert client.get("/api/v1/labels").json() == {"labels": []}
    assert listed(client) == [(session, "old")]


def test_a_label_goes_with_its_result(client, session):
    client.put(f"/api/v1/labels/session/{session}", json={"note": "old"})
    assert client.delete(f"/api/v1/sessions/{session}").status_code == 204
    other = client.post("/api/v1/sessions", json=SESSION).json()["id"]
    assert other != session
    client.put(f"/api/v1/labels/session/{other}", json={"note": "new"})
    assert [each["note"] for each in client.get("/api/v1/labels").json()["labels"]] == ["new"]


def test_what_cannot_be_is_refused(client, refused, session):
    refused(client.put("/api/v1/labels/analysis/7", json={"name": "x"}), 404, "not_found")
    refused(client.put(f"/api/v1/labels/session/{10**30}", json={"name": "x"}), 404, "not_found")
    refused(client.put("/api/v1/labels/poem/1", json={"name": "x"}), 422, "bad_request")
    refused(client.put(f"/api/v1/labels/session/{session}", json={"name": "x" * 201}), 422, "bad_request")
    refused(client.put(f"/api/v1/labels/session/{session}", json={"note": "x" * 10_001}), 422, "bad_request")
    assert client.get("/api/v1/labels").json() == {"labels": []}
