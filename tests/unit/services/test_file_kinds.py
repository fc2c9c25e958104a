import json
import os

import pytest

from lab_app.errors import BadRequest, BadValue, NotFound
from lab_app.services.corpora.file_kinds import check, kind_of, read_text
from tests import tiny

MODEL = json.dumps({"model": {"type": "WordLevel", "vocab": {"a": 0}}})

FILES = {
    "a tokenizer.json": ("tokenizer.json", MODEL, "tokenizer"),
    "one of another name": ("mine.JSON", MODEL, "tokenizer"),
    "a text about tokenizers": ("a.txt", MODEL, "text"),
    "JSON without a model": ("a.json", '{"vocab": {}, "model": "bert"}', "text"),
    "JSON with an error": ("a.json", f"{MODEL},", "text"),
    "a list of documents": ("a.json", '\ufeff [{"text": "a"}]', "corpus"),
    "a WordPiece vocabulary": ("vocab.txt", "[PAD]\r\n[UNK]\r\na\r\n", "tokenizer"),
    "a text called vocab.txt": ("vocab.txt", "see [UNK] below\n", "text"),
    "merges alone": ("merges.txt", "a b\n", "text"),
    "a vocabulary alone": ("vocab.json", '{"a": 0}', "text"),
    "a rank file of any name": ("ranks", "IQ== 0\nIg== 1\nIw== 2\nJA== 3\n", "tokenizer"),
    "words and numbers": ("a.txt", "four 4\nfive 5\n", "text"),
    "two words and numbers": ("a.txt", "book 0\npage 1\n", "text"),
    "a space and a number": ("a.txt", " 0\n", "text"),
    "a rank file of one line": ("a.tiktoken", "IQ== 0\n", "tokenizer"),
    "a GGUF of any name": ("weights.bin", "GGUF\x03", "tokenizer"),
    "a SentencePiece model": ("spiece.model", "\n", "tokenizer"),
    "lines of JSON": ("a.jsonl", '{"text": "a"}\n', "corpus"),
    "a table": ("A.TSV", "text\na\n", "corpus"),
    "a packed text": ("a.txt.gz", "", "corpus"),
    "a text": ("README", "hello", "text"),
    "an empty text": ("empty.txt", "", "text"),
    "a text that is too large": ("large.txt", "x" * 101, "corpus"),
}


@pytest.mark.parametrize(("name", "content", "kind"), FILES.values(), ids=FILES)
def test_the_kind_of_a_file(tmp_path, name, content, kind):
    (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    assert kind_of(tmp_path / name, 100) == kind


def test_the_kind_of_a_folder(tmp_path):
    tiny.vocab_and_merges(tmp_path / "tokenizer")
    assert kind_of(tmp_path / "tokenizer", 100) == kind_of(tmp_path / "tokenizer" / "merges.txt", 100) == "tokenizer"
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("a")
    assert kind_of(tmp_path / "texts", 100) == "corpus"
    (tmp_path / "neither").mkdir()
    with pytest.raises(BadRequest, match="neither holds no file of text, and no tokenizer"):
        kind_of(tmp_path / "neither", 100)


TEXTS = [("Grüße".encode(), "Grüße", "UTF-8"), (b"\xef\xbb\xbfa", "\ufeffa", "UTF-8")]
TEXTS += [
    (mark + "ü".encode(name), "ü", name.upper())
    for mark, name in ((b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
]


@pytest.mark.parametrize(("content", "text", "encoding"), TEXTS)
def test_a_text_is_read_as_the_page_reads_it(tmp_path, content, text, encoding):
    (tmp_path / "a.txt").write_bytes(content)
    assert read_text(tmp_path / "a.txt") == (text, encoding)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"ab\xff", r"a\.txt is not UTF-8 text: byte 2 is 0xff"),
        (b"\xff\xfea\0b", r"a\.txt is not UTF-16 text: byte 4 is 0x62"),
        ("a".encode("utf-32"), r"a\.txt is UTF-32 text, which the lab does not read: save it as UTF-8"),
        (b"\0\0\xfe\xff\0\0\0a", r"a\.txt is UTF-32 text"),
    ],
)
def test_what_is_not_text_is_refused_with_the_place(tmp_path, content, said):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(BadValue, match=said):
        check(tmp_path / "a.txt", 100)


def test_what_is_not_there_or_is_no_file_is_refused(tmp_path):
    with pytest.raises(NotFound, match=r"gone\.txt cannot be read: No such file"):
        check(tmp_path / "gone.txt", 100)
    if os.name != "nt":
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(BadValue, match="pipe is neither a file nor a folder"):
            check(tmp_path / "pipe", 100)
        with pytest.raises(BadValue, match="is not UTF-8"):
            check(tmp_path / os.fsdecode(b"\xff.txt"), 100)
