"""Byte-level BPE against tiktoken: built-in tables, rank files, generated texts and the corpus."""

from pathlib import Path

import pytest
import tiktoken

from lab_app.engine import Tokenizer
from tests.differential.conftest import first_difference
from tests.differential.references import ranks_of, tiktoken_encoding
from tests.generators import texts
from tests.scale import few, scaled, step

# Built-in name, and the name of the encoding in tiktoken.
BUILTIN = [
    ("gpt2", "r50k_base"),
    ("p50k_base", "p50k_base"),
    ("cl100k_base", "cl100k_base"),
    ("o200k_base", "o200k_base"),
    ("o200k_harmony", "o200k_harmony"),
]

# tiktoken gives two special tokens one id; the tokenizer.json of gpt-oss has only the other one.
TWICE = {"<|reserved_200018|>"}


@pytest.fixture(scope="module", params=BUILTIN, ids=[name for name, _ in BUILTIN])
def both(request: pytest.FixtureRequest) -> tuple[Tokenizer, tiktoken.Encoding]:
    name, encoding = request.param
    tokenizer = Tokenizer.builtin(name)
    special = set(tokenizer.special_tokens.values())
    ranks = {token: id for token, id in tokenizer.vocab().items() if id not in special}
    return tokenizer, tiktoken_encoding(encoding, ranks)


# o200k_harmony has the table and the pattern of o200k_base; test_tables.py compares the two.
TABLES = few(BUILTIN, len(BUILTIN) - 1)
once_per_table = pytest.mark.parametrize("both", TABLES, indirect=True, ids=[name for name, _ in TABLES])


def assert_same_ids(tokenizer: Tokenizer, reference: tiktoken.Encoding, text: str) -> None:
    ours, theirs = tokenizer.encode_ids(text).tolist(), reference.encode_ordinary(text)
    assert ours == theirs, first_difference(text, ours, theirs)


def test_generated_texts(both):
    tokenizer, reference = both
    vocab = [token.decode() for token in tokenizer.vocab() if token.isascii()]
    for text in texts(scaled(3000), seed=1, tokens=vocab):
        assert_same_ids(tokenizer, reference, text)


@once_per_table
def test_every_code_point_alone_and_between_letters(both):
    tokenizer, reference = both
    every = step(70)
    for code in range(0x110000):
        if code < 0x3400 or code % every == 0 or 0xA000 <= code < 0xAC00 or 0x10000 <= code < 0x1F000:
            if 0xD800 <= code < 0xE000:
                continue
            assert_same_ids(tokenizer, reference, f"a{chr(code)}b {chr(code)}'s\n{chr(code)}")


@pytest.mark.parametrize(
    "special", ["<|endoftext|>", "x<|endoftext|>y", "<|endoftext|><|endoftext|>", "<|endofprompt|>a", "<|endoftext"]
)
def test_special_tokens_in_the_text(both, special):
    tokenizer, reference = both
    assert tokenizer.encode_ids(special, specials="parse").tolist() == reference.encode(special, allowed_special="all")
    assert tokenizer.encode_ids(special, specials="text").tolist() == reference.encode(special, disallowed_special=())


def test_decodes_the_same_bytes(both):
    tokenizer, reference = both
    for id in range(0, tokenizer.base_vocab_size, 37):
        assert tokenizer.decode_bytes([id]) == reference.decode_bytes([id])
        assert tokenizer.decode([id, id]) == reference.decode([id, id])


def test_sizes_are_those_of_the_reference(both):
    tokenizer, reference = both
    assert tokenizer.vocab_size == reference.n_vocab
    assert tokenizer.special_tokens == {
        token: id for token, id in reference._special_tokens.items() if token not in TWICE
    }


@once_per_table
def test_corpus_whole_and_by_line(both, corpus, corpus_lines):
    tokenizer, reference = both
    corpus_lines = corpus_lines[:: step(12)]
    for name, text in ((name, text[: scaled(50_000)]) for name, text in corpus):
        ours, theirs = tokenizer.encode_ids(text).tolist(), reference.encode_ordinary(text)
        assert ours == theirs, f"{name}: {first_difference(text, ours, theirs)}"
    ids, row_starts = tokenizer.encode_ids_batch(corpus_lines)
    ids = ids.tolist()
    for n, theirs in enumerate(reference.encode_ordinary_batch(corpus_lines, num_threads=2)):
        ours = ids[row_starts[n] : row_starts[n + 1]]
        assert ours == theirs, first_difference(corpus_lines[n], ours, theirs)


def test_r50k_base_is_gpt2_under_another_name():
    one, two = Tokenizer.builtin("gpt2"), Tokenizer.builtin("r50k_base")
    assert one.vocab() == two.vocab() and one.special_tokens == two.special_tokens and one.stages == two.stages


def test_the_messages_of_gpt_oss():
    text = "<|start|>system<|message|>Reasoning: low<|end|><|start|>assistant<|channel|>final<|message|>Hi!<|return|>"
    ids = Tokenizer.builtin("o200k_harmony").encode_ids(text, specials="parse").tolist()
    assert ids[:3] == [200006, 17360, 200008] and ids[-1] == 200002
    assert Tokenizer.builtin("o200k_harmony").decode(ids, skip_special_tokens=False) == text


@pytest.mark.parametrize("name", ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"])
def test_rank_files(name: str, shared: Path, corpus):
    path = shared / "vocab" / "openai" / f"{name}.tiktoken"
    reference = tiktoken_encoding(name, ranks_of(path))
    tokenizer = Tokenizer.from_file(path, pattern=name, special_tokens=reference._special_tokens)
    assert tokenizer.vocab_size == reference.n_vocab
    for text in [text for _, text in corpus if len(text) < 100_000]:
        assert_same_ids(tokenizer, reference, text)
