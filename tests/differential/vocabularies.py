"""Every tokenizer at hand: the built-in ones and each file of ../shared/data/vocab."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lab_app.engine import BUILTIN, Tokenizer
from lab_app.library.known import rank_file
from tests.scale import LAB_TEXTS

FILES = [
    "albert-base-v2/tokenizer.json",
    "bert-base-cased/tokenizer.json",
    "bert-base-cased/vocab.txt",
    "bert-base-uncased/tokenizer.json",
    "bert-base-uncased/vocab.txt",
    "clip/bpe_simple_vocab_16e6.txt.gz",
    "clip/tokenizer.json",
    "gguf/bert-bge.gguf",
    "gguf/gpt-2.gguf",
    "gguf/llama-spm.gguf",
    "gpt2/tokenizer.json",
    "gpt2/vocab.bpe",
    "llama2/tokenizer.json",
    "llama2/tokenizer.model",
    "llama3/tokenizer.model",
    "openai/cl100k_base.tiktoken",
    "openai/o200k_base.tiktoken",
    "openai/p50k_base.tiktoken",
    "openai/r50k_base.tiktoken",
    "qwen2/vocab.json",
    "roberta-base/tokenizer.json",
    "roberta-base/vocab.json",
    "sp-small/keras_llama_test_vocab.spm",
    "sp-small/keras_t5_test_vocab.spm",
    "sp-small/test_ja_model.model",
    "sp-small/test_model.model",
    "t5/spiece.model",
    "t5/tokenizer.json",
]

RANK_FILES = {
    "llama3/tokenizer.model": "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
    "openai/cl100k_base.tiktoken": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "openai/o200k_base.tiktoken": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "openai/p50k_base.tiktoken": "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    "openai/r50k_base.tiktoken": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
}


class Vocabulary(NamedTuple):
    """A built-in name, or a file below ../shared/data/vocab."""

    name: str

    def load(self, shared: Path) -> Tokenizer:
        """The tokenizer, which tests that follow each other share."""
        return loaded(self.name, shared)


@lru_cache(maxsize=1)
def loaded(name: str, shared: Path) -> Tokenizer:
    if name in BUILTIN:
        return Tokenizer.builtin(name)
    path = shared / "vocab" / name
    if name not in RANK_FILES:
        return Tokenizer.from_file(path)
    known = rank_file(RANK_FILES[name])
    assert known is not None
    return Tokenizer.from_file(path, pattern=known.pattern, special_tokens=known.special_tokens)


ALL = [Vocabulary(name) for name in (*BUILTIN, *FILES)]

SAME_TABLE = {
    "r50k_base": "gpt2",
    "o200k_harmony": "o200k_base",
    "gpt2/tokenizer.json": "gpt2",
    "gpt2/vocab.bpe": "gpt2",
    "gguf/gpt-2.gguf": "gpt2",
    "openai/r50k_base.tiktoken": "gpt2",
    "openai/p50k_base.tiktoken": "p50k_base",
    "openai/cl100k_base.tiktoken": "cl100k_base",
    "openai/o200k_base.tiktoken": "o200k_base",
    "bert-base-cased/vocab.txt": "bert-base-cased/tokenizer.json",
    "bert-base-uncased/vocab.txt": "bert-base-uncased/tokenizer.json",
    "clip/bpe_simple_vocab_16e6.txt.gz": "clip/tokenizer.json",
    "roberta-base/vocab.json": "roberta-base/tokenizer.json",
}
"""Other forms of a table, and the form that stands for it in `TABLES`; test_tables.py proves that they encode alike."""

TABLES = [each for each in ALL if LAB_TEXTS > 1 or each.name not in SAME_TABLE]
"""One form of each table, which `make test` compares on much text; all forms with `LAB_TEXTS`."""
