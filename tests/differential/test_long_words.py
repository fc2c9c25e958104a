"""Words of thousands of symbols against tiktoken, `sentencepiece` and `tokenizers`: random over few letters, periodic, runs, with
lengths around those at which the engine changes its way.

Not here: each way against its definition (`engine_rs/core/src/models/bpe`).
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sentencepiece
import tokenizers

from lab_app.engine import Tokenizer
from tests.differential.references import ranks_of, tiktoken_encoding

ALPHABETS = [
    "a",
    "ab",
    "etaoin",
    "abcdefghijklmnopqrstuvwxyz",
    "=-",
    "  \t",
    "\n ",
    "aB",
    "日本",
    "é",
    "\ufffd",
    "👩\u200d",
    "e\u0301",
]
LENGTHS = [47, 48, 49, 63, 64, 65, 66, 96, 97, 127, 128, 129, 191, 192, 193, 240, 256, 257, 1000, 3000]


def _words(seed: int) -> Iterator[str]:
    draw = random.Random(seed)
    for alphabet in ALPHABETS:
        for length in LENGTHS:
            yield "".join(draw.choices(alphabet, k=length))
            period = "".join(draw.choices(alphabet, k=draw.randint(1, 20)))
            yield (period * length)[:length]
            runs = "".join(letter * draw.randint(1, length) for letter in draw.choices(alphabet, k=4))
            yield runs[:length]
            yield "x" + alphabet[0] * length + draw.choice(["", ".", "x", "\n", " x"])


def _agree(tokenizer: Tokenizer, reference: Callable[[str], list[int]], seed: int) -> None:
    for word in _words(seed):
        for text in (word, f"the {word} end"):
            assert tokenizer.encode_ids(text).tolist() == reference(text), text


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base", "o200k_base"])
def test_words_equal_tiktoken(name: str, shared: Path):
    ranks = ranks_of(shared / "vocab" / "openai" / f"{name}.tiktoken")
    ours = Tokenizer.builtin("gpt2" if name == "r50k_base" else name)
    _agree(ours, tiktoken_encoding(name, ranks).encode_ordinary, 1)


def test_words_equal_sentencepiece(shared: Path):
    path = str(shared / "vocab" / "llama2" / "tokenizer.model")
    reference = sentencepiece.SentencePieceProcessor(model_file=path)
    _agree(Tokenizer.from_file(path), reference.encode, 2)


@pytest.mark.parametrize("folder", ["clip", "gpt2", "llama2"])
def test_words_equal_tokenizers(folder: str, shared: Path):
    path = str(shared / "vocab" / folder / "tokenizer.json")
    reference = tokenizers.Tokenizer.from_file(path)
    ours = Tokenizer.from_file(path)
    _agree(ours, lambda text: reference.encode(text, add_special_tokens=False).ids, 3)
