"""Formats written, then read by the libraries they belong to: the same results as before.

Not here: rank files as tokenizer.json (test_patterns.py), tokenizer.json read and written (test_tokenizer_json.py).
"""

from pathlib import Path

import pytest
import tiktoken
import tokenizers

from lab_app.engine import SaveError, Tokenizer
from tests.differential.conftest import first_difference
from tests.differential.references import ranks_of, tiktoken_encoding
from tests.generators import texts
from tests.scale import scaled


@pytest.fixture(scope="module")
def vocabularies(shared: Path) -> Path:
    return shared / "vocab"


def test_gpt2_as_a_rank_file(vocabularies: Path, tmp_path: Path):
    for source in ["gpt2/tokenizer.json", "gpt2/encoder.json"]:
        tokenizer = Tokenizer.from_file(vocabularies / source)
        path = tmp_path / "gpt2.tiktoken"
        tokenizer.to_file(path, "tiktoken")
        assert ranks_of(path) == ranks_of(vocabularies / "openai" / "r50k_base.tiktoken")


@pytest.mark.parametrize(("name", "pattern"), [("p50k_base", "p50k_base"), ("cl100k_base", "cl100k_base")])
def test_rank_files_come_back(vocabularies: Path, tmp_path: Path, name: str, pattern: str):
    source = vocabularies / "openai" / f"{name}.tiktoken"
    Tokenizer.from_file(source, pattern=pattern).to_file(tmp_path / name, "tiktoken")
    assert ranks_of(tmp_path / name) == ranks_of(source)
    # By way of a tokenizer.json, too.
    Tokenizer.from_file(source, pattern=pattern).to_file(tmp_path / "tokenizer.json")
    Tokenizer.from_file(tmp_path / "tokenizer.json").to_file(tmp_path / "again", "tiktoken")
    assert ranks_of(tmp_path / "again") == ranks_of(source)


@pytest.mark.parametrize("name", ["bert-base-uncased", "bert-base-cased"])
def test_bert_as_vocab_txt(vocabularies: Path, tmp_path: Path, name: str):
    for source in ["tokenizer.json", "vocab.txt"]:
        Tokenizer.from_file(vocabularies / name / source).to_file(tmp_path / "vocab.txt", "vocab.txt")
        assert (tmp_path / "vocab.txt").read_bytes() == (vocabularies / name / "vocab.txt").read_bytes()


@pytest.mark.parametrize("source", ["builtin", "gpt2/tokenizer.json"])
def test_gpt2_as_vocabulary_and_merges(vocabularies: Path, tmp_path: Path, source: str, corpus):
    tokenizer = Tokenizer.builtin("gpt2") if source == "builtin" else Tokenizer.from_file(vocabularies / source)
    tokenizer.to_file(tmp_path / "out", "vocab+merges")
    reference = tokenizers.ByteLevelBPETokenizer(str(tmp_path / "out/vocab.json"), str(tmp_path / "out/merges.txt"))
    read = Tokenizer.from_file(tmp_path / "out")
    assert read.special_tokens == tokenizer.special_tokens == {"<|endoftext|>": 50256}
    for text in [*texts(scaled(500), seed=9), *(text[: scaled(2000)] for _, text in corpus)]:
        ours = tokenizer.encode_ids(text).tolist()
        assert reference.encode(text).ids == ours, first_difference(text, ours, reference.encode(text).ids)
        assert read.encode_ids(text).tolist() == ours


@pytest.mark.parametrize(
    ("source", "format", "problem"),
    [
        ("bert-base-uncased/vocab.txt", "tiktoken", "tiktoken cannot hold the normalizer"),
        ("roberta-base/tokenizer.json", "tiktoken", "tiktoken cannot hold the postprocessor"),
        ("gpt2/tokenizer.json", "vocab.txt", "vocab.txt cannot hold the model: it holds WordPiece alone"),
        ("roberta-base/tokenizer.json", "vocab+merges", r"vocab\+merges cannot hold the postprocessor"),
        ("clip/tokenizer.json", "tiktoken", "tiktoken cannot hold the normalizer"),
        ("t5/tokenizer.json", "vocab.txt", "vocab.txt cannot hold the model"),
    ],
)
def test_what_a_format_cannot_hold_is_named(vocabularies: Path, tmp_path: Path, source, format, problem):
    with pytest.raises(SaveError, match=problem):
        Tokenizer.from_file(vocabularies / source).to_file(tmp_path / "out", format)
    assert not (tmp_path / "out").exists()


def test_cl100k_has_no_vocabulary_and_merges(tmp_path: Path):
    with pytest.raises(SaveError, match="the split pattern: the files do not say it"):
        Tokenizer.builtin("cl100k_base").to_file(tmp_path / "out", "vocab+merges")


def test_a_written_rank_file_in_tiktoken(tmp_path: Path):
    tokenizer = Tokenizer.builtin("gpt2")
    tokenizer.to_file(tmp_path / "gpt2.tiktoken", "tiktoken")
    reference: tiktoken.Encoding = tiktoken_encoding("r50k_base", ranks_of(tmp_path / "gpt2.tiktoken"))
    for text in texts(200, seed=10):
        assert reference.encode_ordinary(text) == tokenizer.encode_ids(text).tolist()
