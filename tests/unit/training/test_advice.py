"""Warnings about what was trained."""

from pathlib import Path

import pytest

from lab_app.training.advice import advice, single_characters
from lab_app.training.control import Control
from lab_app.training.options import resolved
from lab_app.training.run import Plan, Run
from lab_app.training.sources import Text
from lab_app.training.steps import Steps

MANY = " ".join(f"{chr(0x4E00 + n)}{chr(0x4E01 + n)}" for n in range(300)) * 2


def trained(folder: Path, text: str, **options):
    run = Run(Plan(resolved(None, options), Text("text", ([text],))), folder, Control())
    return run, run.run().tokenizer


@pytest.mark.parametrize(("algorithm", "size"), [("unigram", 500), ("wordpiece", 306)])
def test_a_vocabulary_of_single_characters_is_told(algorithm: str, size: int, tmp_path: Path):
    run, tokenizer = trained(tmp_path, MANY, algorithm=algorithm, vocab_size=size, limit_alphabet=None)
    single = single_characters(run.plan.options, tokenizer)
    assert 250 < single < size
    (words,) = run.tracker.now.warnings
    assert words.startswith(f"{single} of {tokenizer.vocab_size} tokens are single characters")
    assert "character_coverage" in words


def test_a_vocabulary_that_is_not_full_needs_more_text_and_no_larger_size(tmp_path: Path):
    run, tokenizer = trained(tmp_path, MANY, algorithm="wordpiece", vocab_size=5000, limit_alphabet=None)
    assert tokenizer.vocab_size < 5000
    (words,) = run.tracker.now.warnings
    assert words.endswith("Train on more text.") and "Raise" not in words


def test_bytes_and_short_alphabets_are_no_warning(tmp_path: Path):
    text = "low lower lowest new newer newest wide wider widest " * 9
    for algorithm, size in (("bpe", 262), ("unigram", 60), ("character", 500)):
        run, _ = trained(tmp_path / algorithm, text, algorithm=algorithm, vocab_size=size)
        assert run.tracker.now.warnings == ()


@pytest.mark.parametrize(("score", "hint"), [("likelihood", '"frequency"'), ("frequency", "Halve vocab_size")])
def test_merges_that_do_not_help_on_held_out_text_are_told(score: str, hint: str, tmp_path: Path):
    run, tokenizer = trained(tmp_path / "x", "low lower lowest", algorithm="wordpiece", vocab_size=30, score=score)
    steps = Steps(tmp_path / "steps.jsonl")
    steps.add({"rank": n, "id": n, "count": 9, "held_out_tokens": -10 if n < 150 else 0} for n in range(300))

    def told(first_tokens: int | None) -> list[str]:
        found = advice(run.plan.options, tokenizer, steps, first_tokens)
        return [words for words in found if "merges" in words]

    (words,) = told(5000)
    assert (
        words.startswith("The last 150 of 300 merges save 0.0 % of the tokens of the held-out text. ") and hint in words
    )
    assert told(None) == told(1600) == []
    steps.add({"rank": n, "id": n, "count": 9, "held_out_tokens": -10} for n in range(300, 350))
    assert told(5000) == []
