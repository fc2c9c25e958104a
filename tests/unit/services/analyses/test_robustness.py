"""Sentences of a corpus, edited and encoded: the service, the command and the call."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lab_app.errors import BadValue, Cancelled, NotFound
from lab_app.jobs.job import Job, Running
from lab_app.services.analyses import robustness as robustness_service
from lab_app.services.analyses.robustness import RobustnessOptions, _sentences, measure, sampled, start_robustness
from lab_app.services.lab import Lab
from lab_app.settings import Settings

OPTIONS = RobustnessOptions(sentences=40)
TEXT = "It is a plain sentence about tokens. Another one follows! 日本語の文。もう一つ。\n" * 40


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    (tmp_path / "some.txt").write_text(TEXT, encoding="utf-8")
    return str(tmp_path / "some.txt")


def running() -> Running:
    return Running(Job("1", "robustness", "", "sentences"))


def test_two_tokenizers_get_the_same_edits(lab: Lab, corpus: str):
    found = measure(lab, ["gpt2", "bert-base-uncased"], corpus, OPTIONS, running())
    assert found == measure(lab, ["gpt2", "bert-base-uncased"], corpus, OPTIONS, running())
    assert found.sentences == 40 and found.sentence_bytes > 400
    gpt2, bert = found.tokenizers
    by_kind = {each.kind: each for each in gpt2.kinds}
    assert [each.edits for each in gpt2.kinds] == [each.edits for each in bert.kinds]
    assert all(each.edits + each.without_place == 40 for each in gpt2.kinds)
    assert by_kind["nfc"].edits == 0 and "nfc" in {left.what for left in found.not_measured}
    # GPT-2 and BERT split at white space before all else.
    assert by_kind["swap"].moved_outside == 0 and by_kind["swap"].count_changed_share > 0.3
    # BERT lower-cases: a changed case changes nothing.
    case = next(each for each in bert.kinds if each.kind == "case")
    assert (case.count_changed_share, case.relative_tokens, case.reach_bytes.max) == (0, 1, 0)
    ratios = [each.relative_tokens for each in gpt2.noise]
    assert ratios[0] == 1 and ratios[-1] > ratios[1] > 1


def test_a_step_is_stopped_and_slices_do_not_change_it(lab: Lab, corpus: str, monkeypatch: pytest.MonkeyPatch):
    whole = measure(lab, ["gpt2"], corpus, OPTIONS, running())
    monkeypatch.setattr(robustness_service, "SLICE", 7)
    assert measure(lab, ["gpt2"], corpus, OPTIONS, running()) == whole
    stopped = running()
    encoded = []

    def boundaries(tokenizer, texts):
        encoded.append(len(texts))
        stopped.cancel()
        return [(set(), 1) for _ in texts]

    monkeypatch.setattr(robustness_service, "boundaries", boundaries)
    with pytest.raises(Cancelled):
        measure(lab, ["gpt2"], corpus, OPTIONS, stopped)
    assert encoded == [7]


def test_sentences():
    assert list(_sentences([["One. Two!  three", "123.", "一。二\n\nfour"]], running())) == [
        "One.",
        "Two!",
        "three",
        "一。",
        "二",
        "four",
    ]
    assert list(_sentences([["x" * 301]], running())) == []


def test_every_sentence_is_equally_likely():
    counts = dict.fromkeys("abcd", 0)
    for seed in range(2000):
        for each in sampled("abcd", 2, seed):
            counts[each] += 1
    assert all(abs(count - 1000) < 100 for count in counts.values())


def test_wrong_values_are_refused(lab: Lab, corpus: str, tmp_path: Path):
    for options, problem in [
        (replace(OPTIONS, kinds=("typo",)), '"typo" is no kind'),
        (replace(OPTIONS, sentences=0), "sentences is 0"),
    ]:
        with pytest.raises(BadValue, match=problem):
            start_robustness(lab, ["gpt2"], corpus, options)
    with pytest.raises(BadValue, match="0 tokenizers"):
        start_robustness(lab, [], corpus, OPTIONS)
    with pytest.raises(NotFound):
        start_robustness(lab, ["unheard-of"], corpus, OPTIONS)
    (tmp_path / "digits.txt").write_text("1 2 3\n")
    with pytest.raises(BadValue, match="no sentence"):
        measure(lab, ["gpt2"], str(tmp_path / "digits.txt"), OPTIONS, running())


def test_a_job(lab: Lab, corpus: str):
    job = lab.jobs.wait(start_robustness(lab, ["gpt2"], corpus, OPTIONS).id, 60)
    assert job.state == "done" and job.done == job.total and json.dumps(job.result, default=vars)
