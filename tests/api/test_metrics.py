"""Live metrics over HTTP: what was encoded is counted, for programs and for Prometheus, and strangers learn nothing."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from lab_app.services import live_metrics

TEXTS = ["Hello, world", "one two three four five six"]


@pytest.fixture(autouse=True)
def slow_texts_are_sampled(monkeypatch):
    """A busy machine may take long for the first text."""
    monkeypatch.setattr(live_metrics, "SAMPLED_NS", 10**12)


def test_texts_are_counted(client):
    assert client.get("/api/v1/metrics/GPT2").json()["texts"] == 0
    counts = []
    for text in TEXTS:
        answer = client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": text}).json()
        counts.append(answer["count"])
    found = client.get("/api/v1/metrics/gpt2").json()
    assert (found["texts"], found["tokens"]) == (2, sum(counts))
    assert found["characters"] == sum(map(len, TEXTS))
    ratios = [len(text) / count for text, count in zip(TEXTS, counts, strict=True)]
    mean = sum(ratios) / 2
    assert found["characters_per_token"]["mean"] == pytest.approx(mean)
    assert found["characters_per_token"]["deviation"] == pytest.approx(abs(ratios[0] - ratios[1]) / 2**0.5)
    assert found["tokens_per_s"] == pytest.approx(found["tokens"] / found["elapsed_ns"] * 1e9)
    # The first text of a tokenizer is sampled. GPT-2 has no normalizer.
    assert (found["stages"]["texts"], found["stages"]["normalizer_ns"]) == (1, None)
    assert found["stages"]["model_ns"] >= 0
    assert client.get("/api/v1/metrics").json()["tokenizers"][0]["tokenizer"] == "gpt2"


def test_batches_are_counted(client):
    batch = client.post("/api/v1/tokenize_batch", json={"tokenizer": "gpt2", "texts": TEXTS}).json()
    found = client.get("/api/v1/metrics/gpt2").json()
    assert (found["texts"], found["tokens"]) == (2, sum(batch["counts"]))
    assert found["characters_per_token"] is None and found["stages"] is None


def test_an_unknown_tokenizer(client, refused):
    refused(client.get("/api/v1/metrics/nobody/none"), 404, "not_found")


def test_prometheus(client):
    for text in TEXTS:
        client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": text})
    response = client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    samples = {
        (sample.name, sample.labels.get("tokenizer"), sample.labels.get("stage")): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }
    assert samples["tokenlab_texts_total", "gpt2", None] == 2
    assert samples["tokenlab_characters_total", "gpt2", None] == sum(map(len, TEXTS))
    assert samples["tokenlab_sampled_texts_total", "gpt2", None] == 1
    assert samples["tokenlab_stage_seconds_total", "gpt2", "model"] >= 0
    assert ("tokenlab_stage_seconds_total", "gpt2", "normalizer") not in samples


@pytest.mark.parametrize("path", ["/metrics", "/api/v1/metrics", "/api/v1/metrics/gpt2"])
def test_strangers_learn_nothing(client, stranger, refused, path):
    refused(stranger.get(path), 401, "unauthorized")
    assert client.get(path, headers={"Host": "evil.example"}).status_code == 403
