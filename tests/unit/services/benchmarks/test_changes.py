"""Two kept benchmarks compared: what differs, and which differences are larger than the noise."""

import math
from dataclasses import replace

import pytest

from lab_app.services.benchmarks.changes import changes_between
from tests.benchmark_result import ROUNDS, benchmark_result


def scaled(key: str, factor: float, noise: float = 0.03):
    """The example with other times of one engine, from a machine of another noise."""
    found = benchmark_result()
    rows = [
        replace(row, samples_ns=[None if time is None else round(time * factor) for time in row.samples_ns])
        if row.key == key
        else row
        for row in found.rows
    ]
    return replace(found, id=13, rows=rows, noise=replace(found.noise, spread=noise))


def quiet(noise: float = 0.03):
    found = benchmark_result()
    return replace(found, noise=replace(found.noise, spread=noise))


def verdicts(changes) -> dict[str, str]:
    return {row.key.partition("/")[2]: row.verdict for row in changes.rows}


def test_a_change_above_the_noise_is_told_and_the_rest_is_within_it():
    found = changes_between(quiet(), scaled("cl100k_base/tokenlab", 1.2))
    rows = {row.key: row for row in found.rows}
    ours = rows["cl100k_base/tokenlab"]
    assert ours.quantity == "ratio" and ours.change == pytest.approx(1 / 1.2 - 1, abs=0.01)
    assert ours.low <= ours.change <= ours.high < 0 and ours.before == pytest.approx(ours.after * 1.2, rel=0.01)
    assert verdicts(found) == {
        "tiktoken": "within_noise",
        "tokenlab": "slower",
        "alpha": "within_noise",
        "tokenizers": "within_noise",
        **dict.fromkeys(("tokie", "beta", "sentencepiece", "gamma", "delta"), "not_comparable"),
    }
    assert rows["cl100k_base/tokie"].reason == "it was not measured in both runs"


def test_a_noisy_machine_hides_the_same_change():
    found = changes_between(quiet(0.3), scaled("cl100k_base/tokenlab", 1.2))
    assert (found.noise, verdicts(found)["tokenlab"]) == (0.3, "within_noise")


def test_the_baseline_is_compared_by_its_speed_on_the_same_machine_alone():
    after = scaled("cl100k_base/tiktoken", 0.5)
    [row] = [row for row in changes_between(quiet(), after).rows if row.key.endswith("tiktoken")]
    assert (row.quantity, row.verdict) == ("throughput", "faster") and row.change == pytest.approx(1, rel=0.05)
    assert math.isclose(row.before, 12.5, rel_tol=0.05)
    other = replace(after, environment=replace(after.environment, cpu="Another"))
    found = changes_between(quiet(), other)
    [row] = [row for row in found.rows if row.key.endswith("tiktoken")]
    assert (row.verdict, row.reason, found.same_machine) == ("not_comparable", "the machines differ", False)
    assert [(change.name, change.after) for change in found.settings if change.name == "CPU"] == [("CPU", "Another")]


@pytest.mark.parametrize(("field", "value"), [("temperature", "cold"), ("threads", 2), ("output", "spans")])
def test_runs_of_other_kinds_are_not_compared(field: str, value: object):
    before, after = quiet(), quiet()
    after = replace(after, settings=replace(after.settings, **{field: value}))
    assert set(verdicts(changes_between(before, after)).values()) == {"not_comparable"}


def test_subjects_of_one_run_alone_are_named():
    before, after = quiet(), quiet()
    found = changes_between(
        replace(before, rows=[before.rows[0], *before.rows[2:]]), replace(after, rows=after.rows[:-1])
    )
    assert (found.added, found.removed) == (["cl100k_base/tokenlab"], ["cl100k_base/delta"])
    assert ROUNDS == 15
