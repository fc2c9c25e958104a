"""`tokenlab conformance`: what people and programs read, and the exit status."""

import json
from dataclasses import replace

from lab_app.peers import tiktoken

TINY = ("conformance", "-t", "gpt2", "--against", "tiktoken", "--texts", "20")


def test_equal_ids(tokenlab, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("one\ntwo\n")
    found = json.loads(tokenlab(*TINY, "--corpus", str(path), "--format", "json").stdout)
    assert found["same"] is True and found["against"][0]["compared"][1]["documents"] == 2
    done = tokenlab(*TINY)
    assert "same IDs" in done.stdout.decode() and "not compared: spans" in done.stderr.decode()


def test_other_ids_end_with_status_1(tokenlab, monkeypatch):
    real = tiktoken.load

    def load(files, threads):
        calls = real(files, threads)
        return replace(calls, batch=lambda texts: [[*ids, 7] for ids in calls.batch(texts)])

    monkeypatch.setattr(tiktoken, "load", load)
    done = tokenlab(*TINY, status=1)
    assert "smallest text that differs from tiktoken" in done.stdout.decode()


def test_wrong_use(tokenlab):
    for arguments, problem in [
        (("--against", "spacy"), "no reference library"),
        (("--corpus", "/nowhere/at/all"), "no file"),
        (("--sample", "much"), '"much" is not a size'),
    ]:
        assert problem in tokenlab("conformance", "-t", "gpt2", *arguments, status=2).stderr.decode()
