"""Edits over HTTP: `/edits`."""

EDITS = [{"kind": "add_words", "words": ["regolith"]}, {"kind": "greedy", "on": False}]


def test_edits_make_a_draft_that_other_calls_take(client):
    done = client.post("/api/v1/edits", json={"base": "gpt2", "edits": EDITS, "text": "regolith"}).json()
    assert (done["vocab_size"], done["added"][0]["token"], done["problem"]) == (50258, "Ġregolith", None)
    body = {"tokenizers": ["gpt2", done["draft"]], "text": "the regolith"}
    found = client.post("/api/v1/compare", json=body).json()
    assert [each["count"] for each in found["tokenizers"]] == [3, 2]
    checks = client.post("/api/v1/edits/checks", json={"base": "gpt2", "edits": EDITS}).json()["checks"]
    assert [(check["name"], check["passed"]) for check in checks] == [("reachable", True), ("merges", True)]


def test_a_refused_edit_is_the_problem_and_a_wrong_one_an_error(client):
    done = client.post(
        "/api/v1/edits", json={"base": "gpt2", "edits": [*EDITS, {"kind": "add_words", "words": ["a-b"]}]}
    )
    assert done.json()["problem"]["number"] == 3 and done.json()["added_count"] == 1
    wrong = client.post("/api/v1/edits", json={"base": "gpt2", "edits": [{"kind": "sharpen"}]})
    assert wrong.status_code == 422 and "edit 1 has the kind 'sharpen'" in wrong.json()["error"]["message"]
    assert client.post("/api/v1/edits", json={"base": "gpt9", "edits": []}).status_code == 404


def test_a_result_is_added_and_its_map_is_a_file(client):
    body = {"base": "gpt2", "edits": EDITS}
    rows = client.post("/api/v1/edits/rows", json={**body, "format": "csv"})
    assert rows.headers["content-disposition"].endswith('"rows.csv"') and "Ġregolith,mean of parts,,50257" in rows.text
    assert client.post("/api/v1/edits/tokenizer", json={**body, "id": "gpt2-mars"}).json()["vocab_size"] == 50258
    assert client.post("/api/v1/edits/tokenizer", json={**body, "id": "gpt2-mars"}).status_code == 409


def test_a_recipe_is_written_and_read(client):
    written = client.post("/api/v1/edits/recipe", json={"edits": EDITS}).json()["toml"]
    read = client.post("/api/v1/edits/recipe/read", json={"toml": written}).json()["edits"]
    assert read == [{"kind": "add_words", "on": True, "words": ["regolith"]}, {"kind": "greedy", "on": False}]
    assert "add_words" in client.get("/api/v1/edits").json()["kinds"]


def test_a_corpus_is_measured(client):
    body = {"base": "gpt2", "edits": EDITS, "corpus": "udhr", "run": "one"}
    found = client.post("/api/v1/edits/corpus", json=body).json()
    ended = client.get("/api/v1/edits/runs/one").json()
    assert ended == {"edit": None, "done_bytes": 0, "total_bytes": None}
    assert found["total"]["before"] >= found["total"]["after"] > 0 and len(found["languages"]) > 10
