"""Benchmarks over HTTP: started as a job, listed, read, run again, compared, saved, deleted."""

import pytest

from lab_app.benchmarks.speed import noise, runner
from lab_app.jobs.job import Job
from tests.waiting import until

V1 = "/api/v1"
TEXT = {"kind": "text", "name": "Two words", "text": "two words and more\n" * 400}
BODY = {"preset": "reference", "tokenizer": "gpt2", "source": TEXT, "rounds": 5, "shape": "documents"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(noise, "SAMPLES", 10)
    monkeypatch.setattr(runner, "SAMPLE_NS", 1_000_000)


def run(client, path: str = "/benchmarks", body: object = BODY) -> dict:
    """Waits for the job that a call starts and returns its result."""
    answer = client.post(V1 + path, json=body)
    assert answer.status_code == 202, answer.text
    lab = client.app.state.lab
    ids = set()

    def look() -> Job | None:
        job = lab.jobs.job(answer.json()["id"])
        ids.add(getattr(job.result, "id", None))
        return job if job.ended else None

    job = until(look, "the benchmark does not end")
    assert job.state == "done", job
    assert len(ids - {None}) == 1, "the id is known while it runs"
    return client.get(f"{V1}/jobs/{job.id}").json()["result"]


def test_a_benchmark_from_start_to_end(client):
    row = run(client)
    assert client.get(f"{V1}/benchmarks").json()["benchmarks"] == [row]
    assert (row["engines"], row["tokenizers"], row["state"]) == (["tiktoken", "tokenlab"], ["gpt2"], "done")
    address = f"{V1}/benchmarks/{row['id']}"
    found = client.get(address).json()
    first, ours = found["rows"]
    assert first["state"] == ours["state"] == "ok" and ours["exactness"]["differing"] == 0
    assert first["tokens"] == ours["tokens"] == 2000 and found["text"]["bytes"] == 7600
    assert row["winner"] in (first["key"], ours["key"]) and found["baseline"] == first["key"]
    stages = ours["stages"]
    assert first["stages"] is None and (stages["path"], stages["tokens"], stages["same_ids"]) == ("fast", 2000, True)
    assert stages["total_ns"] == stages["pretokenizer_ns"] + stages["model_ns"] + stages["output_ns"]
    assert stages["cache"]["hits"] > stages["cache"]["misses"] >= 0 and stages["normalizer_ns"] is None
    figures = {each["name"]: each["reason"] for each in client.get(f"{address}/figures").json()["figures"]}
    assert figures["stages"] is None
    assert "--subject gpt2/tiktoken --subject gpt2/tokenlab" in found["command"]

    again = run(client, f"/benchmarks/{row['id']}/run", None)
    compared = client.get(f"{address}/compare/{again['id']}").json()
    assert compared["same_text"] and compared["same_machine"] and compared["added"] == compared["removed"] == []
    assert [each["quantity"] for each in compared["rows"]] == ["throughput", "ratio"]
    assert all(each["low"] <= each["change"] <= each["high"] for each in compared["rows"])

    assert client.get(f"{address}/file").json()["rows"] == found["rows"]
    saved = client.get(f"{address}/file", params={"format": "csv"})
    assert saved.headers["content-disposition"] == f'attachment; filename="benchmark-{row["id"]}.csv"'
    assert saved.text.splitlines()[1].startswith(f'{first["rank"]},"gpt2","tiktoken",')
    for format, mark in (("md", "# tiktoken, tokenlab: gpt2"), ("html", "<!doctype html>")):
        assert client.get(f"{address}/file", params={"format": format}).text.startswith(mark)

    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == client.delete(address).status_code == 404
    assert [each["id"] for each in client.get(f"{V1}/benchmarks").json()["benchmarks"]] == [again["id"]]


def test_presets_engines_and_environment(client):
    presets = client.get(f"{V1}/benchmarks/presets", params={"tokenizer": "bert-base-uncased"}).json()
    assert [each["name"] for each in presets["presets"]] == ["bert-gpt2", "reference", "installed"]
    assert presets["presets"][1]["subjects"] == [
        {"tokenizer": "bert-base-uncased", "engine": "tokenizers"},
        {"tokenizer": "bert-base-uncased", "engine": "tokenlab"},
    ]
    engines = {each["name"]: each for each in client.get(f"{V1}/benchmarks/engines").json()["engines"]}
    assert engines["tokenlab"]["version"] and engines["tokie"]["misfit"] is None
    assert (engines["tokie"]["version"] is None) == (engines["tokie"]["install"] == "pip install tokie")
    known = client.get(f"{V1}/benchmarks/engines", params={"tokenizer": "gpt2"}).json()["engines"]
    assert next(each["misfit"] for each in known if each["name"] == "sentencepiece")
    assert client.get(f"{V1}/benchmarks/environment").json()["environment"]["logical_cpus"] >= 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"preset": None}, "give subjects or a preset"),
        ({"preset": "all"}, 'there is no preset "all"'),
        ({"preset": None, "subjects": []}, "0 subjects"),
        ({"preset": None, "subjects": [{"tokenizer": "gpt2", "engine": "magic"}]}, 'no engine "magic"'),
        ({"baseline": "gpt2/kitoken"}, "the baseline gpt2/kitoken is not measured"),
        ({"threads": 10_000}, "threads is 10000"),
        ({"source": {"kind": "text", "text": ""}}, "the text is empty"),
    ],
)
def test_settings_that_cannot_be_are_refused_at_once(client, refused, changes: dict, words: str):
    assert words in refused(client.post(f"{V1}/benchmarks", json=BODY | changes), 422, "bad_request")["message"]


def test_unknown_things_are_not_found(client, refused):
    subjects = [{"tokenizer": "nobody", "engine": "tokenlab"}]
    for answer in (
        client.post(f"{V1}/benchmarks", json=BODY | {"preset": None, "subjects": subjects}),
        client.post(f"{V1}/benchmarks", json=BODY | {"source": {"kind": "corpus", "name": "nobody"}}),
        client.get(f"{V1}/benchmarks/7"),
        client.post(f"{V1}/benchmarks/7/run"),
        client.get(f"{V1}/benchmarks/7/compare/8"),
    ):
        refused(answer, 404, "not_found")
