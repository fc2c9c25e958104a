"""`tokenlab train`: files in a folder, the race of the algorithms, the estimate, what is refused, and going on after Ctrl+C."""

import json
import os
import signal
from pathlib import Path

import pytest

from lab_app import engine
from lab_app.errors import Unavailable
from lab_app.services.trainings import folder as training_folder
from lab_app.training import counting, run, sources

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
    assert found["limits"] == []
    done = tokenlab(*command)
    lines = done.stdout.decode().splitlines()
    rows = [line.split() for line in lines]
    assert ["naive", "incremental", "heap", "fast"] in rows and max(map(len, lines)) <= 80
    assert ["same", "merges", "yes", "yes", "yes", "yes"] in rows and any("pairs" in row for row in rows)
    assert "naive: Counts all pairs anew" in done.stderr.decode() and "first" not in done.stderr.decode()
    refused = tokenlab("train", "wordpiece", "--input", text, "--algorithm-trace", status=2)
    assert "wordpiece has one trainer" in refused.stderr.decode()


def test_the_algorithms_side_by_side_say_their_limits(tokenlab):
    given = ("train", "bpe", "--input", "practice:topics", "--algorithm-trace")
    whole = tokenlab(*given).stderr.decode()
    assert "Python's documentation: the first 200 kB of the text, at most 500 merges\n" in whole
    assert "documentation: the first 200 kB of the text\n" in tokenlab(*given, "--vocab-size", "600").stderr.decode()


@pytest.mark.parametrize(
    "given",
    [
        ("--output", "out"),
        ("--scheduler", "local"),
        ("--held-out", "0.1"),
        ("--estimate",),
        ("--threads", "2"),
        ("--force",),
    ],
)
def test_the_algorithms_side_by_side_refuse_what_they_would_ignore(tokenlab, text: str, given: tuple[str, ...]):
    done = tokenlab("train", "bpe", "--input", text, "--algorithm-trace", *given, status=2)
    assert f"--algorithm-trace is given with {given[0]}\n" in done.stderr.decode()


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


@pytest.fixture
def killed_while_merging(tokenlab, monkeypatch: pytest.MonkeyPatch):
    """Runs a training that ends with its first checkpoint while it merges, as by a kill."""

    class Killed(BaseException):
        pass

    def killed(*arguments: str) -> None:
        def kill(self, trainer):
            self._save(trainer)
            raise Killed

        with monkeypatch.context() as patched, pytest.raises(Killed):
            patched.setattr(run.Run, "_report", kill)
            tokenlab(*arguments)

    return killed


def test_a_training_that_can_be_resumed_is_not_replaced(tokenlab, killed_while_merging, text: str, tmp_path: Path):
    out = tmp_path / "my out"
    command = ("train", "bpe", "--vocab-size", "300", "--input", text, "--output", str(out))
    killed_while_merging(*command)
    kept = (out / ".tokenlab-training" / "checkpoint").read_bytes()
    told = tokenlab(*command, status=1).stderr.decode()
    assert f"{out} holds a training that can be resumed\n       tokenlab train --resume '{out}', or --force" in told
    assert (out / ".tokenlab-training" / "checkpoint").read_bytes() == kept
    assert "Resumed after 0 merges" in tokenlab("train", "--resume", str(out)).stderr.decode()
    killed_while_merging(*command, "--force")
    assert "Counted" in tokenlab(*command, "--force").stderr.decode()
    assert not (out / ".tokenlab-training").exists()


def cancelled(reading, unit, words, reports, check, threads) -> list[str]:
    """Ctrl+C while a unit is counted."""
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        check()


def test_ctrl_c_while_counting_leaves_a_training_that_resumes_elsewhere(
    tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """With all paths relative to the folder where it began."""
    (tmp_path / "held.txt").write_text("a cat and a mat\n")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    command = ("train", "bpe", "--vocab-size", "300", "--input", "text.txt", "--held-out", "held.txt")
    tokenlab(*command, "--output", "whole")
    with monkeypatch.context() as patched:
        patched.setattr(counting, "count_unit", cancelled)
        told = tokenlab(*command, "--output", "out", status=1).stderr.decode()
    assert "Cancelled while counting words.\n" in told and told.endswith("tokenlab train --resume out\n")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert "Held-out text: " in tokenlab("train", "--resume", str(tmp_path / "out")).stderr.decode()
    assert (tmp_path / "out" / "tokenizer.json").read_bytes() == (tmp_path / "whole" / "tokenizer.json").read_bytes()


def test_resuming_is_advised_only_where_there_is_a_checkpoint(
    tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(self, counted):
        raise Unavailable("the disk is full", "make room there")

    monkeypatch.setattr(run.Run, "_save_counted", full)
    monkeypatch.setattr(counting, "count_unit", cancelled)
    told = tokenlab("train", "bpe", "--input", text, "--output", str(tmp_path / "out"), status=1).stderr.decode()
    assert "--resume" not in told and told.endswith("start the training again\n")
    assert not list((tmp_path / "out").iterdir())


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
        (["train", "bpe", "--input", "TEXT", "--output", "out", "--held-out", "0.9"], "held_out.share is 0.9"),
        (["train", "bpe", "--input", "TEXT", "--output", "out", "--sample-bytes", "x"], "is not a size"),
    ],
)
def test_wrong_use(tokenlab, text: str, arguments: list[str], words: str):
    given = [text if each == "TEXT" else each for each in arguments]
    assert words in tokenlab(*given, status=2).stderr.decode()


