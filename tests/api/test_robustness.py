"""Robustness over HTTP."""

import time


def test_robustness_is_a_job(client, refused, tmp_path):
    (tmp_path / "mine.txt").write_text("It is a plain sentence. Another one follows it.\n")
    body = {"tokenizers": ["gpt2"], "corpus": str(tmp_path / "mine.txt"), "sentences": 3}
    response = client.post("/api/v1/analyses/robustness", json=body)
    assert response.status_code == 202
    while (job := client.get(f"/api/v1/jobs/{response.json()['id']}").json())["state"] in ("waiting", "running"):
        time.sleep(0.01)
    assert job["state"] == "done" and job["result"]["tokenizers"][0]["kinds"][0]["edits"] == 2
    refused(client.post("/api/v1/analyses/robustness", json={**body, "kinds": ["odd"]}), 422, "bad_request")
