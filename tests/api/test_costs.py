"""What encoding costs, over HTTP: jobs with a COST REPORT, and the profile of one document."""

from itertools import pairwise

import pytest
from pydantic import TypeAdapter

from lab_app.benchmarks.growth_result import CostReport

SUBJECT = {"tokenizer": "gpt2", "engine": "tokenlab"}
TEXT = {"kind": "text", "name": "mine", "text": "Some words and some words.\n" * 200}


@pytest.fixture
def measured(client, ended):
    """The report of a job."""

    def measure(cost: str, body: dict) -> CostReport:
        job = ended(client.post(f"/api/v1/benchmarks/{cost}", json=body))
        assert job["state"] == "done", job["error"]
        return TypeAdapter(CostReport).validate_python(job["result"])

    return measure


def test_stages(measured):
    report = measured("stages", {"tokenizers": ["gpt2", "bert-base-uncased"], "source": TEXT, "rounds": 2})
    rows = {(row.tokenizer, row.path): row for row in report.stages.rows}
    assert list(rows) == [(id, path) for id in ("gpt2", "bert-base-uncased") for path in ("fast", "stages")]
    assert all(row.same_ids and row.bytes == 5400 and row.rounds == 2 for row in rows.values())
    assert (report.growth, report.race, report.pathological) == (None, None, None)


def test_growth_and_what_cannot_be_measured(measured):
    missing = {"tokenizer": "gpt2", "engine": "sentencepiece"}
    body = {"subjects": [missing, SUBJECT], "max_bytes": 1000, "rounds": 1}
    (growth,) = measured("growth", body).growth
    unusable, measured_curve = growth.curves
    assert (unusable.key, unusable.points) == ("gpt2/sentencepiece", [])
    assert "sentencepiece reads .model files" in unusable.problem
    assert [(point.size, point.state) for point in measured_curve.points] == [(100, "ok"), (316, "ok"), (1000, "ok")]


def test_reports_are_kept(client, measured):
    growth = measured("growth", {"subjects": [SUBJECT], "max_bytes": 100, "rounds": 1})
    stages = measured("stages", {"tokenizers": ["gpt2"], "source": TEXT, "rounds": 1})
    newest, oldest = client.get("/api/v1/benchmarks/costs").json()["costs"]
    assert (newest["kind"], newest["title"], newest["subjects"]) == ("stages", "Stages", ["gpt2/tokenlab"])
    assert (oldest["kind"], oldest["title"]) == ("growth", "Time against text length")
    for summary, report in ((oldest, growth), (newest, stages)):
        kept = client.get(f"/api/v1/benchmarks/costs/{report.id}").json()
        assert kept["summary"] == summary and kept["environment"]["build"]
        assert TypeAdapter(CostReport).validate_python(kept["report"]) == report

    address = f"/api/v1/benchmarks/costs/{growth.id}"
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == client.delete(address).status_code == 404
    assert [each["id"] for each in client.get("/api/v1/benchmarks/costs").json()["costs"]] == [stages.id]


def test_trainers(client, measured):
    source = {"kind": "text", "name": "mine", "text": "hug pug pun bun hugs 日本語\n" * 100}
    report = measured("trainers", {"source": source, "merges": 10, "max_bytes": 1000, "rounds": 1})
    race = report.trainers
    assert (race.text, race.merges, report.race) == ("mine", 10, None)
    assert [(each.algorithm, each.same_merges) for each in race.entrants] == [
        (name, True) for name in ("fast", "heap", "incremental", "naive")
    ]
    assert [point.size for point in race.entrants[0].points] == [100, 316, 1000]
    job = client.get("/api/v1/jobs").json()["jobs"][0]
    assert (job["done"], job["total"], job["message"]) == (2, 3, "1 kB"), "a bar can say how far it is"
    (kept,) = client.get("/api/v1/benchmarks/costs").json()["costs"]
    assert (kept["kind"], kept["title"], kept["subjects"]) == ("trainers", "Race of training algorithms", ["mine"])
    drawn = client.post(
        "/api/v1/benchmarks/cost/figures", json=TypeAdapter(CostReport).dump_python(report, mode="json")
    )
    assert [each["name"] for each in drawn.json()["figures"]] == ["trainers", "trainer_steps"]


def test_trainers_race_on_the_practice_corpus_if_nothing_is_named(measured):
    report = measured("trainers", {"merges": 1, "max_bytes": 100, "rounds": 1})
    assert report.trainers.text == "Python's documentation"


def test_a_text_without_words_fails_with_a_reason(client, ended):
    body = {"source": {"kind": "text", "text": " \n "}, "rounds": 1}
    job = ended(client.post("/api/v1/benchmarks/trainers", json=body))
    assert job["error"]["message"] == "Pasted text has no words"


def test_profile(client, refused):
    text = "naïve 日本語 " * 100
    found = client.post("/api/v1/benchmarks/profile", json={"tokenizer": "gpt2", "text": text}).json()
    slices = found["slices"]
    assert found["bytes"] == slices[-1]["end_utf8"] == len(text.encode())
    assert all(first["end_utf8"] == second["start_utf8"] for first, second in pairwise(slices))
    drawn = client.post("/api/v1/benchmarks/profile/figures", json=found).json()["figures"]
    assert [each["name"] for each in drawn] == ["profile", "stages"]
    assert len(drawn[0]["table"]["rows"]) == len(slices)
    wrong = client.post("/api/v1/benchmarks/profile/figures", json={**found, "bytes": -1})
    assert refused(wrong, 422, "bad_request")["message"] == "bytes is -1"
    refused(client.post("/api/v1/benchmarks/profile", json={"tokenizer": "gpt2", "text": ""}), 422, "bad_request")


@pytest.mark.parametrize(
    ("cost", "body", "words"),
    [
        ("growth", {"subjects": []}, "0 subjects cannot be measured"),
        ("growth", {"subjects": [SUBJECT], "input": "odd"}, '"odd" is no kind of text'),
        ("growth", {"subjects": [{**SUBJECT, "engine": "odd"}]}, 'there is no engine "odd"'),
        ("pathological", {"subjects": [SUBJECT], "bytes": 1}, "bytes is 1"),
        ("race", {"tokenizer": "gpt2", "limit_s": 0}, "limit_s is 0"),
        ("stages", {"tokenizers": ["gpt2"], "source": TEXT, "rounds": 0}, "rounds is 0"),
        ("trainers", {"merges": 0}, "merges is 0"),
        ("trainers", {"source": {"kind": "text", "text": ""}}, "the text source has no text"),
        ("trainers", {"source": {"kind": "practice", "name": "odd"}}, 'there is no practice corpus "odd"'),
    ],
)
def test_what_cannot_be_is_refused_at_once(client, refused, cost: str, body: dict, words: str):
    error = refused(client.post(f"/api/v1/benchmarks/{cost}", json=body), 422, "bad_request")
    assert words in error["message"]
