"""Robustness over HTTP."""


def test_robustness_is_a_job(client, refused, ended, tmp_path):
    (tmp_path / "mine.txt").write_text("It is a plain sentence. Another one follows it.\n")
    body = {"tokenizers": ["gpt2"], "corpus": str(tmp_path / "mine.txt"), "sentences": 3}
    job = ended(client.post("/api/v1/analyses/robustness", json=body))
    assert job["state"] == "done" and job["result"]["tokenizers"][0]["kinds"][0]["edits"] == 2
    refused(client.post("/api/v1/analyses/robustness", json={**body, "kinds": ["odd"]}), 422, "bad_request")
