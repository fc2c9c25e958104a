import json
import os
import shutil
import time

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, LoadFailed, NotFound
from lab_app.library.importing import check_id, files_of, sha256_of_all, staged
from lab_app.store.tokenizers import StoredFile
from tests import tiny


def names(path):
    files, id = files_of(path)
    return [file.name for file in files], id


def test_a_single_file(tmp_path):
    assert names(tiny.rank_file(tmp_path / "a", "my ranks.tiktoken")) == (["my ranks.tiktoken"], "my-ranks")
    # A name that says nothing leaves the word to the folder.
    assert names(tiny.vocab_txt(tmp_path / "my-bert")) == (["vocab.txt"], "my-bert")
    assert names(tiny.vocab_txt(tmp_path, "cased.txt")) == (["cased.txt"], "cased")


@pytest.mark.parametrize("pair", [("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")])
def test_either_file_of_a_pair_and_their_folder_stand_for_both(tmp_path, pair):
    folder = tmp_path / "mine"
    tiny.vocab_and_merges(folder, pair)
    assert names(folder) == ([*pair], "mine")
    assert names(folder / pair[0]) == ([*pair], "mine")
    assert names(folder / pair[1]) == ([pair[1], pair[0]], "mine")
    (folder / "tokenizer_config.json").write_text("{}")
    assert names(folder)[0] == [*pair, "tokenizer_config.json"]


@pytest.mark.parametrize("tokenizer", [tiny.vocab_txt, tiny.tokenizer_json])
def test_what_stands_beside_comes_along(tmp_path, tokenizer):
    path = tokenizer(tmp_path)
    beside = ["tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"]
    for name in beside:
        (tmp_path / name).write_text("{}")
    assert names(tmp_path)[0] == [path.name, *beside]
    assert names(path)[0] == [path.name, *beside]


def test_letters_without_merges_and_their_class_are_a_tokenizer(tmp_path):
    (tmp_path / "vocab.json").write_text(json.dumps({"<pad>": 0, "|": 1, "A": 2, "B": 3}))
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "Wav2Vec2CTCTokenizer"}')
    assert names(tmp_path)[0] == names(tmp_path / "vocab.json")[0] == ["vocab.json", "tokenizer_config.json"]
    assert Tokenizer.from_file(tmp_path / "vocab.json").encode("AB A").ids.tolist() == [2, 3, 1, 2]
    (tmp_path / "spiece.model").write_bytes(b"")
    assert names(tmp_path)[0] == ["spiece.model", "tokenizer_config.json"]


@pytest.mark.parametrize(
    ("name", "class_name", "note"),
    [
        ("spiece.model", None, None),
        ("spiece.model", "T5Tokenizer", None),
        ("spiece.model", "CamembertTokenizerFast", "fairseq puts <s>, <pad> and </s> first"),
        ("sentencepiece.bpe.model", None, "fairseq puts <s>, <pad> and </s> first"),
    ],
)
def test_a_model_whose_ids_are_not_those_of_its_class_says_so(shared, tmp_path, name, class_name, note):
    path = shutil.copy(shared / "vocab" / "sp-small" / "test_model.model", tmp_path / name)
    if class_name is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": class_name}))
    said = Tokenizer.from_file(path).note
    assert said is None if note is None else note in said


def test_a_folder_with_nothing_to_read_says_what_it_holds(tmp_path):
    (tmp_path / "photo.png").write_bytes(b"")
    with pytest.raises(LoadFailed, match=r"photo\.png"):
        files_of(tmp_path)
    with pytest.raises(NotFound, match="gone"):
        files_of(tmp_path / "gone")


@pytest.mark.parametrize("id", ["a", "gpt2", "bert-base-uncased", "A.b_c-9", "x" * 64])
def test_ids_that_can_be(id):
    assert check_id(id) == id


@pytest.mark.parametrize("id", ["", " ", ".", "..", "a/b", "../x", "a\\b", "-a", "a.", "x" * 65, "日本", "a b", "a\n"])
def test_ids_that_cannot_be(id):
    with pytest.raises(BadValue):
        check_id(id)