def test_a_vocabulary_that_is_too_small_is_told_in_an_option_of_the_command_line(tokenlab, text: str, tmp_path: Path):
    given = ("train", "wordpiece", "--vocab-size", "8", "--input", text, "--output", str(tmp_path / "out"))
    told = tokenlab(*given, status=1).stderr.decode()
    assert "vocab_size is 8" in told
    assert "raise --vocab-size, or lower --option limit_alphabet or --option character_coverage" in told
    assert not (tmp_path / "out" / ".tokenlab-training").exists(), "nothing of it can be resumed"


def test_a_folder_that_cannot_be_written(tokenlab, text: str, tmp_path: Path):
    (tmp_path / "file").write_text("")
    done = tokenlab("train", "bpe", "--input", text, "--output", str(tmp_path / "file" / "out"), status=1)
    assert "cannot be written to" in done.stderr.decode()


def test_a_practice_corpus_and_a_sample(tokenlab, tmp_path: Path):
    out = tmp_path / "out"
    arguments = ("--input", "practice:topics", "--sample-bytes", "20kB", "--output", str(out), "--format", "json")
    found = json.loads(tokenlab("train", "bpe", "--vocab-size", "280", *arguments).stdout)
    assert found["vocab_size"] == 280


def test_every_option_of_the_trainers(tokenlab, text: str, tmp_path: Path):
    out = tmp_path / "out"
    given = ("max_token_length=6", 'normalizer={"type": "Lowercase"}', "continuing_prefix=@@", "alphabet=characters")
    stages = ('pre_tokenizer={"type": "Whitespace"}', "special_tokens=[]", "unknown_token=null", "min_frequency=3")
    options = [word for each in (*given, *stages) for word in ("--option", each)]
    done = tokenlab("train", "bpe", "--input", text, *options, "--special-token", "<s>", "--output", str(out))
    tokens = json.loads((out / "tokenizer.json").read_text())
    vocab, merges = tokens["model"]["vocab"], tokens["model"]["merges"]
    assert tokens["normalizer"] == {"type": "Lowercase"} and tokens["pre_tokenizer"]["type"] == "Whitespace"
    assert vocab["<s>"] == 0 and "@@t" in vocab and merges and max(map(len, vocab)) <= 6 + len("@@")
    said = done.stderr.decode()
    assert "No other pair within max_token_length occurs 3 times or more." in said
    assert f"The vocabulary has {len(vocab)} tokens, 4 096 were asked for." in said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--option", "size=3"], 'there is no option "size"\n       options are: alphabet, byte_fallback'),
        (["--option", "normalizer=NFKC"], 'write it as normalizer={"type": "NFKC"}'),
        (["--option", 'normalizer={"type": "NFKX"}'], 'no normalizer "NFKX" is known'),
        (["--option", "max_token_length=0"], "max_token_length is 0"),
        (["--option", "vocab_size=300", "--vocab-size", "300"], "vocab_size is given twice"),
        (["--option", "character_coverage=7"], "character_coverage cannot be 7"),
    ],
)
def test_wrong_options_of_the_trainers(tokenlab, text: str, given: list[str], words: str):
    assert words in tokenlab("train", "bpe", "--input", text, "--output", "out", *given, status=2).stderr.decode()


def trained(tokenlab, folder: Path, *arguments: str) -> dict:
    """What a training in JSON says, its files left out."""
    out = str(folder / "trained")
    return json.loads(tokenlab("train", *arguments, "--output", out, "--force", "--format", "json").stdout)


def test_a_column_and_another_text_held_out(tokenlab, tmp_path: Path):
    (tmp_path / "a.csv").write_text("kind,verse\n" + "noun,the cat sat on the mat\n" * 9)
    (tmp_path / "b.csv").write_text("kind,verse\nnoun,zebra cat\n")
    given = ("wordlevel", "--input", str(tmp_path / "a.csv"), "--held-out", str(tmp_path / "b.csv"))
    found = trained(tokenlab, tmp_path, *given, "--column", "verse")
    assert found["vocab_size"] == len({"[UNK]", "the", "cat", "sat", "on", "mat"})
    assert found["held_out"] | {"bytes_per_token": 0} == {
        "title": "b.csv",
        "bytes": 9,
        "tokens": 2,
        "bytes_per_token": 0,
        "unknown_rate": 0.5,
    }
    assert trained(tokenlab, tmp_path, *given, "--column", "kind")["vocab_size"] == 2


