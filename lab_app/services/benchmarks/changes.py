"""What differs between two kept benchmarks, and whether a difference is larger than the noise.

Subjects of both runs are compared by their ratio to the baseline, if both runs have the same one: that holds on a busy or
another machine. The baseline itself is compared by its speed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lab_app.benchmarks.options import FEWEST_ROUNDS
from lab_app.benchmarks.result import BenchmarkResult, BenchmarkRow
from lab_app.benchmarks.speed import statistics
from lab_app.services.benchmarks.benchmarks import load
from lab_app.services.lab import Lab
from lab_app.services.records import SettingChange, setting_changes

Quantity = Literal["ratio", "throughput"]


@dataclass(frozen=True)
class SpeedChange:
    """One subject of both runs. `change`, `low` and `high` are shares: -0.05 is 5 % slower."""

    key: str
    quantity: Quantity
    """`ratio`: to the baseline of its run. `throughput`: MB/s."""
    before: float | None
    after: float | None
    change: float | None
    low: float | None
    """Lower end of the 95 % bootstrap interval of the change."""
    high: float | None
    verdict: Literal["faster", "slower", "within_noise", "not_comparable"]
    """`faster` and `slower`: the interval leaves out 0, and the change is larger than the noise."""
    reason: str | None
    """Why it cannot be compared."""


@dataclass(frozen=True)
class BenchmarkChanges:
    """The changes from benchmark `before` to benchmark `after`."""

    before: int
    after: int
    same_text: bool
    same_machine: bool
    settings: list[SettingChange]
    noise: float | None
    """Spread of the fixed loop in the noisier run, as a share."""
    rows: list[SpeedChange]
    added: list[str]
    """Keys of subjects that only the later run has."""
    removed: list[str]


def changes(lab: Lab, before: int, after: int) -> BenchmarkChanges:
    """What differs between two kept benchmarks. Raises NotFound."""
    return changes_between(load(lab, before), load(lab, after))


def changes_between(before: BenchmarkResult, after: BenchmarkResult) -> BenchmarkChanges:
    """What differs between two results."""
    old = {row.key: row for row in before.rows}
    new = {row.key: row for row in after.rows}
    noises = [each.noise.spread for each in (before, after) if each.noise is not None]
    noise = max(noises) if noises else None
    unlike = _unlike(before, after)
    return BenchmarkChanges(
        before=before.id or 0,
        after=after.id or 0,
        same_text=before.text.sha256 == after.text.sha256,
        same_machine=_machine(before) == _machine(after),
        settings=setting_changes(_circumstances(before), _circumstances(after)),
        noise=noise,
        rows=[
            _missing(key, unlike) if unlike else _change(key, old, new, before, after, noise or 0.0)
            for key in new
            if key in old
        ],
        added=[key for key in new if key not in old],
        removed=[key for key in old if key not in new],
    )


def _unlike(before: BenchmarkResult, after: BenchmarkResult) -> str | None:
    """Why no figures of two runs can be compared; None if they can."""
    if before.text.sha256 != after.text.sha256:
        return "the texts differ"
    for name in ("temperature", "shape", "output", "threads"):
        if getattr(before.settings, name) != getattr(after.settings, name):
            return f"the {name} differs" if name != "threads" else "the threads differ"
    return None


def _change(
    key: str,
    old: Mapping[str, BenchmarkRow],
    new: Mapping[str, BenchmarkRow],
    before: BenchmarkResult,
    after: BenchmarkResult,
    noise: float,
) -> SpeedChange:
    """The change of one subject, whose speed was measured in both runs."""
    if old[key].throughput_mb_per_s is None or new[key].throughput_mb_per_s is None:
        return _missing(key, "it was not measured in both runs")
    same_baseline = before.baseline == after.baseline and before.baseline is not None
    if same_baseline and key != before.baseline:
        assert before.baseline is not None
        quantity: Quantity = "ratio"
        values = [_log_ratios(rows, before.baseline, key) for rows in (old, new)]
    else:
        quantity = "throughput"
        values = [_log_speeds(rows[key], result) for rows, result in ((old, before), (new, after))]
        if _machine(before) != _machine(after):
            return _missing(key, "the machines differ", quantity)
    if min(map(len, values)) < FEWEST_ROUNDS:
        return _missing(key, "it has too few samples", quantity)
    change, low, high = statistics.change(*(each.tolist() for each in values))
    return SpeedChange(
        key=key,
        quantity=quantity,
        before=float(np.exp(np.median(values[0]))),
        after=float(np.exp(np.median(values[1]))),
        change=change,
        low=low,
        high=high,
        verdict=statistics.verdict(change, low, high, noise),
        reason=None,
    )


def _missing(key: str, reason: str, quantity: Quantity = "ratio") -> SpeedChange:
    return SpeedChange(key, quantity, None, None, None, None, None, "not_comparable", reason)


def _log_ratios(rows: Mapping[str, BenchmarkRow], baseline: str, key: str) -> statistics.Floats:
    return statistics.log_ratios(rows[baseline].samples_ns or [], rows[key].samples_ns or [])


def _log_speeds(row: BenchmarkRow, result: BenchmarkResult) -> statistics.Floats:
    """Logarithms of MB/s. In a first pass all parts have about the same size."""
    parts = result.settings.rounds + 1 if result.settings.temperature == "first_pass" else 1
    times = np.asarray([time for time in row.samples_ns or [] if time is not None], np.float64)
    return np.asarray(np.log(result.text.bytes / parts / times * 1000), np.float64)


def _machine(result: BenchmarkResult) -> tuple[str | None, int, str]:
    return result.environment.cpu, result.environment.logical_cpus, result.environment.system


def _circumstances(result: BenchmarkResult) -> dict[str, str]:
    """What may explain a difference, in words."""
    settings, environment = result.settings, result.environment
    return {
        "text": result.text.title,
        "sha256 of the text": result.text.sha256,
        "mode": settings.temperature,
        "shape": settings.shape,
        "output": settings.output,
        "threads": str(settings.threads),
        "rounds": str(settings.rounds),
        "baseline": result.baseline or "none",
        "CPU": environment.cpu or "unknown",
        "governor": environment.governor or "unknown",
        "system": environment.system,
        "Python": environment.python,
        "version of the lab": environment.lab,
        "commit of the lab": environment.commit or "none",
        "build of the engine": environment.build,
        "noise": "unknown" if result.noise is None else f"{100 * result.noise.spread:.1f} %",
        **_versions(result),
    }


def _versions(result: BenchmarkResult) -> dict[str, str]:
    found = {row.engine: row.engine_version or "not installed" for row in result.rows}
    return {"versions": ", ".join(f"{engine} {version}" for engine, version in sorted(found.items()))}
