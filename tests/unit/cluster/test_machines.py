"""Analyses on a cluster: the same numbers as in one process, and a note of who counted them."""

from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.cluster.connection import Connection
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.errors import BadRequest, BadValue, Unavailable
from lab_app.reports.analysis import made_words
from lab_app.services.analyses import analyses
from lab_app.services.analyses.analyses import AnalysisOptions
from lab_app.services.analyses.machines import machines
from lab_app.services.lab import Lab
from lab_app.settings import Settings


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    path = tmp_path / "text.txt"
    path.write_text("the cat sat on the mat\n1234567 cats\n", encoding="utf-8")
    return describe([path])


def test_an_analysis_has_the_same_numbers(lab: Lab, corpus: Corpus, connection: Connection):
    options = AnalysisOptions()
    subjects = analyses.subjects_of(lab, ["gpt2", "bert-base-uncased"])
    here = analyses.run_analysis(corpus, subjects, options).result
    told: list[tuple[int, int]] = []
    with machines(scheduler=connection.client.scheduler.address) as counting:
        analysis = analyses.run_analysis(
            corpus,
            subjects,
            options,
            lambda done, total, _: told.append((done, total)),
            counting.counter,
            counting.words,
        )
    there = analysis.result
    assert replace(there, made_at="", elapsed_s=0, versions=here.versions) == replace(here, made_at="", elapsed_s=0)
    assert told[-1] == (corpus.bytes, corpus.bytes)
    kept = analyses.load(lab, analyses.keep(lab, analysis).id)
    assert kept.versions.cluster == counting.words
    assert counting.words.endswith(f" of {connection.client.scheduler.address}")
    assert f"counted by {counting.words}" in dict(made_words(kept))["Made by"]
    assert "scheduler" not in kept.command


def test_one_process_is_the_default(lab: Lab, corpus: Corpus):
    with machines() as counting:
        result = analyses.run_analysis(
            corpus, analyses.subjects_of(lab, ["gpt2"]), AnalysisOptions(), counter=counting.counter
        ).result
    assert counting.words is None and result.versions.cluster is None
    assert "counted by" not in dict(made_words(result))["Made by"]


def test_requests_that_cannot_be():
    with (
        pytest.raises(BadRequest, match="both a scheduler, tcp://host:1, and 2 local workers"),
        machines("tcp://host:1", 2),
    ):
        pass
    with pytest.raises(BadValue, match="not the address of a scheduler"), machines(scheduler=""):
        pass
    with pytest.raises(BadValue, match="workers is 0"), machines(workers=0):
        pass
    with pytest.raises(Unavailable, match="does not answer"), machines(scheduler="tcp://127.0.0.1:1"):
        pass
