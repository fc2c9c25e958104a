def test_a_session_from_saving_to_deleting(client, refused):
    body = {"name": "My text", "tokenizers": ["gpt2"], "text": "Hello, world", "view": {"screen": "inspect"}}
    saved = client.post("/api/v1/sessions", json=body)
    assert saved.status_code == 201
    id = saved.json()["id"]
    assert client.get("/api/v1/sessions").json()["sessions"][0]["counts"] == {"gpt2": 3}
    found = client.get(f"/api/v1/sessions/{id}").json()
    assert found["text"] == "Hello, world" and found["view"] == {"screen": "inspect"}
    (result,) = found["results"]
    assert (result["tokenizer"], result["count"], len(result["sha256"])) == ("gpt2", 3, 64)
    (change,) = client.post(f"/api/v1/sessions/{id}/run").json()["changes"]
    assert change["same"] is True and change["count_now"] == 3
    assert client.delete(f"/api/v1/sessions/{id}").status_code == 204
    refused(client.get(f"/api/v1/sessions/{id}"), 404, "not_found")


def test_ids_of_sessions_are_numbers(client, refused):
    refused(client.get("/api/v1/sessions/x"), 422, "bad_request")


def test_sessions_are_not_for_strangers(stranger):
    assert stranger.get("/api/v1/sessions").status_code == 401
