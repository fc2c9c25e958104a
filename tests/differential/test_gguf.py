"""GGUF files with every split pattern that is read, against `tokenizers` with the stages of the model's tokenizer.json.

The vocabulary is GPT-2's, which shows how a text is split. Not here: the files of llama.cpp (test_formats_in.py, tests/golden).
"""

import json
import struct
from pathlib import Path

import pytest
import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from lab_app.engine import Tokenizer
from tests.differential.conftest import first_difference
from tests.differential.test_patterns import LLAMA3
from tests.generators import texts
from tests.scale import scaled

GPT2 = pre_tokenizers.ByteLevel(add_prefix_space=False)
BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
DIGITS = pre_tokenizers.Digits(individual_digits=True)


def split(*patterns: str, then=()) -> pre_tokenizers.PreTokenizer:
    """The patterns one after the other, then the bytes."""
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    return pre_tokenizers.Sequence([*cuts, *then, BYTES])


QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN35 = QWEN.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CODER = ["[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥\u0800-一가-\ud7ff]+"]
FALCON = [
    pre_tokenizers.Punctuation("contiguous"),
    GPT2,
    pre_tokenizers.Digits(individual_digits=False),
    pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated"),
]

PUNCTUATION = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+"""
)
KANA = "[一-龥぀-ゟ゠-ヿ]+"
BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
BAILING = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
HALVES = "".join(rf"|\s{{{2**power}}}(?!\S)" for power in range(9, 1, -1))

# Name of the pattern: pretokenizer, whether the text is composed (NFC), whether whole tokens are looked up before merging.
STAGES = {
    "gpt-2": (GPT2, False, False),
    "phi-2": (GPT2, False, False),
    "mpt": (GPT2, True, False),
    "olmo": (GPT2, True, False),
    "starcoder": (pre_tokenizers.Sequence([DIGITS, GPT2]), False, False),
    "refact": (pre_tokenizers.Sequence([DIGITS, GPT2]), False, False),
    "smollm": (pre_tokenizers.Sequence([DIGITS, GPT2]), False, False),
    "command-r": (pre_tokenizers.Sequence([DIGITS, GPT2]), True, False),
    "falcon": (pre_tokenizers.Sequence(FALCON), False, False),
    "deepseek-coder": (split(*CODER, then=[DIGITS]), False, False),
    "llama-bpe": (split(LLAMA3), False, True),
    "qwen2": (split(QWEN), True, False),
    "qwen35": (split(QWEN35), True, False),
    "gpt-4o": (split(O200K), False, True),
    # What llama.cpp alone says: here the same expressions go through both engines.
    "falcon3": (split(LLAMA3), False, True),
    "dbrx": (split(LLAMA3), False, False),
    "minicpm5": (split(r"\p{N}{1,3}", QWEN.replace(r"|\p{N}|", r"|\p{N}+|")), False, True),
    "jais-2": (split(LLAMA3.replace(r"|\s+(?!\S)|\s+", HALVES + r"|\s{1,2}(?!\S)|\s{1}")), False, False),
    "spark2_5": (
        split(r"\p{N}{1,3}", KANA, PUNCTUATION + r"|[\r\n]|\s+(?!\S)|\s+", r"\p{N}"),
        False,
        False,
    ),
    "codeshell": (pre_tokenizers.Sequence([DIGITS, GPT2]), False, False),
    "stablelm2": (split(QWEN), False, False),
    "laguna": (split(r"[^\n]+|\n+", QWEN), False, False),
    "ufakzeka": (split(QWEN.removeprefix("(?i:'s|'t|'re|'ve|'m|'ll|'d)|")), False, False),
    "seed-coder": (split(QWEN.replace(r"[^\s\p{L}\p{N}]+[\r\n]*", r"[^\s\p{L}\p{N}\r\n]+")), False, False),
    "bailingmoe": (split(BAILING), False, False),
    "exaone-moe": (
        split(
            QWEN.replace(r"?\p{L}+", r"?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+")
            .replace(r"]+[\r\n]*", r"]+[\r\n/]?")
            .replace(r"\s*[\r\n]+", r"\s*[\r\n]")
        ),
        False,
        False,
    ),
    "bloom": (split(BLOOM), False, False),
    "viking": (split(BLOOM, r"\p{N}"), False, False),
    "minimax-m2": (split(O200K), False, False),
    "tiny_aya": (split(r"\d{1,3}(?=(?:\d{3})*\b)", O200K), False, False),
    "superbpe": (split(r"\p{N}+", r"(?=(\d{3})+(?!\d))"), False, False),
    "chameleon": (
        pre_tokenizers.Sequence(
            [
                *(
                    pre_tokenizers.Split(Regex(pattern), "isolated")
                    for pattern in (
                        "<sentinel:[0-9]+>",
                        "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
                        "([\t\n]|    |  )",
                        r"\p{N}",
                        r"[\p{P}!-/:-@\[-`{-~]",
                    )
                ),
                GPT2,
            ]
        ),
        False,
        False,
    ),
}


def gguf(path: Path, pre: str, vocab: dict[str, int], merges: list[str], **more: tuple[int, bytes]) -> Path:
    """A file without tensors."""
    tokens = sorted(vocab, key=vocab.__getitem__)
    text = lambda value: struct.pack("<Q", len(value.encode())) + value.encode()  # noqa: E731
    strings = lambda values: struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))  # noqa: E731
    types = struct.pack("<IQ", 5, len(tokens)) + struct.pack(f"<{len(tokens)}i", *[1] * len(tokens))
    values = {
        "tokenizer.ggml.model": (8, text("gpt2")),
        "tokenizer.ggml.pre": (8, text(pre)),
        "tokenizer.ggml.tokens": (9, strings(tokens)),
        "tokenizer.ggml.token_type": (9, types),
        "tokenizer.ggml.merges": (9, strings(merges)),
        "tokenizer.ggml.add_bos_token": (7, b"\0"),
        **more,
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, len(values))
    path.write_bytes(
        head + b"".join(text(name) + struct.pack("<I", kind) + value for name, (kind, value) in values.items())
    )
    return path


@pytest.fixture(scope="module")
def model(shared: Path) -> tuple[dict[str, int], list[str]]:
    whole = json.loads((shared / "vocab" / "gpt2" / "tokenizer.json").read_text())["model"]
    return whole["vocab"], [merge if isinstance(merge, str) else " ".join(merge) for merge in whole["merges"]]


@pytest.mark.parametrize("pre", STAGES)
def test_splits_as_the_model_that_the_pattern_is_called_after(model, tmp_path: Path, pre: str):
    vocab, merges = model
    pretokenizer, composed, whole = STAGES[pre]
    pairs = [tuple(merge.split(" ")) for merge in merges]
    reference = tokenizers.Tokenizer(models.BPE(vocab, pairs, ignore_merges=whole))
    reference.pre_tokenizer = pretokenizer
    reference.decoder = decoders.ByteLevel()
    if composed:
        reference.normalizer = normalizers.NFC()
    ours = Tokenizer.from_file(gguf(tmp_path / "x.gguf", pre, vocab, merges))
    for text in [*texts(scaled(200), seed=sum(map(ord, pre))), "1234567 'S'll 12 e\u0301", "a1b22c333d4444"]:
        first, second = ours.encode(text).ids.tolist(), reference.encode(text).ids
        assert first == second, first_difference(text, first, second)
