"""What the lab was doing when it ended is started again with what it was started with."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.analysis import perturbations
from lab_app.benchmarks.options import CostOptions
from lab_app.benchmarks.result import BenchmarkSettings, Subject, TextSource
from lab_app.errors import Conflict
from lab_app.services import restarting
from lab_app.services.analyses import analyses, conformance, robustness
from lab_app.services.benchmarks import benchmarks, costs
from lab_app.services.corpora import corpora
from lab_app.services.corpora.corpora import CorpusOptions
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import fetching
from lab_app.services.trainings import trainings
from lab_app.services.trainings.results import TrainingRequest, TrainingSource
from lab_app.settings import Settings

SOURCE = TextSource("text", "", "some text")
SETTINGS = BenchmarkSettings([Subject("gpt2", "tokenlab")], SOURCE, "gpt2/tokenlab", rounds=5)
COSTS = CostOptions(rounds=1, max_bytes=200)


@pytest.fixture
def program(tmp_path: Path):
    """Makes labs on one data folder. Each has two jobs that hold the others back until its `let_go` is set."""
    held, labs = [], []

    def make(*, busy: bool = False) -> Lab:
        lab = Lab(replace(Settings(), data_dir=tmp_path / "data", offline=True))
        labs.append(lab)
        if busy:
            held.append(threading.Event())
            for _ in range(2):
                lab.jobs.submit("busy", "busy", lambda running, go=held[-1]: go.wait(60))
        return lab

    yield make
    for lab in labs:
        for job in lab.jobs.unfinished():
            lab.jobs.cancel(job.id)
    for each in held:
        each.set()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Some text. More of it.\n")
    return tmp_path / "texts"


STARTS = {
    "analysis": lambda lab, folder: analyses.start(
        lab, corpora.named_corpus(lab, [str(folder)]), ["gpt2"], analyses.AnalysisOptions(top=3, sample_bytes=None)
    ),
    "robustness": lambda lab, folder: robustness.start_robustness(
        lab, ["gpt2"], str(folder), robustness.RobustnessOptions(5, tuple(perturbations.KINDS)[:2], 1)
    ),
    "conformance": lambda lab, folder: conformance.start_conformance(
        lab, "gpt2", conformance.ConformanceOptions(("tiktoken",), texts=3)
    ),
    "adding": lambda lab, folder: corpora.start_adding(lab, [str(folder)], CorpusOptions(id="mine", cleaning=("nfc",))),
    "cleaning": lambda lab, folder: corpora.start_cleaning(lab, "udhr", CorpusOptions(id="clean", cleaning=("nfc",))),
    "benchmark": lambda lab, folder: benchmarks.start(lab, SETTINGS, "a title"),
    "growth": lambda lab, folder: costs.start_growth(lab, SETTINGS.subjects, "bytes", COSTS),
    "pathological": lambda lab, folder: costs.start_pathological(lab, SETTINGS.subjects, COSTS, 200, 1.0),
    "race": lambda lab, folder: costs.start_race(lab, "gpt2", COSTS),
    "trainers": lambda lab, folder: costs.start_trainers(lab, TrainingSource("text", text="aaabdaaabac"), 3, COSTS),
    "stages": lambda lab, folder: costs.start_stages(lab, SETTINGS, 1, True),
    "fetch": lambda lab, folder: fetching.start_fetching(lab, "bert-base-cased"),
    "hub": lambda lab, folder: fetching.start_adding_from_hub(lab, "owner/name", "named"),
}
"""Every service that starts a job; trainings have a test of their own."""


@pytest.mark.parametrize("name", STARTS)
def test_a_job_that_waited_is_taken_up_with_what_it_was_started_with(program, folder: Path, name: str):
    before = program(busy=True)
    job = STARTS[name](before, folder)
    assert job.state == "waiting"
    before.owners.end()
    after = program(busy=True)
    [call] = [left.call for left in after.jobs.left() if left.job.id == job.id]
    restarting.take_up_waiting(after)
    [again] = [each for each in after.jobs.jobs() if each.kind == job.kind]
    assert (again.title, again.state) == (job.title, "waiting")
    after.owners.end()
    [kept] = [left.call for left in program().jobs.left() if left.call]
    assert json.loads(kept) == json.loads(call), "whatever the types of its arguments"


def test_a_job_that_ran_is_started_again_when_asked_for(program, folder: Path):
    before = program(busy=True)
    job = STARTS["adding"](before, folder)
    before.jobs._record.run(job)
    before.owners.end()
    after = program()
    restarting.take_up_waiting(after)
    assert after.jobs.job(job.id).state == "interrupted"
    again = restarting.restart(after, job.id)
    assert after.jobs.wait(again.id, timeout_s=60).state == "done" and corpora.corpus(after, "mine").cleaning == (
        "nfc",
    )
    assert [each.id for each in after.jobs.jobs() if each.kind == "corpus"] == [again.id]


def test_a_training_that_waited_begins_and_keeps_its_number(program):
    before = program(busy=True)
    source = TrainingSource("text", text="aaabdaaabac " * 20)
    options = {"algorithm": "bpe", "vocab_size": 260}
    first = trainings.start(before, TrainingRequest([source], "mine", None, None, options, None, 1, "replace"))
    before.owners.end()
    after = program()
    assert trainings.load(after, first.id).state == "interrupted"
    restarting.take_up_waiting(after)
    [job] = [each for each in after.jobs.jobs() if each.kind == "training"]
    assert after.jobs.wait(job.id, timeout_s=60).state == "done"
    found = trainings.load(after, first.id)
    assert (found.state, found.name, found.job, found.vocab_size) == ("done", "mine", job.id, 260)
    assert [each.id for each in trainings.list_trainings(after).trainings] == [first.id]


def test_a_token_is_not_kept(program):
    lab = program(busy=True)
    lab.settings = replace(lab.settings, hub_endpoint="https://huggingface.co")
    fetching.start_adding_from_hub(lab, "owner/name", token="hf_secret")
    lab.owners.end()
    assert b"hf_secret" not in b"".join(path.read_bytes() for path in lab.settings.data_dir.iterdir() if path.is_file())
    assert [left.call for left in program().jobs.left() if left.job.kind == "fetch"] == [""]


@pytest.mark.parametrize(
    "call",
    [
        "garbage",
        "{}",
        json.dumps({"module": "os", "name": "abort", "arguments": {}}),
        json.dumps({"module": "lab_app.services.gone", "name": "start", "arguments": {}}),
        json.dumps({"module": "lab_app.services.analyses.analyses", "name": "start", "arguments": {"corpus": 3}}),
        json.dumps(
            {"module": "lab_app.services.benchmarks.costs", "name": "start_race", "arguments": {"tokenizer": "x"}}
        ),
    ],
)
def test_a_call_of_another_version_is_refused_and_stays_listed(program, folder: Path, call: str):
    before = program(busy=True)
    job = before.jobs.submit("analysis", "udhr", lambda running: None, call=call)
    STARTS["conformance"](before, folder)
    before.owners.end()
    after = program(busy=True)
    restarting.take_up_waiting(after)
    assert "waiting" in {each.state for each in after.jobs.jobs() if each.kind == "conformance"}, (
        "the next one is taken up"
    )
    with pytest.raises(Conflict, match="another version"):
        restarting.restart(after, job.id)
    assert after.jobs.job(job.id).can_restart
