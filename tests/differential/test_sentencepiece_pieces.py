"""Pieces that few models have, against the library `sentencepiece`: NUL characters and scores of minus infinity."""

import math
import struct
from pathlib import Path

import pytest
import sentencepiece

from lab_app.engine import LoadError, SaveError, Tokenizer
from lab_app.training.control import Control
from lab_app.training.options import resolved
from lab_app.training.run import Plan, Run
from lab_app.training.sources import Text

NORMAL, UNKNOWN, UNUSED, BYTE = 1, 2, 5, 6
TEXTS = ["a\0b\0ac", "\0", "abc", "c", "b\0", ""]
Piece = tuple[str, float, int]
LETTERS: list[Piece] = [("<unk>", 0.0, UNKNOWN), ("a", -1.0, NORMAL), ("b", -2.0, NORMAL)]
BYTES: list[Piece] = [LETTERS[0], *((f"<0x{n:02X}>", 0.0, BYTE) for n in range(256)), *LETTERS[1:]]


def number(value: int) -> bytes:
    low = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
    return bytes([*(each | 128 for each in low[:-1]), low[-1]])


def field(name: int, content: bytes) -> bytes:
    return number(name << 3 | 2) + number(len(content)) + content


def model(pieces: list[Piece], kind: int, *, falls_back: bool = False) -> bytes:
    """A ModelProto that changes no text."""
    written = [
        field(1, field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + number(of))
        for text, score, of in pieces
    ]
    trainer = b"\x18" + number(kind) + number(35 << 3) + number(falls_back)
    return b"".join(written) + field(2, trainer) + field(3, b"\x18\0\x20\0")


def same(content: bytes, path: Path) -> Tokenizer:
    path.write_bytes(content)
    reference, tokenizer = sentencepiece.SentencePieceProcessor(model_proto=content), Tokenizer.from_file(path)
    for text in TEXTS:
        assert tokenizer.encode_list(text) == reference.encode(text), text
    return tokenizer


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_a_piece_that_is_nul_is_not_used_beside_bytes(kind: int, tmp_path: Path):
    tokenizer = same(model([*BYTES, ("\0", -3.0, NORMAL)], kind, falls_back=True), tmp_path / "x.model")
    tokenizer.to_file(tmp_path / "again.model", "sentencepiece")
    same((tmp_path / "again.model").read_bytes(), tmp_path / "again.model")


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_an_unused_piece_may_hold_nul(kind: int, tmp_path: Path):
    same(model([*LETTERS, ("\0", -3.0, UNUSED)], kind), tmp_path / "x.model")


def test_other_pieces_with_nul_are_not_written(tmp_path: Path):
    content = model([*LETTERS, ("a\0b", -0.5, NORMAL)], 1)
    with pytest.raises(RuntimeError, match="null character"):
        sentencepiece.SentencePieceProcessor(model_proto=content)
    (tmp_path / "x.model").write_bytes(content)
    tokenizer = Tokenizer.from_file(tmp_path / "x.model")
    assert tokenizer.encode_list("a\0b") == [3]
    with pytest.raises(SaveError, match="zero byte"):
        tokenizer.to_file(tmp_path / "again.model", "sentencepiece")


@pytest.mark.parametrize("kind", [3, 4])
def test_scores_of_minus_infinity_in_models_of_words_and_characters(kind: int, tmp_path: Path):
    tokenizer = same(model([*LETTERS, ("c", -math.inf, NORMAL)], kind), tmp_path / "x.model")
    tokenizer.to_file(tmp_path / "again.model", "sentencepiece")
    same((tmp_path / "again.model").read_bytes(), tmp_path / "again.model")


def test_scores_of_minus_infinity_where_they_matter_are_refused(tmp_path: Path):
    (tmp_path / "x.model").write_bytes(model([*LETTERS, ("c", -math.inf, NORMAL)], 1))
    with pytest.raises(LoadError, match=r"pieces\[3\].score: -inf is no score"):
        Tokenizer.from_file(tmp_path / "x.model")


@pytest.mark.parametrize("preset", ["llama", "sentencepiece"])
def test_a_trained_model_has_no_nul(preset: str, tmp_path: Path):
    lines = ["low\0er new\0er \0\0 lowest", "newest \0"] * 30
    run = Run(
        Plan(resolved(preset, {"vocab_size": 300 if preset == "llama" else 20}), Text("text", (lines,))),
        tmp_path,
        Control(),
    )
    tokenizer = run.run().tokenizer
    tokenizer.to_file(tmp_path / "x.model", "sentencepiece")
    same((tmp_path / "x.model").read_bytes(), tmp_path / "x.model")
