"""Bytes that are not UTF-8: ids as those of tiktoken's `_encode_bytes`, and what other models do.

Byte fallback has no reference here: `sentencepiece` replaces such bytes by U+FFFD, and `tokenizers` takes text alone. Its
ids are checked by their definition.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken

from lab_app.engine import EncodeError, Tokenizer
from tests.differential.references import ranks_of, tiktoken_encoding
from tests.differential.vocabularies import Vocabulary
from tests.generators import texts

OPENAI = ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"]

BYTE_LEVEL = ["gpt2/tokenizer.json", "gpt2/vocab.bpe", "gguf/gpt-2.gguf", "roberta-base/tokenizer.json"]
BYTE_FALLBACK = ["llama2/tokenizer.json", "llama2/tokenizer.model", "gguf/llama-spm.gguf"]
TEXT_ALONE = ["bert-base-uncased/vocab.txt", "clip/tokenizer.json", "t5/tokenizer.json", "t5/spiece.model"]


def damaged(count: int, seed: int) -> Iterator[bytes]:
    """Random bytes, and texts with some bytes changed, dropped or put in; a few of them are UTF-8."""
    chance = random.Random(seed)
    for text in texts(count, seed):
        data = bytearray(text.encode())
        kind = chance.randrange(4)
        if kind == 0:
            yield chance.randbytes(chance.randrange(1, 80))
            continue
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(data) + 1)
            if kind == 1:
                data[at : at + 1] = bytes([chance.randrange(256)])
            elif kind == 2:
                del data[at : at + 1]
            else:
                data[at:at] = chance.choice(
                    [b"\xff", b"\xc3", b"  \xe2\x82", b"\xf0\x9f\x98", b"\n \t\x80", b"\xed\xa0\x80"]
                )
        yield bytes(data)


def naughty(shared: Path) -> list[bytes]:
    """The whole file, its lines, and its starts: each ends the valid text elsewhere."""
    data = (shared / "corpus" / "naughty" / "utf8tests.bin").read_bytes()
    return [data, *data.split(b"\n"), *(data[:end] for end in range(0, len(data), 211))]


@pytest.fixture(scope="module", params=OPENAI)
def both(request: pytest.FixtureRequest, shared: Path) -> tuple[Tokenizer, tiktoken.Encoding]:
    ranks = ranks_of(shared / "vocab" / "openai" / f"{request.param}.tiktoken")
    return Vocabulary(f"openai/{request.param}.tiktoken").load(shared), tiktoken_encoding(request.param, ranks)


def test_ids_are_those_of_tiktoken(both: tuple[Tokenizer, tiktoken.Encoding], shared: Path):
    tokenizer, reference = both
    for data in [*damaged(4000, seed=21), *naughty(shared), b"", b"\xff", b"<|endoftext|>\xff", b"a\n \n\t \xff"]:
        ids = tokenizer.encode_bytes(data).tolist()
        assert ids == reference._encode_bytes(data), data
        assert tokenizer.decode_bytes(ids) == data


def test_a_rank_file_with_a_pattern_of_ones_own(shared: Path):
    """Such a pattern has no scanner, so the stages run one after the other."""
    ranks = ranks_of(shared / "vocab" / "openai" / "r50k_base.tiktoken")
    pattern = r" ?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    reference = tiktoken.Encoding("own", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    tokenizer = Tokenizer.from_file(shared / "vocab" / "openai" / "r50k_base.tiktoken", pattern=pattern)
    for data in damaged(1000, seed=22):
        assert tokenizer.encode_bytes(data).tolist() == reference._encode_bytes(data), data


@pytest.mark.parametrize("name", BYTE_LEVEL)
def test_byte_level_vocabularies_lose_no_byte(name: str, shared: Path):
    tokenizer = Vocabulary(name).load(shared)
    for data in [*damaged(800, seed=23), *naughty(shared)]:
        assert tokenizer.decode_bytes(tokenizer.encode_bytes(data), skip_special_tokens=False) == data


def test_decoded_bytes_are_those_of_the_tokens(shared: Path):
    """A part of a character is that part, not U+FFFD, where the decoder is that of byte-level models."""
    for name in [*BYTE_LEVEL, "qwen2/vocab.json"]:
        tokenizer = Vocabulary(name).load(shared)
        for id in range(0, 2000, 7):
            assert tokenizer.decode_bytes([id], skip_special_tokens=False) == tokenizer.token_bytes(id), (name, id)


def test_text_before_the_first_invalid_byte_is_normalized(shared: Path):
    """Qwen2 composes text (NFC); bytes that are not text stay."""
    tokenizer = Vocabulary("qwen2/vocab.json").load(shared)
    ids = tokenizer.encode_bytes("Cafe\u0301 Cafe\u0301".encode() + b"\xff e\xcc\x81")
    assert tokenizer.decode_bytes(ids) == "Café Café".encode() + b"\xff e\xcc\x81"


def test_gpt2_in_two_formats_gives_the_same_ids(shared: Path):
    one, two = Tokenizer.builtin("gpt2"), Vocabulary("gpt2/tokenizer.json").load(shared)
    for data in damaged(2000, seed=24):
        assert one.encode_bytes(data).tolist() == two.encode_bytes(data).tolist(), data


@pytest.mark.parametrize("name", BYTE_FALLBACK)
def test_byte_fallback_has_a_token_for_each_invalid_byte(name: str, shared: Path):
    tokenizer = Vocabulary(name).load(shared)
    for data in [*damaged(800, seed=25), *naughty(shared)]:
        ids = tokenizer.encode_bytes(data)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            invalid = [tokenizer.token_to_id(f"<0x{data[error.start]:02X}>")]
            before = tokenizer.encode_ids(data[: error.start].decode()).tolist()
            assert ids[: len(before)].tolist() == before and ids[len(before)] == invalid[0], data
            spelled = b"".join(tokenizer.token_bytes(int(id)) for id in ids)
            # A space is put before a text, which a text after an invalid byte is not.
            start = b" " if error.start else b""
            assert spelled == start + data.replace("▁".encode(), b" "), data
        else:
            assert ids.tolist() == tokenizer.encode_ids(text).tolist()


@pytest.mark.parametrize("name", TEXT_ALONE)
def test_other_models_refuse_such_bytes(name: str, shared: Path):
    tokenizer = Vocabulary(name).load(shared)
    with pytest.raises(
        EncodeError, match=r"^the byte 0xFF at 6 is not UTF-8, and this model \(.+\) encodes text alone; "
    ):
        tokenizer.encode_bytes(b"hello \xff")
    assert tokenizer.encode_bytes("naïve".encode()).tolist() == tokenizer.encode_ids("naïve").tolist()


def test_text_is_no_bytes():
    with pytest.raises(TypeError):
        Tokenizer.builtin("gpt2").encode_bytes("text")  # type: ignore[arg-type]
    assert Tokenizer.builtin("gpt2").encode_bytes(bytearray(b"text")).tolist() == [5239]
