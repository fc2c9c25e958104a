"""What goes into a paper: a command that repeats a result, citations, and sessions that a colleague runs."""

import json
import shlex

import pytest

ON_BOTH = ["gpt2", "bert-base-uncased"]
OPTIONS = [
    [],
    ["--no-special-tokens", "--specials", "parse", "--count-spaces"],
]
TEXTS = ["a <|endoftext|> b", "it's  two\nlines 日本語", "--help", "tab\tand a bell \x07", "word " * 400]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("ids", [ON_BOTH, ON_BOTH[:1]])
def test_the_command_of_an_export_repeats_it(tokenlab, tmp_path, monkeypatch, ids, options, text):
    monkeypatch.chdir(tmp_path)
    chosen = [word for id in ids for word in ("-t", id)]
    tokenlab("export", *chosen, *options, "-o", "exported.json", "--", text)
    exported = json.loads((tmp_path / "exported.json").read_text(encoding="utf-8"))
    made = exported["provenance"]
    if made["command_file"]:
        (tmp_path / made["command_file"]).write_bytes(text.encode())
    program, command, *arguments = shlex.split(made["command"])
    assert program == "tokenlab"
    repeated = json.loads(tokenlab(command, "--format", "json", *arguments).stdout)
    untimed = lambda result: {**result, "elapsed_ns": 0}  # noqa: E731
    if len(ids) == 1:
        del exported["provenance"]
        assert untimed(repeated) == untimed(exported)
    else:
        assert [untimed(each) for each in repeated["tokenizers"]] == [untimed(each) for each in exported["tokenizers"]]
        assert repeated["divergences"] == exported["divergences"] and repeated["agreement"] == exported["agreement"]


def test_cite_prints_an_entry_a_sentence_or_both(tokenlab):
    entry = tokenlab("cite", "-t", "gpt2", "Hello").stdout.decode()
    assert entry.startswith("@software{") and "306cd27f03c1a714" in entry
    assert "Tokens were counted" in tokenlab("cite", "-t", "gpt2", "--format", "text", "Hello").stdout.decode()
    found = json.loads(tokenlab("cite", "-t", "gpt2", "--format", "json", "Hello").stdout)
    assert found["bibtex"].strip() == entry.strip() and found["provenance"]["text"]["bytes"] == 5


def test_a_report_that_gives_the_same_ids_succeeds(tokenlab, tmp_path):
    file = tmp_path / "session.json"
    tokenlab("report", "save", "-t", "gpt2", "-t", "cl100k_base", "-o", str(file), "--name", "Two", "Hello 日")
    done = tokenlab("report", "run", str(file))
    assert done.stdout.decode().count("same IDs") == 2
    found = json.loads(tokenlab("report", "run", "-", "--format", "json", stdin=file.read_bytes()).stdout)
    assert [each["same"] for each in found["changes"]] == [True, True]
    tokenlab("report", "save", "-t", "gpt2", "-o", str(file), "again", status=1)  # no --force


def test_a_report_that_gives_other_ids_fails_with_the_place(tokenlab, tmp_path):
    file = tmp_path / "session.json"
    tokenlab("report", "save", "-t", "gpt2", "-o", str(file), "Hello world again")
    written = json.loads(file.read_text(encoding="utf-8"))
    written["results"][0]["ids"][1] += 1
    file.write_text(json.dumps(written), encoding="utf-8")
    assert b"IDs differ from token 2 on" in tokenlab("report", "run", str(file), status=1).stdout
    written["results"][0]["tokenizer"] = "gpt9"
    file.write_text(json.dumps(written), encoding="utf-8")
    assert b"gpt9" in tokenlab("report", "run", str(file), status=1).stdout
    file.write_text("{}", encoding="utf-8")
    assert b"not a session" in tokenlab("report", "run", str(file), status=2).stderr


def test_a_colleagues_file_does_not_speak_to_the_terminal(tokenlab, tmp_path):
    file = tmp_path / "session.json"
    tokenlab("report", "save", "-t", "gpt2", "-o", str(file), "Hello")
    written = json.loads(file.read_text(encoding="utf-8"))
    written["provenance"]["lab_version"] = "0\x1b]0;title\x07"
    file.write_text(json.dumps(written), encoding="utf-8")
    done = tokenlab("report", "run", str(file))
    assert b"\x1b" not in done.stdout + done.stderr and b"version 0\\u{1b}]0;title\\u{7}" in done.stderr


def test_a_citation_names_one_to_eight_different_tokenizers(tokenlab):
    said = tokenlab("cite", "-t", "gpt2", "-t", "GPT2", "Hello", status=2).stderr
    assert b"named more than once" in said
