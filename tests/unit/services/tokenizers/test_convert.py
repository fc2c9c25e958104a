import os
import threading

import pytest

from lab_app.errors import BadValue, Conflict
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.convert import convert
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True))


def test_a_tokenizer_is_written(lab, tmp_path):
    add(lab, tiny.rank_file(tmp_path), id="ranks", pattern="qwen2", special_tokens={"<s>": 260})
    written = convert(lab, "ranks", "tiktoken", tmp_path / "out.tiktoken")
    assert written.files[0].read_bytes() == (tmp_path / "tiny.tiktoken").read_bytes()
    assert written.notes[0].endswith('split pattern qwen2; special tokens {"<s>": 260}')
    assert convert(lab, "ranks", "tokenizer.json", tmp_path / "tokenizer.json").notes == ()
    add(lab, tmp_path / "tokenizer.json", id="json")
    text = "hello 123 hell<s>"
    assert lab.loaded.get("json")[1].encode(text).ids.tolist() == lab.loaded.get("ranks")[1].encode(text).ids.tolist()


def test_a_format_of_several_files_is_a_folder(lab, tmp_path):
    written = convert(lab, "gpt2", "vocab+merges", tmp_path / "gpt2")
    assert [file.name for file in written.files] == ["vocab.json", "merges.txt"]
    assert all(file.parent == tmp_path / "gpt2" and file.is_file() for file in written.files)


def test_nothing_is_written_over_without_leave(lab, tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(Conflict, match="out already exists"):
        convert(lab, "gpt2", "tiktoken", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
    convert(lab, "gpt2", "tiktoken", tmp_path / "out", force=True)
    assert (tmp_path / "out").read_text() != "mine"


def test_a_link_stays_a_link(lab, tmp_path):
    (tmp_path / "link").symlink_to("real")
    for force in (False, True):
        convert(lab, "gpt2", "tiktoken", tmp_path / "link", force=force)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "real").stat().st_size > 800_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_takes_the_file_and_stays(lab, tmp_path):
    add(lab, tiny.rank_file(tmp_path), id="ranks", pattern="qwen2")
    pipe, came = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: came.append(pipe.read_bytes()), daemon=True)
    reader.start()
    convert(lab, "ranks", "tiktoken", pipe, force=True)
    assert pipe.is_fifo()
    reader.join()
    assert came == [(tmp_path / "tiny.tiktoken").read_bytes()]


def test_what_cannot_be_said_is_said(lab, tmp_path):
    with pytest.raises(BadValue, match=r"vocab\.txt cannot hold the model"):
        convert(lab, "gpt2", "vocab.txt", tmp_path / "out")
    with pytest.raises(BadValue, match="there is no format"):
        convert(lab, "gpt2", "docx", tmp_path / "out")
    assert not (tmp_path / "out").exists()