def test_a_copy_is_verified_and_goes_unless_it_is_taken(tmp_path):
    path, below = tiny.vocab_txt(tmp_path / "mine"), tmp_path / "tokenizers"
    with staged([path], below) as found:
        assert found.summary.family == "WordPiece" and found.summary.vocab_size == len(tiny.WORDS)
        assert [file.size_bytes for file in found.files] == [path.stat().st_size]
        assert len(list(below.iterdir())) == 1
    assert list(below.iterdir()) == []
    assert path.exists()


def test_a_published_rank_file_needs_nothing_but_itself(shared, tmp_path):
    with staged([shared / "vocab" / "openai" / "p50k_base.tiktoken"], tmp_path) as found:
        assert (found.suggested_id, found.pattern) == ("p50k_base", "p50k_base")
        assert found.summary.special_tokens == {"<|endoftext|>": 50256}


def test_another_rank_file_needs_its_pattern(tmp_path):
    path = tiny.rank_file(tmp_path / "a")
    with pytest.raises(LoadFailed, match=r"tiny\.tiktoken") as error, staged([path], tmp_path / "b"):
        pass
    assert "cl100k_base" in error.value.hint
    with staged([path], tmp_path / "b", pattern="cl100k_base", special_tokens={"<s>": 260}) as found:
        assert found.summary.vocab_size == 261


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde"


def truncated_rank_file(folder):
    path = tiny.rank_file(folder)
    path.write_bytes(path.read_bytes()[:-4])  # the last line loses its rank
    return [path]


def png_as_vocabulary(folder):
    folder.mkdir()
    (folder / "vocab.txt").write_bytes(PNG)
    return [folder / "vocab.txt"]


def merges_of_another_tokenizer(folder):
    path = tiny.vocab_and_merges(folder)
    (folder / "merges.txt").write_text("#version: 0.2\nh e\nl l\nq zz\n")
    return [path, folder / "merges.txt"]


def vocabulary_without_its_merges(folder):
    path = tiny.vocab_and_merges(folder)
    return [path]


def an_empty_file(folder):
    folder.mkdir()
    (folder / "vocab.txt").write_bytes(b"")
    return [folder / "vocab.txt"]


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (truncated_rank_file, r"tiny\.tiktoken line 260"),
        (png_as_vocabulary, r"vocab\.txt"),
        (merges_of_another_tokenizer, r"merges\.txt line 4"),
        (vocabulary_without_its_merges, r"vocab\.json"),
        (an_empty_file, r"vocab\.txt"),
    ],
)
def test_bad_files_are_refused_with_their_place_and_leave_nothing(tmp_path, make, place):
    files, below = make(tmp_path / "bad"), tmp_path / "tokenizers"
    with pytest.raises(LoadFailed, match=place) as error, staged(files, below, pattern="cl100k_base"):
        pass
    assert str(tmp_path) not in error.value.message, "the path is that of a copy that is gone"
    assert list(below.iterdir()) == []


def test_another_import_leaves_the_copy_alone_whatever_the_clock_says(tmp_path, monkeypatch):
    """Its lock is held: a clock that jumped by days does not make it old."""
    with staged([tiny.vocab_txt(tmp_path / "mine")], tmp_path / "below") as found:
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 10 * 86_400)
        with staged([tiny.vocab_txt(tmp_path / "mine")], tmp_path / "below") as other:
            assert found.folder.exists() and other.folder != found.folder
    assert list((tmp_path / "below").iterdir()) == []


def test_one_sha256_for_several_files_does_not_depend_on_their_order():
    a, b = StoredFile("a", "0" * 64, 1), StoredFile("b", "1" * 64, 1)
    assert sha256_of_all((a, b)) == sha256_of_all((b, a)) != sha256_of_all((a,)) == "0" * 64


def test_a_model_of_any_size_keeps_its_vocabulary_alone(shared, tmp_path):
    source = (shared / "vocab" / "gguf" / "gpt-2.gguf").read_bytes()
    path = tmp_path / "big.gguf"
    path.write_bytes(source)
    # The tensors, as a hole that takes no room on the disk.
    os.truncate(path, 600_000_000)
    with staged([path], tmp_path / "tokenizers") as found:
        (copy,) = found.files
        assert copy.size_bytes == (found.folder / copy.name).stat().st_size <= len(source)
        whole, kept = Tokenizer.from_file(path), Tokenizer.from_file(found.folder / copy.name)
        assert kept.encode("Hello, world").ids.tolist() == whole.encode("Hello, world").ids.tolist()
        assert kept.vocab() == whole.vocab()


