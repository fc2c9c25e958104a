"""Tokenizers truncated to a size, against the reference libraries given as many tokens."""

import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from lab_app.engine import Tokenizer
from tests.differential.conftest import first_difference
from tests.differential.references import tiktoken_encoding
from tests.generators import texts

TEXTS = [*texts(200, seed=31), "The quick brown fox jumps over the lazy dog. " * 5, "日本語 और हिन्दी 12345"]


@pytest.mark.parametrize("size", [300, 1000, 7000, 40_000])
def test_first_ranks_give_what_tiktoken_makes_of_them(size: int):
    whole = Tokenizer.builtin("cl100k_base")
    special = set(whole.special_tokens.values())
    truncated = whole.truncated(size)
    assert len(truncated) == size
    kept = size - len(special)
    reference = tiktoken_encoding("cl100k_base", {token: id for token, id in whole.vocab().items() if id < kept})
    for text in TEXTS:
        ours, theirs = truncated.encode_ids(text).tolist(), reference._core_bpe.encode_ordinary(text)
        assert ours == theirs, first_difference(text, ours, theirs)
        assert whole.truncated(size, text=text).encode_ids(text).tolist() == theirs, text


def test_first_merges_give_what_tokenizers_makes_of_them(tmp_path: Path):
    reference = tokenizers.Tokenizer(models.BPE(unk_token="[UNK]"))
    reference.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=1200, special_tokens=["[UNK]"], show_progress=False)
    reference.train_from_iterator(TEXTS, trainer)
    file = tmp_path / "tokenizer.json"
    reference.save(str(file))
    whole = Tokenizer.from_file(file)
    least, most = whole.truncated_sizes
    definition = json.loads(file.read_text(encoding="utf-8"))
    assert most == len(whole) and most - least == len({"".join(merge) for merge in definition["model"]["merges"]})
    for size in (least, least + 1, (least + most) // 2, most - 1):
        truncated, smaller = whole.truncated(size), json.loads(json.dumps(definition))
        smaller["model"]["merges"] = definition["model"]["merges"][: size - least]
        expected = tokenizers.Tokenizer.from_str(json.dumps(smaller))
        for text in TEXTS:
            assert truncated.encode(text).ids.tolist() == expected.encode(text).ids, (size, text)
            assert whole.truncated(size, text=text).encode(text).ids.tolist() == expected.encode(text).ids, (size, text)


@pytest.mark.parametrize(
    "file", ["t5/tokenizer.json", "albert-base-v2/tokenizer.json", "llama2/tokenizer.json", "qwen2"]
)
def test_for_one_text_it_is_the_same(shared: Path, file: str):
    whole = Tokenizer.from_file(shared / "vocab" / file)
    least, most = whole.truncated_sizes
    for size in (least, least + 500, (least + most) // 2, most - 7):
        truncated = whole.truncated(size)
        for text in TEXTS[::20]:
            ours, expected = whole.truncated(size, text=text).encode(text), truncated.encode(text)
            assert ours.ids.tolist() == expected.ids.tolist()
            assert ours.span_utf8.tolist() == expected.span_utf8.tolist()


def test_sizes_out_of_range_are_refused():
    with pytest.raises(ValueError, match="257 must stay"):
        Tokenizer.builtin("gpt2").truncated(100)
    assert len(Tokenizer.builtin("gpt2").truncated(10**6)) == 50257
