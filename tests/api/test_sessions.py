def test_a_session_from_saving_to_deleting(client, refused):
    body = {"name": "My text", "tokenizers": ["gpt2"], "text": "Hello, world", "view": {"screen": "inspect"}}
    saved = client.post("/api/v1/sessions", json=body)
    assert saved.status_code == 201
    id = saved.json()["id"]
    (listed,) = client.get("/api/v1/sessions").json()["sessions"][0]["results"]
    assert (listed["tokenizer"], listed["count"], len(listed["sha256"])) == ("gpt2", 3, 64)
    found = client.get(f"/api/v1/sessions/{id}").json()
    assert found["text"] == "Hello, world" and found["view"] == {"screen": "inspect"}
    (result,) = found["results"]
    assert (result["tokenizer"], result["count"], len(result["sha256"])) == ("gpt2", 3, 64)
    (change,) = client.post(f"/api/v1/sessions/{id}/run").json()["changes"]
    assert change["same"] is True and change["count_now"] == 3
    assert client.delete(f"/api/v1/sessions/{id}").status_code == 204
    refused(client.get(f"/api/v1/sessions/{id}"), 404, "not_found")


def test_a_session_goes_to_a_file_and_comes_back(client, refused):
    body = {"name": "For a colleague", "tokenizers": ["gpt2", "bert-base-uncased"], "text": "Hello 日本"}
    id = client.post("/api/v1/sessions", json=body).json()["id"]
    file = client.get(f"/api/v1/sessions/{id}/file")
    assert file.headers["content-disposition"] == f'attachment; filename="session-{id}.json"'
    opened = client.post("/api/v1/sessions/file", json=file.json())
    assert opened.status_code == 201
    first, second = (client.get(f"/api/v1/sessions/{each}").json() for each in (id, opened.json()["id"]))
    assert {**first, "id": 0} == {**second, "id": 0}
    refused(client.post("/api/v1/sessions/file", json={**file.json(), "text": "other"}), 422, "bad_request")
    refused(client.post("/api/v1/sessions/file", json=[1]), 422, "bad_request")


def test_ids_of_sessions_are_numbers(client, refused):
    refused(client.get("/api/v1/sessions/x"), 422, "bad_request")


def test_sessions_are_not_for_strangers(stranger):
    assert stranger.get("/api/v1/sessions").status_code == 401