def test_a_damaged_model_file_is_named(tmp_path):
    path = tmp_path / "cut.gguf"
    path.write_bytes(b"GGUF\3\0\0\0")
    with pytest.raises(LoadFailed, match=r"cut\.gguf byte 8: the file ends here"), staged([path], tmp_path / "kept"):
        pass


def test_a_published_rank_file_is_known_whatever_is_beside_it(shared, tmp_path):
    path = tmp_path / "folder" / "tokenizer.model"
    path.parent.mkdir()
    shutil.copy(shared / "vocab" / "llama3" / "tokenizer.model", path)
    (path.parent / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    with staged(files_of(path)[0], tmp_path / "kept") as found:
        assert (found.suggested_id, found.pattern, len(found.files)) == ("llama3", "llama3", 2)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "x.json",
            b'{"a": 1}',
            "this is a vocabulary of 1 tokens, but no merges are beside it: no merges.txt or vocab.bpe",
        ),
        ("bert.json", b'{"the": 0, "##s": 1, "[UNK]": 2}', "some of which start with ##, as WordPiece has them"),
        (
            "marian.json",
            '{"▁the": 0, "s": 1}'.encode(),
            "tokens of SentencePiece, whose scores are in a .model or .spm file",
        ),
        ("gpt2.merges.txt", b"#version: 0.2\nh e\n", "no vocabulary is beside it: no vocab.json or encoder.json"),
        ("x.json", b"not json", "x.json line 1: not JSON"),
        ("x.json", b'\xef\xbb\xbf{"model": {}}', "begins with a byte order mark"),
        ("x.bin", bytes(range(200, 256)), "byte 0xC8 is not UTF-8 text"),
        ("rwkv.txt", b"1 '\\x00' 1\n2 '\\x01' 1\n", "not every byte is a token"),
        ("codes", b"#version: 0.2\nl o\nlo w</w>\n", "these are merges that end words with </w>, and no vocabulary"),
        ("bpe.codes", b"l o 9\nlo w</w> 8\n", "the lines are merges with counts (bpe.codes of"),
        ("dict.txt", "của 9\nab@@ 8\n".encode(), "the lines are tokens with counts (dict.txt of fairseq"),
        ("vocab.txt", "của 9\nab@@ 8\n".encode(), "the lines are tokens with counts (dict.txt of fairseq"),
        ("onmt.txt", "the\n\uffeds\n".encode(), "are those of OpenNMT's tokenizer (pyonmttok), which is not read"),
        ("english.vocab", b"\x01\x02\x00\xff", "this looks like a vocabulary of TokenMonster"),
        ("x.tiktoken", b"tet 0\n", 'line 1: "tet" is not base64'),
        ("x.tiktoken", b"ICAgICAgIA==10\n", "is not a token in base64, a space and a rank"),
        ("vocab.txt", b"<cls>\n<pad>\nL\n", "none of the 3 lines is [UNK]"),
        ("esm.txt", b"<cls>\n<pad>\nL\n", "3 lines of one word each, but none is [UNK]"),
    ],
)
def test_a_file_that_is_no_tokenizer_says_what_it_looks_like(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    pattern = "gpt2" if name.endswith(".tiktoken") else None
    with pytest.raises(LoadFailed) as raised, staged([path], tmp_path / "kept", pattern=pattern):
        pass
    assert said in raised.value.message
    if "vocab.txt" not in name:
        assert "a vocab.txt has one token per line" not in f"{raised.value.message} {raised.value.hint}"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], r"holds no tokenizer \(contents: nothing\)"),
        (["readme.md", "merges.txt"], r"holds no tokenizer \(contents: merges\.txt, readme\.md\)"),
        ([f"{n}.txt" for n in range(9)], r"0\.txt, .* 7\.txt \.\.\."),
        (["b.model", "a.gguf"], r"holds several tokenizers: a\.gguf, b\.model"),
    ],
)
def test_a_folder_without_one_tokenizer_says_what_it_holds(tmp_path, names, words):
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(LoadFailed, match=words) as error:
        files_of(tmp_path)
    assert error.value.hint
