"""`tokenlab handout` and `tokenlab share`: the files, and options that have no effect."""

import json
from pathlib import Path

import pytest

from lab_app.cli.output import write_folder
from lab_app.errors import Unavailable
from tests.lesson_examples import unigram_file
from tests.page_engine import held, needs_engine


@needs_engine
def test_a_lesson_and_a_text_are_written(tokenlab, tmp_path: Path):
    file = tmp_path / "page.html"
    lesson = ("--lesson", "bpe-train", "--do", "--at", "1", "--learn", "3")
    done = tokenlab("handout", "-t", "gpt2", "-o", str(file), *lesson, "low lower")
    assert f"{file}: {file.stat().st_size} bytes" in done.stderr.decode()
    found = held(file.read_text(encoding="utf-8"))["lesson"]
    assert (found["name"], found["way"], found["at"], found["learn"]) == ("bpe-train", "do", 1, 3)
    again = tokenlab("handout", "-t", "gpt2", "-o", str(file), "a", status=1)
    assert "--force" in again.stderr.decode()
    tokenlab("handout", "-t", "gpt2", "-t", "bert-base-uncased", "-o", str(file), "--force", "a b")
    found = held(file.read_text(encoding="utf-8"))
    assert found["lesson"] is None and found["encoded"]["text"] == "a b" and len(found["tokenizers"]) == 2


@needs_engine
def test_a_lesson_is_written_as_a_folder(tokenlab, tmp_path: Path):
    folder = tmp_path / "a" / "low merges"
    done = tokenlab("share", "-t", "gpt2", "-o", str(folder), "--lesson", "bpe-encode", "--at", "1", "low")
    assert f"python -m http.server --directory '{folder}'" in done.stderr.decode()
    contents = json.loads((folder / "contents.json").read_text(encoding="utf-8"))
    assert contents["subjects"][0]["lesson"]["at"] == 1
    assert "MIT License" in (folder / "LICENCES.txt").read_text(encoding="utf-8")
    again = tokenlab("share", "-t", "gpt2", "-o", str(folder), "a", status=1)
    assert "already exists" in again.stderr.decode()
    (folder / "notes.txt").touch()
    tokenlab("share", "-t", "gpt2", "-t", "bert-base-uncased", "-o", str(folder), "--force", "a")
    assert (folder / "tokenizer-1.bin").is_file()
    tokenlab("share", "-t", "gpt2", "-o", str(folder), "--force", "a")
    assert {each.name for each in folder.glob("tokenizer-*")} == {"tokenizer-0.bin"}, "no vocabulary of before is left"
    assert (folder / "notes.txt").is_file()


def test_a_page_is_not_replaced_before_its_parts(tmp_path: Path):
    (tmp_path / "tokenizer-0.bin").mkdir()
    (tmp_path / "index.html").write_bytes(b"before")
    with pytest.raises(Unavailable, match="cannot be written"):
        write_folder(tmp_path, {"tokenizer-0.bin": b"", "index.html": b"after"}, parts="tokenizer-*.bin", force=True)
    assert (tmp_path / "index.html").read_bytes() == b"before"


@needs_engine
def test_a_vocabulary_whose_licence_is_not_known_has_a_note(tokenlab, tmp_path: Path):
    tokenlab("add", str(unigram_file(tmp_path)), "--id", "own")
    for command, name in (("share", "folder"), ("handout", "page.html")):
        done = tokenlab(command, "-t", "own", "-t", "gpt2", "-o", str(tmp_path / name), "a")
        assert (
            "own: its licence is not known to the lab" in done.stderr.decode() and "gpt2:" not in done.stderr.decode()
        )


@needs_engine
def test_exercises_are_written(tokenlab, tmp_path: Path):
    file = tmp_path / "sheet.html"
    tokenlab("lesson", "exercises", "-t", "gpt2", "--kind", "count", "--count", "2", "--handout", str(file))
    assert len(held(file.read_text(encoding="utf-8"))["exercises"]["marks"]) == 2


def test_what_has_no_effect_is_refused(tokenlab, tmp_path: Path):
    sheet = ("lesson", "exercises", "-t", "gpt2", "--handout")
    for arguments, words in [
        ((str(tmp_path / "page.txt"),), "end it with .html"),
        ((str(tmp_path / "page.html"), "--answers", "[1]"), "--handout takes no --answers"),
        (
            (str(tmp_path / "page.html"), "-o", "a.json", "--name", "Ada", "--format", "json"),
            "--handout takes no -o, --name, --format",
        ),
    ]:
        assert words in tokenlab(*sheet, *arguments, status=2).stderr.decode()
    for arguments, words in [
        (("-o", str(tmp_path / "page.html"), "--do", "a"), "has no effect without a lesson"),
        (("-o", str(tmp_path / "page.txt"), "a"), "end it with .html"),
    ]:
        assert words in tokenlab("handout", "-t", "gpt2", *arguments, status=2).stderr.decode()
