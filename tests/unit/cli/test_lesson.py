"""`tokenlab lesson`: the steps in words, and as data."""

import json

import pytest

from tests.lesson_examples import unigram_file


def lines(tokenlab, *arguments: str) -> list[list[str]]:
    """The cells of the table's rows, split at two spaces."""
    shown = tokenlab("lesson", *arguments).stdout.decode()
    rows = [line.strip() for line in shown.splitlines()]
    return [[cell for cell in row.split("  ") if cell] for row in rows if row[:1].isdigit()]


@pytest.mark.parametrize(
    ("name", "tokenizer", "text", "second", "last"),
    [
        ("bpe-encode", "gpt2", "lower", "e + r → er, rank 7", "lower"),
        ("wordpiece-encode", "bert-base-uncased", "tokenize", "look up tokenize", "token ##ize"),
        ("utf8", "gpt2", "é", "é, U+00E9", "2 bytes"),
        ("special-tokens", "bert-base-uncased", "a b", "tokens", "[CLS] │ a │ b │ [SEP]"),
        ("languages", "gpt2", "hello\nhallo", "1 tokens, 1.00", "2 lines"),
        ("encoders", "gpt2", "lowerq", "merge to er, rank 7", "operations"),
        ("bpe-train", "gpt2", "low lower", "l + o → lo, 2 times", "5 symbols"),
        ("pipeline", "gpt2", "a b", "added tokens in the text", "a │ ·b"),
    ],
)
def test_steps_in_words(tokenlab, monkeypatch, name: str, tokenizer: str, text: str, second: str, last: str):
    monkeypatch.setenv("COLUMNS", "200")
    found = lines(tokenlab, name, "-t", tokenizer, text)
    assert second in " ".join(found[1]) and " ".join(found[-1]).endswith(last)


