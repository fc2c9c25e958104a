"""The comparison with reference libraries over HTTP."""


def test_a_comparison_is_a_job(client, refused, ended):
    body = {"tokenizer": "gpt2", "against": ["tiktoken"], "texts": 30}
    job = ended(client.post("/api/v1/conformance", json=body))
    assert job["state"] == "done" and job["result"]["same"] is True
    assert job["result"]["against"][0]["compared"][0]["source"] == "generated texts"
    # The last one is kept, and is no measurement of cost.
    assert client.get("/api/v1/conformance/bert-base-uncased").json()["last"] is None
    assert client.get("/api/v1/conformance/gpt2").json()["last"]["result"] == job["result"]
    assert client.get("/api/v1/benchmarks/costs").json()["costs"] == []

    refused(client.post("/api/v1/conformance", json={**body, "against": ["spacy"]}), 422, "bad_request")
    refused(client.post("/api/v1/conformance", json={**body, "tokenizer": "none"}), 404, "not_found")


def test_a_sample_without_an_end_is_refused(client, refused):
    for address, tokenizer in (
        ("conformance", '"tokenizer": "gpt2"'),
        ("analyses/robustness", '"tokenizers": ["gpt2"]'),
    ):
        content = '{"corpus": "udhr", "sample_bytes": 1e999, ' + tokenizer + "}"
        headers = {"Content-Type": "application/json"}
        refused(client.post(f"/api/v1/{address}", content=content, headers=headers), 422, "bad_request")


def test_the_libraries_for_a_tokenizer(client):
    found = client.get("/api/v1/conformance/gpt2").json()
    assert found["tokenizer"] == "gpt2"
    assert {each["name"]: each["misfit"] is None for each in found["references"]} == {
        "sentencepiece": False,
        "tiktoken": True,
        "tokenizers": True,
    }
