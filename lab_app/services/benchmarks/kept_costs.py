"""Measurements of cost that are kept: list, read and delete them. Not here: measuring (`costs`), benchmarks (`benchmarks`)."""

import json
from dataclasses import dataclass, replace
from typing import Literal, cast

from lab_app.benchmarks.environment import environment
from lab_app.benchmarks.growth_result import CostReport
from lab_app.benchmarks.result import Environment
from lab_app.json_text import json_text
from lab_app.services.lab import Lab
from lab_app.services.records import delete_record, list_records, load_record
from lab_app.store import records
from lab_app.store.records import Record

CostKind = Literal["stages", "growth", "pathological", "race", "trainers"]
TITLES: dict[CostKind, str] = {
    "stages": "Stages",
    "growth": "Growth",
    "pathological": "Inputs that break encoders",
    "race": "Race of algorithms",
    "trainers": "Race of training algorithms",
}


@dataclass(frozen=True)
class CostSummary:
    """A kept measurement in a list."""

    id: int
    created_at: str
    """UTC, ISO 8601."""
    kind: CostKind
    """The part of the report that was measured."""
    title: str
    subjects: list[str]
    """`tokenizer/engine`, as they were asked for; of the race of encoders the tokenizer, of trainers the text."""


@dataclass(frozen=True)
class CostList:
    """The kept measurements, the newest first."""

    costs: list[CostSummary]


@dataclass(frozen=True)
class KeptCost:
    """A kept measurement."""

    summary: CostSummary
    environment: Environment
    """The machine just after it."""
    report: CostReport


def keep(lab: Lab, kind: CostKind, report: CostReport) -> CostReport:
    """Keeps a report and returns it with its id."""
    title = report.growth[0].title if report.growth else TITLES[kind]
    facts = {"part": kind, "subjects": _subjects(report)}
    text = json_text({"environment": environment(), "report": report})
    return replace(report, id=records.add(lab.database, "cost", title, facts, text))


def list_costs(lab: Lab) -> CostList:
    """All kept measurements, the newest first."""
    return CostList([_summary(each) for each in list_records(lab, "cost")])


def load(lab: Lab, id: int) -> KeptCost:
    """A kept measurement. Raises NotFound."""
    from pydantic import TypeAdapter

    kept, text = load_record(lab, "cost", id)
    parts = json.loads(text)
    return KeptCost(
        _summary(kept),
        TypeAdapter(Environment).validate_python(parts["environment"]),
        TypeAdapter(CostReport).validate_python(parts["report"] | {"id": id}),
    )


def delete(lab: Lab, id: int) -> None:
    """Deletes a kept measurement. Raises NotFound."""
    delete_record(lab, "cost", id)


def _subjects(report: CostReport) -> list[str]:
    found: list[str] = []
    if report.stages:
        found += [f"{row.tokenizer}/tokenlab" for row in report.stages.rows]
    for growth in report.growth or ():
        found += [curve.key for curve in growth.curves]
    if report.pathological:
        found += [f"{row.tokenizer}/{row.engine}" for row in report.pathological.rows]
    if report.race:
        found.append(report.race.tokenizer)
    if report.trainers:
        found.append(report.trainers.text)
    return list(dict.fromkeys(found))


def _summary(kept: Record) -> CostSummary:
    return CostSummary(kept.id, kept.created_at, cast(CostKind, kept.facts["part"]), kept.title, kept.facts["subjects"])
