"""Tokenizers of a few tokens, written as files: small enough to reason about, in every format the lab reads."""

import base64
import json
from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world", "token", "##ization", "##s", ",", "."]

# GPT-2's characters for bytes: printable ones stand for themselves, the others follow from U+0100.
_PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTABLE]
BYTE_CHARACTERS = {byte: chr(byte) for byte in _PRINTABLE} | {byte: chr(256 + n) for n, byte in enumerate(_OTHERS)}


def vocab_txt(folder: Path, name: str = "vocab.txt") -> Path:
    """A WordPiece vocabulary as BERT has it."""
    return _written(folder / name, "\n".join(WORDS) + "\n")


def rank_file(folder: Path, name: str = "tiny.tiktoken") -> Path:
    """All bytes, then `he`, `ll`, `hell`, `hello`."""
    tokens = [bytes([byte]) for byte in range(256)] + [b"he", b"ll", b"hell", b"hello"]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    return _written(folder / name, "\n".join(lines) + "\n")


def vocab_and_merges(folder: Path, names: tuple[str, str] = ("vocab.json", "merges.txt")) -> Path:
    """The same as `rank_file`, as GPT-2's two files; the path is that of the vocabulary."""
    tokens = [*BYTE_CHARACTERS.values(), "he", "ll", "hell", "hello", "<|endoftext|>"]
    _written(folder / names[1], "#version: 0.2\nh e\nl l\nhe ll\nhell o\n")
    return _written(folder / names[0], json.dumps({token: id for id, token in enumerate(tokens)}))


def tokenizer_json(folder: Path) -> Path:
    """Whole words between white space, as Hugging Face's one file."""
    definition = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "hello": 1, "world": 2}, "unk_token": "[UNK]"},
    }
    return _written(folder / "tokenizer.json", json.dumps(definition))


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