def test_a_conversation_is_cut_at_its_control_tokens(tokenlab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    found = lines(tokenlab, "chat-template", "-t", "o200k_harmony", "Hi")
    assert "<|start|> │ system │ <|message|> │ You │ ·answer" in found[-1][-1] and "│ user │" in found[-1][-1]
    ended = tokenlab("lesson", "chat-template", "-t", "gpt2", "Hi", status=1)
    assert "gpt2 has no chat template" in ended.stderr.decode()


def test_paths_are_drawn_with_a_seed(tokenlab, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "400")
    tokenlab("add", str(unigram_file(tmp_path)), "--id", "few-words")
    asked = ("unigram-encode", "-t", "few-words", "unable")
    found = lines(tokenlab, *asked)
    paths, draws = ([cell.strip() for cell in row[1:]] for row in found[-3:-1])
    assert paths[0] == "the most probable paths" and paths[1].startswith("un able: sum -4.9987") and " │ " in paths[1]
    assert draws[0] == "10 paths drawn" and draws[1].startswith("un able: drawn ")
    assert lines(tokenlab, *asked, "--seed", "0") == found
    assert any(lines(tokenlab, *asked, "--seed", str(seed))[-2] != found[-2] for seed in (1, 2, 2**64 - 1))
    for seed in ("-1", str(2**64)):
        ended = tokenlab("lesson", *asked, f"--seed={seed}", status=2)
        assert f"seed is {seed}" in ended.stderr.decode()
        assert "from 0 to 18446744073709551615" in ended.stderr.decode()


def test_json_has_the_ids_and_every_frame(tokenlab):
    found = json.loads(tokenlab("lesson", "bpe-encode", "-t", "gpt2", "lower", "--format", "json").stdout)
    assert found["facts"]["ids"] == [21037] and found["facts"]["tokenizer"] == "gpt2"
    assert [frame["now"]["step"] for frame in found["frames"]] == ["start", *["merge"] * 4, "done"]


def test_another_family_is_refused_in_words(tokenlab):
    ended = tokenlab("lesson", "bpe-encode", "-t", "bert-base-uncased", "a", status=2)
    assert "needs BPE, and bert-base-uncased is WordPiece" in ended.stderr.decode()
    assert "choose one of" in ended.stderr.decode()


def test_a_guess_is_marked_with_the_reason_of_each_miss(tokenlab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    asked = ("boundaries", "-t", "gpt2", "unbelievable", "--guess", "un|believ|able")
    shown = tokenlab("lesson", *asked).stdout.decode()
    assert "gpt2: un │ bel │ iev │ able\n2 of 3 found, 0 too many: precision 1.00, recall 0.67, F1 0.80\n" in shown
    assert [cell.strip() for cell in lines(tokenlab, *asked)[-1][1:4]] == ["unbel│ievable", "missing", "missing merge"]
    assert json.loads(tokenlab("lesson", *asked, "--format", "json").stdout)["found"] == 2
    ended = tokenlab("lesson", "boundaries", "-t", "gpt2", "abc", "--guess", "a|c", status=2)
    assert "they differ after “a”" in ended.stderr.decode()


def test_show_is_the_command_without_a_name(tokenlab):
    shown = tokenlab("lesson", "show", "utf8", "-t", "gpt2", "é").stdout
    assert shown == tokenlab("lesson", "-t", "gpt2", "utf8", "é").stdout


def test_a_sheet_is_printed_without_answers(tokenlab):
    asked = ("lesson", "exercises", "-t", "gpt2", "--seed", "7", "--count", "4")
    shown = tokenlab(*asked).stdout.decode()
    assert "1. gpt2 has “t | r | i | b | u | n | a | l” of “tribunal”. Which pair does it merge next?\n" in shown
    assert "   a) t + r  (rank 1957)\n" in shown and "4. How many tokens" in shown
    found = json.loads(tokenlab(*asked, "--format", "json").stdout)
    assert found["seed"] == 7 and "solution" not in found["tasks"][0]
    ended = tokenlab("lesson", "exercises", "-t", "gpt2", "--kind", "path", status=2)
    assert "tasks of the kind path need Unigram" in ended.stderr.decode()


def test_answers_are_marked_and_their_file_is_checked(tokenlab, tmp_path):
    path = tmp_path / "exercises.json"
    asked = ("lesson", "exercises", "-t", "gpt2", "--seed", "7", "--count", "4")
    shown = tokenlab(*asked, "--answers", "[0, null, [8], null]", "--name", "student", "-o", str(path)).stdout.decode()
    assert "verified: 0 of 4 right by student, " in shown and "(gpt2, mixed, seed 7, corpus udhr)" in shown
    assert "The lowest rank comes first" in shown and "not answered" in shown
    assert tokenlab("lesson", "check", str(path)).stdout.decode() == shown
    edited = path.read_bytes().replace(b'"right":0', b'"right":3')
    ended = tokenlab("lesson", "check", "-", stdin=edited, status=2)
    assert "right is 3, and the engine counts 0" in ended.stderr.decode()
    for wrong, problem in (
        ("[", "no answers: Expecting"),
        ('["b"]', "0.int: Input should be"),
        ("[1]", "1 answers for 4"),
    ):
        assert problem in tokenlab(*asked, "--answers", wrong, status=2).stderr.decode()
    assert "--answers" in tokenlab(*asked, "-o", str(path), status=2).stderr.decode()


def test_a_playlist_is_printed_and_tried(tokenlab, tmp_path):
    shown = tokenlab("lesson", "playlist").stdout.decode()
    assert "Tokenization in 45 minutes: 45 minutes" in shown and "17–27" in shown
    plan = json.loads(tokenlab("lesson", "playlist", "--format", "json").stdout)["playlist"]
    plan["parts"][0]["tokenizer"] = "nobody"
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    assert "nobody" in tokenlab("lesson", "playlist", str(tmp_path / "plan.json"), status=1).stdout.decode()
    ended = tokenlab("lesson", "playlist", "-", stdin=b"{}", status=2)
    assert "this is not a playlist: kind: Field required" in ended.stderr.decode()
