import hashlib

import pytest

from lab_app.catalog.entry import Card
from lab_app.catalog.known import known_tokenizer, known_tokenizers, rank_file
from lab_app.engine import BUILTIN, PATTERNS, Tokenizer


def test_what_the_engine_has_built_in_is_in_the_catalog():
    assert {known.engine for known in known_tokenizers()} - {None} == set(BUILTIN)


def test_ids_are_found_whatever_their_capitals():
    assert known_tokenizer("GPT2") is known_tokenizers()[0]
    assert known_tokenizer("gpt9") is None


@pytest.mark.parametrize("name", ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"])
def test_published_rank_files_are_told_by_their_sha256(shared, name):
    path = shared / "vocab" / "openai" / f"{name}.tiktoken"
    found = rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    assert found is not None and found.id == name and found.pattern in PATTERNS


def test_llama3_has_its_256_special_tokens(shared):
    path = shared / "vocab" / "llama3" / "tokenizer.model"
    special = rank_file(hashlib.sha256(path.read_bytes()).hexdigest()).special_tokens
    assert sorted(special.values()) == list(range(128_000, 128_256))
    # As in `Tokenizer` of Meta's llama/tokenizer.py.
    known = {"<|reserved_special_token_3|>": 128_005, "<|reserved_special_token_4|>": 128_008, "<|eot_id|>": 128_009}
    assert known.items() <= special.items() and special["<|reserved_special_token_250|>"] == 128_255


@pytest.mark.parametrize(("builtin", "name"), [("gpt2", "r50k_base"), ("cl100k_base",) * 2, ("o200k_base",) * 2])
def test_a_published_rank_file_is_the_tokenizer_the_engine_has(shared, builtin, name):
    path = shared / "vocab" / "openai" / f"{name}.tiktoken"
    found = rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    loaded = Tokenizer.from_file(path, pattern=found.pattern, special_tokens=found.special_tokens)
    assert Card.of(loaded) == Card.of(Tokenizer.builtin(builtin))
    text = "Hello  日本 <|endoftext|> naïve_café(x) 12345"
    assert loaded.encode(text).ids.tolist() == Tokenizer.builtin(builtin).encode(text).ids.tolist()
