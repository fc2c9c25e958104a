"""`tokenlab train`: files in a folder, the race of the algorithms, the estimate, what is refused, and going on after Ctrl+C."""

import json
import os
import signal
from pathlib import Path

import pytest

from lab_app import engine
from lab_app.training import run

TEXT = "".join(f"the cat number {number} sat on the mat and looked at the {number * 7} mice\n" for number in range(60))


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "text.txt").write_text(TEXT)
    return str(tmp_path / "text.txt")


def test_files_of_a_trained_tokenizer(tokenlab, text: str, tmp_path: Path):
    out = tmp_path / "out"
    command = ("train", "bpe", "--vocab-size", "300", "--input", text, "--output", str(out))
    done = tokenlab(*command, "--special-token", "<|user|>", "--held-out", "0.1", "--threads", "2")
    assert sorted(each.name for each in out.iterdir()) == [
        "merges.txt",
        "tokenizer.json",
        "tokenizer.tiktoken",
        "vocab.json",
    ]
    assert done.stdout.decode().splitlines()[0] == str(out / "tokenizer.json")
    words = done.stderr.decode()
    assert "Held-out text: " in words and " bytes per token, " in words and "unknown" not in words
    assert (
        "The vocabulary has 300 tokens." in words and "Not as vocab.txt: it holds WordPiece vocabularies only." in words
    )
    tokenizer = engine.Tokenizer.from_file(out)
    assert tokenizer.vocab_size == 300 and tokenizer.token_to_id("<|user|>") == 1

    assert "already exists" in tokenlab(*command, status=1).stderr.decode()
    found = json.loads(tokenlab(*command, "--force", "--min-frequency", "50", "--format", "json").stdout)
    assert 256 < found["vocab_size"] < 300 and "50 times or more" in found["ended"] and found["held_out"] is None
    assert found["invalid_sequences"] == 0 and any("SentencePiece" in each for each in found["left_out"])


def test_the_algorithms_side_by_side(tokenlab, text: str):
    command = ("train", "bpe", "--vocab-size", "300", "--input", text, "--algorithm-trace")
    found = json.loads(tokenlab(*command, "--format", "json").stdout)
    assert [each["algorithm"] for each in found["trainers"]] == ["naive", "incremental", "heap", "fast"]
    assert all(each["same_merges"] and each["merges"] > 20 and each["steps"] for each in found["trainers"])
    done = tokenlab(*command)
    assert "same merges" in done.stdout.decode() and "naive: Counts all pairs anew" in done.stderr.decode()
    refused = tokenlab("train", "wordpiece", "--input", text, "--algorithm-trace", status=2)
    assert "wordpiece has one trainer" in refused.stderr.decode()


def test_an_estimate(tokenlab, text: str):
    command = ("train", "bpe", "--vocab-size", "300", "--input", text, "--estimate")
    found = json.loads(tokenlab(*command, "--format", "json").stdout)
    assert found["text_bytes"] == len(TEXT) and found["memory_bytes"] > 0
    assert "Measured on the whole text" in tokenlab(*command).stderr.decode()


def test_ctrl_c_leaves_a_training_that_resumes(tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "out"
    command = ("train", "bpe", "--vocab-size", "300", "--input", text)
    tokenlab(*command, "--output", str(tmp_path / "whole"))
    report = run.Run._report

    def interrupted(self, trainer):
        report(self, trainer)
        if (self.tracker.now.done or 0) >= 10:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(run, "STEPS_AT_ONCE", 1)
        patched.setattr(run.Run, "_report", interrupted)
        done = tokenlab(*command, "--output", str(out), status=1)
    assert f"tokenlab train --resume {out}" in done.stderr.decode()
    assert "Resumed after" in tokenlab("train", "--resume", str(out)).stderr.decode()
    assert (out / "tokenizer.json").read_bytes() == (tmp_path / "whole" / "tokenizer.json").read_bytes()
    assert "holds no training to resume" in tokenlab("train", "--resume", str(out), status=1).stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train"], "no algorithm was named"),
        (["train", "bpe"], "no text was named"),
        (["train", "bpe", "--input", "TEXT"], "no folder was named"),
        (["train", "bpe", "--input", "TEXT", "--resume", "out"], "--resume is given with algorithm, --input"),
        (["train", "--resume", "out", "--variant", "words", "--threads", "2"], "given with --variant, --threads"),
        (["train", "bpe", "--input", "none.txt", "--output", "out"], "there is no file none.txt"),
        (["train", "bpe", "--input", "TEXT", "--output", "out", "--preset", "bert"], "trains with wordpiece"),
        (["train", "bpe", "--input", "TEXT", "--output", "out", "--held-out", "0.9"], "a held-out share of 0.9"),
        (["train", "bpe", "--input", "TEXT", "--output", "out", "--sample-bytes", "x"], "is not a size"),
    ],
)
def test_wrong_use(tokenlab, text: str, arguments: list[str], words: str):
    given = [text if each == "TEXT" else each for each in arguments]
    assert words in tokenlab(*given, status=2).stderr.decode()


def test_a_vocabulary_that_is_too_small_is_told_in_an_option_of_the_command_line(tokenlab, text: str, tmp_path: Path):
    given = ("train", "wordpiece", "--vocab-size", "8", "--input", text, "--output", str(tmp_path / "out"))
    told = tokenlab(*given, status=1).stderr.decode()
    assert "vocab_size is 8" in told and told.endswith("give a larger --vocab-size\n")


def test_a_folder_that_cannot_be_written(tokenlab, text: str, tmp_path: Path):
    (tmp_path / "file").write_text("")
    done = tokenlab("train", "bpe", "--input", text, "--output", str(tmp_path / "file" / "out"), status=1)
    assert "cannot be written to" in done.stderr.decode()


def test_a_practice_corpus_and_a_sample(tokenlab, tmp_path: Path):
    out = tmp_path / "out"
    arguments = ("--input", "practice:topics", "--sample-bytes", "20kB", "--output", str(out), "--format", "json")
    found = json.loads(tokenlab("train", "bpe", "--vocab-size", "280", *arguments).stdout)
    assert found["vocab_size"] == 280
