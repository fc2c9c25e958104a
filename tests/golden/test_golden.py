"""Expected ids that others published, each checked with its reference library."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from tests.differential.references import ranks_of

BUILTIN = {"r50k_base": "gpt2", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}


def openai(name: str, shared: Path) -> Tokenizer:
    """A tokenizer by its name in tiktoken; p50k is read from its file."""
    if name in BUILTIN:
        return Tokenizer.builtin(BUILTIN[name])
    special = {"<|endoftext|>": 50256}
    return Tokenizer.from_file(shared / "vocab/openai" / f"{name}.tiktoken", pattern=name, special_tokens=special)


def load(folder: str, shared: Path) -> Tokenizer:
    """The tokenizer of a golden folder, from the files of that name."""
    if folder.startswith("openai-"):
        return openai(folder.removeprefix("openai-"), shared)
    folder = folder.removesuffix("-model")
    names = {
        "gpt2": "encoder.json",
        "roberta-base": "vocab.json",
        "clip": "bpe_simple_vocab_16e6.txt.gz",
        "llama2": "tokenizer.model",
    }
    file = names.get(folder, "vocab.txt")
    return Tokenizer.from_file(shared / "vocab" / folder / file)


def ids_by_line(path: Path) -> list[list[int]]:
    return [[int(id) for id in re.findall(r"\d+", line)] for line in path.read_text().splitlines() if line.strip()]


def lines_of(path: Path) -> list[str]:
    """One text per line: `\\n`, `\\s` and `\\x` stand for a newline, a space and nothing."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    return [line.replace("\\n", "\n").replace("\\s", " ").replace("\\x", "") for line in lines]


@pytest.mark.parametrize(
    "folder",
    ["gpt2", "bert-base-cased", "clip", "llama2-model", "openai-p50k_base", "openai-cl100k_base", "openai-o200k_base"],
)
@pytest.mark.parametrize("texts", ["small", "mixed"])
def test_kitoken_lines(folder: str, texts: str, shared: Path):
    tokenizer = load(folder, shared)
    golden = shared / "golden/kitoken"
    inputs = lines_of(golden / f"{texts}_input.txt")
    expected = ids_by_line(golden / folder / f"{texts}_tokens.txt")
    assert len(inputs) == len(expected)
    for text, ids in zip(inputs, expected, strict=True):
        assert tokenizer.encode(text, add_special_tokens=False).ids.tolist() == ids, repr(text)


@pytest.mark.parametrize(
    "folder",
    ["gpt2", "bert-base-cased", "clip", "llama2-model", "openai-p50k_base", "openai-cl100k_base", "openai-o200k_base"],
)
def test_kitoken_whole_text(folder: str, shared: Path):
    golden = shared / "golden/kitoken"
    text = (golden / "utf8_input.txt").read_bytes().decode()
    expected = [id for line in ids_by_line(golden / folder / "utf8_tokens.txt") for id in line]
    assert load(folder, shared).encode(text, add_special_tokens=False).ids.tolist() == expected


@pytest.mark.parametrize(
    ("folder", "file"),
    [
        ("gpt2", None),
        ("roberta-base", None),
        ("bert-base-uncased", None),
        ("llama2", None),
        ("llama3", "llama3/tokenizer.model"),
        ("qwen2", "qwen2"),
        ("gpt2", "gguf/gpt-2.gguf"),
        ("bert-base-uncased", "gguf/bert-bge.gguf"),
        ("llama2", "gguf/llama-spm.gguf"),
    ],
)
def test_llama_cpp(folder: str, file: str | None, shared: Path):
    pattern = "llama3" if folder == "llama3" else None
    tokenizer = load(folder, shared) if file is None else Tokenizer.from_file(shared / "vocab" / file, pattern=pattern)
    golden = shared / "golden/llama.cpp"
    texts = (golden / f"{folder}.inp").read_bytes().decode().split("\n__ggml_vocab_test__\n")[:-1]
    rows = (golden / f"{folder}.out").read_text().splitlines()
    assert len(texts) == len(rows)
    for text, row in zip(texts, rows, strict=True):
        ids = tokenizer.encode(text, add_special_tokens=False).ids.tolist()
        assert ids == [int(id) for id in row.split()], repr(text)


def plans(path: Path) -> Iterator[tuple[str, str, list[int]]]:
    """Encoding, text and ids of every plan."""
    for plan in path.read_text(encoding="utf-8").split("EncodingName: ")[1:]:
        name, rest = plan.split("\nSample: ", 1)
        sample, encoded = rest.split("\nEncoded: ", 1)
        yield name.strip(), sample, json.loads(encoded.strip().split("\n")[0])


def test_gpt_tokenizer_plans(shared: Path):
    tried, tokenizers = 0, {}
    for name, sample, ids in plans(shared / "golden/gpt-tokenizer/TestPlans.txt"):
        if name not in BUILTIN and name != "p50k_base":
            continue
        if name not in tokenizers:
            tokenizers[name] = openai(name, shared)
        assert tokenizers[name].encode_ids(sample).tolist() == ids, (name, sample)
        tried += 1
    assert tried > 20


@pytest.mark.parametrize(
    ("file", "folder"), [("gpt2_encoded_tokens.json", "gpt2"), ("bert_uncased_encoded.json", "bert-base-uncased")]
)
def test_swift_transformers(file: str, folder: str, shared: Path):
    golden = json.loads((shared / "golden/swift-transformers" / file).read_text(encoding="utf-8"))
    tokenizer = load(folder, shared)
    encoding = tokenizer.encode(golden["text"])
    assert encoding.ids.tolist() == golden["token_ids"]
    decoded = tokenizer.decode(golden["token_ids"], skip_special_tokens=False)
    # The published decode of BERT was made without the clean-up of spaces that its tokenizer.json asks for.
    assert decoded.replace(" ", "") == golden["decoded_text"].replace(" ", "")


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base", "o200k_base"])
def test_built_in_ranks_are_the_official_files(name: str, shared: Path):
    tokenizer = Tokenizer.builtin(BUILTIN[name])
    special = set(tokenizer.special_tokens.values())
    ours = {token: id for token, id in tokenizer.vocab().items() if id not in special}
    assert ours == ranks_of(shared / "vocab/openai" / f"{name}.tiktoken")


# sha256 of the official rank files, written again from the built-in tables: no file needed to know they are whole.
OFFICIAL = {
    "gpt2": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}


@pytest.mark.parametrize("name", OFFICIAL)
def test_built_in_ranks_have_the_official_checksum(name: str):
    import base64
    import hashlib

    tokenizer = Tokenizer.builtin(name)
    special = set(tokenizer.special_tokens.values())
    lines = [
        f"{base64.b64encode(token).decode()} {id}\n" for token, id in tokenizer.vocab().items() if id not in special
    ]
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == OFFICIAL[name]