def test_invalid_bytes_are_replaced_or_their_lines_skipped(tokenlab, tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"cat mat\nz\xffx yx\n" * 5)
    given = ("wordlevel", "--input", str(tmp_path / "a.txt"))
    both = [trained(tokenlab, tmp_path, *given, "--invalid", each) for each in ("replace", "skip")]
    assert [each["invalid_sequences"] for each in both] == [5, 5]
    assert both[0]["vocab_size"] > both[1]["vocab_size"] == len({"[UNK]", "cat", "mat"})


def test_variants_of_unigram(tokenlab, text: str, tmp_path: Path):
    given = ("unigram", "--vocab-size", "60", "--input", text)
    models = []
    for variant in ("words", "sentencepiece"):
        assert trained(tokenlab, tmp_path, *given, "--variant", variant)["vocab_size"] == 60
        models.append((tmp_path / "trained" / "tokenizer.json").read_bytes())
    assert models[0] != models[1]


def test_a_cluster_counts_as_one_process_does(tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given = ("train", "bpe", "--vocab-size", "300", "--input", text)
    tokenlab(*given, "--output", str(tmp_path / "here"))
    out = tmp_path / "there"
    with monkeypatch.context() as patched:
        patched.setattr(training_folder, "_on_cluster", lambda stack, scheduler: no_cluster)
        assert "cancelled" in tokenlab(*given, "--scheduler", "local", "--output", str(out), status=1).stderr.decode()
    assert json.loads((out / ".tokenlab-training" / "order.json").read_text())["scheduler"] == "local"
    tokenlab("train", "--resume", str(out))
    assert (out / "tokenizer.json").read_bytes() == (tmp_path / "here" / "tokenizer.json").read_bytes()


def no_cluster(reading, control, *given, **settings):
    """In place of a cluster: the training is cancelled while it counts."""
    control.cancel()
    control.check()


def test_a_scheduler_that_is_gone_can_be_replaced(tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    out = tmp_path / "out"
    asked: list[str] = []

    def on_cluster(stack, scheduler: str):
        asked.append(scheduler)
        return no_cluster if len(asked) == 1 else counting.count

    monkeypatch.setattr(training_folder, "_on_cluster", on_cluster)
    gone = "tcp://gone:8786"
    tokenlab(
        "train", "bpe", "--vocab-size", "300", "--input", text, "--scheduler", gone, "--output", str(out), status=1
    )
    tokenlab("train", "--resume", str(out), "--scheduler", "local")
    assert asked == [gone, "local"] and (out / "tokenizer.json").is_file()


def test_an_order_that_is_none_is_told_in_words(tokenlab, killed_while_merging, text: str, tmp_path: Path):
    out = tmp_path / "out"
    killed_while_merging("train", "bpe", "--input", text, "--output", str(out))
    order = out / ".tokenlab-training" / "order.json"
    for content, words in (("{}", "preset: Field required"), ("[", "Invalid JSON"), ('{"inputs": 3}', "preset")):
        order.write_text(content)
        told = tokenlab("train", "--resume", str(out), status=1).stderr.decode()
        assert f"{order} does not describe a training: " in told and words in told and told.endswith("--force\n")
    assert "holds no training to resume" in tokenlab("train", "--resume", text, status=1).stderr.decode()


def test_an_output_that_cannot_be_is_noticed_before_the_training(tokenlab, text: str, tmp_path: Path):
    given = ("train", "bpe", "--input", text, "--output")
    told = tokenlab(*given, text, status=1).stderr.decode()
    assert told == f"error: {text} is a file\n       give the name of a folder\n"
    (tmp_path / "out" / "tokenizer.json").mkdir(parents=True)
    told = tokenlab(*given, str(tmp_path / "out"), "--force", status=1).stderr.decode()
    assert f"{tmp_path / 'out' / 'tokenizer.json'} is a folder" in told and "Reads" not in told


def test_a_file_that_changes_while_it_is_read(tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pieces = sources.Reading.pieces

    def changed(self, unit, report):
        Path(text).write_text("another text\n")
        return pieces(self, unit, report)

    monkeypatch.setattr(sources.Reading, "pieces", changed)
    told = tokenlab("train", "bpe", "--input", text, "--output", str(tmp_path / "out"), status=1).stderr.decode()
    assert f"{text} has changed since the training began: {len(TEXT)} bytes then, 13 bytes now" in told
    assert told.endswith("start the training again when nothing writes to the file\n")
    assert not list((tmp_path / "out").iterdir())


def test_an_empty_path_is_not_the_current_folder(tokenlab, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for given in (("--input", ""), ("--input", text, "--held-out", "")):
        told = tokenlab("train", "bpe", *given, "--output", "out", status=2).stderr.decode()
        assert "the path is empty" in told
