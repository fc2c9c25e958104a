"""Charts of benchmarks over HTTP: listed with reasons, made by name, refused with a hint; those of measurements of cost."""

import json

import pytest

from lab_app.charts.benchmarks.registry import BENCHMARK_CHARTS, TABLE_CHARTS
from lab_app.json_text import json_text
from lab_app.services.benchmarks.benchmarks import summary
from lab_app.store import records
from tests.benchmark_result import benchmark_result
from tests.rules.sources import ROOT

V1 = "/api/v1"
OWN_COLUMNS = ("id", "title", "created_at", "state")


@pytest.fixture
def kept(client) -> list[int]:
    """The ids of two kept runs of the same question."""
    lab = client.app.state.lab
    ids = []
    for _ in range(2):
        run = benchmark_result()
        summed = json.loads(json_text(summary(run)))
        facts = {name: value for name, value in summed.items() if name not in OWN_COLUMNS}
        ids.append(records.add(lab.database, "benchmark", run.title, facts, json_text(run)))
    return ids


def test_charts_are_listed_and_made_by_name(client, kept, refused):
    address = f"{V1}/benchmarks/{kept[0]}/figures"
    listed = {each["name"]: each for each in client.get(address).json()["figures"]}
    assert list(listed) == [*BENCHMARK_CHARTS, *TABLE_CHARTS, "history"]
    for name in (*BENCHMARK_CHARTS, *TABLE_CHARTS):
        made = client.get(f"{address}/{name}").json()
        assert (made["name"], made["title"]) == (name, listed[name]["title"])
        assert len(made["csv"].splitlines()) == 1 + len(made["table"]["rows"])
    assert listed["history"]["reason"] == "needs two runs of the same text, baseline and mode"
    later = client.get(f"{V1}/benchmarks/{kept[1]}/figures/history").json()
    assert later["figure"]["layout"]["xaxis"]["ticktext"] == [str(id) for id in kept]
    refused(client.get(f"{address}/history"), 404, "not_found")
    refused(client.get(f"{address}/none"), 404, "not_found")
    refused(client.get(f"{V1}/benchmarks/999/figures"), 404, "not_found")


def test_charts_of_cost_are_those_that_were_measured(client):
    report = json.loads((ROOT / "tests" / "golden" / "growth_result.json").read_bytes())
    found = client.post(f"{V1}/benchmarks/cost/figures", json=report).json()["figures"]
    assert [each["name"] for each in found] == [
        "stages", *(f"growth_{one['axis']}" for one in report["growth"]), "pathological", "race", "race_steps", "trainers",
        "trainer_steps",
    ]  # fmt: skip
    only = client.post(f"{V1}/benchmarks/cost/figures", json={"race": report["race"]}).json()["figures"]
    assert [each["name"] for each in only] == ["race", "race_steps"]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("growth", 0, "curves", 0, "points", 0, "size"), 0, "size is 0"),
        (("growth", 0, "curves", 0, "points", 0, "elapsed_ns"), -1, "elapsed_ns is -1"),
        (("growth", 0, "limit_ns_per_byte"), float("nan"), "limit_ns_per_byte is nan"),
        (("pathological", "limit_mb_per_s"), 0, "limit_mb_per_s is 0"),
        (("pathological", "rows", 0, "throughput_mb_per_s"), float("inf"), "throughput_mb_per_s is inf"),
        (("race", "limit_ns"), -1, "limit_ns is -1"),
    ],
)
def test_numbers_that_nobody_has_measured_are_refused(client, refused, path: tuple, value: float, words: str):
    report = json.loads((ROOT / "tests" / "golden" / "growth_result.json").read_bytes())
    place = report
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    answer = client.post(
        f"{V1}/benchmarks/cost/figures", content=json.dumps(report), headers={"Content-Type": "application/json"}
    )
    assert refused(answer, 422, "bad_request")["message"] == words
