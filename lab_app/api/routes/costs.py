"""What encoding and training cost, and why: `/benchmarks/stages`, `/growth`, `/pathological`, `/race`, `/trainers`, `/profile`.

All but the last are jobs, whose result is a `CostReport`; `/benchmarks/costs` has those that are kept. Not here: whole
benchmarks (`benchmarks`).
"""

from lab_app.api.json_route import json_router
from lab_app.api.routes.cost_bodies import (
    GrowthBody,
    PathologicalBody,
    ProfileBody,
    RaceBody,
    StagesBody,
    TrainersBody,
)
from lab_app.api.routes.lab import TheLab
from lab_app.benchmarks.growth_result import Profile
from lab_app.benchmarks.options import CostOptions
from lab_app.benchmarks.result import Subject
from lab_app.jobs.job import Job
from lab_app.services.benchmarks import costs, kept_costs

router = json_router("benchmarks")


@router.post("/benchmarks/stages", status_code=202, summary="Measure the stages of tokenizers")
def stages(lab: TheLab, body: StagesBody) -> Job:
    """A job. Its result has the time of each stage and the slowest documents, per tokenizer."""
    return costs.start_stages(lab, body.settings(), body.rounds, body.spans)


@router.post("/benchmarks/growth", status_code=202, summary="Measure how time grows")
def growth(lab: TheLab, body: GrowthBody) -> Job:
    """A job. Its result has a curve per subject against the text length, threads or the vocabulary size."""
    subjects = [Subject(each.tokenizer, each.engine) for each in body.subjects]
    return costs.start_growth(lab, subjects, body.axis, body.as_options(CostOptions))


@router.post("/benchmarks/pathological", status_code=202, summary="Run inputs that break encoders")
def pathological(lab: TheLab, body: PathologicalBody) -> Job:
    """A job. Its result has a row per subject and input, and whether its speed reaches the limit."""
    subjects = [Subject(each.tokenizer, each.engine) for each in body.subjects]
    return costs.start_pathological(lab, subjects, body.as_options(CostOptions), body.bytes, body.limit_mb_per_s)


@router.post("/benchmarks/race", status_code=202, summary="Race algorithms for byte-pair encoding")
def race(lab: TheLab, body: RaceBody) -> Job:
    """A job. Its result has a curve per algorithm, with its steps and where it breaks."""
    return costs.start_race(lab, body.tokenizer, body.as_options(CostOptions))


@router.post("/benchmarks/trainers", status_code=202, summary="Race algorithms of BPE training")
def trainers(lab: TheLab, body: TrainersBody) -> Job:
    """A job. Its result has a curve per algorithm, with its steps, where it breaks, and whether its merges are the same."""
    return costs.start_trainers(lab, body.source.source(), body.merges, body.as_options(CostOptions))


@router.get("/benchmarks/costs", summary="List the kept measurements of cost")
def list_costs(lab: TheLab) -> kept_costs.CostList:
    """The newest first, without their reports."""
    return kept_costs.list_costs(lab)


@router.get("/benchmarks/costs/{id}", summary="Get a kept measurement of cost")
def load(lab: TheLab, id: int) -> kept_costs.KeptCost:
    """The report, and the machine that it was measured on."""
    return kept_costs.load(lab, id)


@router.delete("/benchmarks/costs/{id}", summary="Delete a kept measurement of cost", status_code=204)
def delete(lab: TheLab, id: int) -> None:
    """For good."""
    kept_costs.delete(lab, id)


@router.post("/benchmarks/profile", summary="Profile one document")
def profile(lab: TheLab, body: ProfileBody) -> Profile:
    """The stages of one document, and the time of each of its parts."""
    return costs.profile_text(lab, body.tokenizer, body.text)
