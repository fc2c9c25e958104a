"""CLIP's merges, tekken.json and GGUF against the tokenizer.json of the same models.

Not here: results of llama.cpp (tests/golden), damaged files, which the engine's own tests make.
"""

import base64
import json
from pathlib import Path

import pytest
import tiktoken

from lab_app.engine import Tokenizer
from tests.differential.conftest import first_difference
from tests.generators import texts
from tests.scale import scaled


@pytest.fixture(scope="module")
def vocabularies(shared: Path) -> Path:
    return shared / "vocab"


def written(tokenizer: Tokenizer, path: Path) -> dict:
    tokenizer.to_file(path)
    return json.loads(path.read_text())


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("clip/bpe_simple_vocab_16e6.txt.gz", "clip/tokenizer.json"),
        ("gguf/llama-spm.gguf", "llama2/tokenizer.json"),
        ("gguf/gpt-2.gguf", "gpt2/tokenizer.json"),
        ("gguf/bert-bge.gguf", "bert-base-uncased/tokenizer.json"),
    ],
)
def test_the_same_as_the_tokenizer_json(vocabularies: Path, tmp_path: Path, source: str, same: str, corpus):
    ours = Tokenizer.from_file(vocabularies / source)
    theirs = Tokenizer.from_file(vocabularies / same)
    model, expected = (written(each, tmp_path / "x.json")["model"] for each in (ours, theirs))
    assert model == {**expected, "unk_token": model.get("unk_token")}
    assert ours.special_tokens == theirs.special_tokens
    for text in [*texts(scaled(500), seed=11), *(text[: scaled(5000)] for _, text in corpus)]:
        first, second = ours.encode(text), theirs.encode(text)
        assert first.ids.tolist() == second.ids.tolist(), first_difference(
            text, first.ids.tolist(), second.ids.tolist()
        )
        assert ours.decode(first.ids) == theirs.decode(second.ids)


def test_tekken_against_tiktoken(tmp_path: Path, corpus):
    """As mistral-common builds it: tiktoken over the ranks that are used, ids moved up by the special tokens."""
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [b" t", b"he", b" the", b"\xe6\x97", "日".encode(), b"12", b"\n\n", b"unused"]
    pattern = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    document = {
        "config": {
            "pattern": pattern,
            "num_vocab_tokens": len(tokens),
            "default_vocab_size": 263 + 25,
            "default_num_special_tokens": 25,
            "version": "v3",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate(tokens)
        ],
    }
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(document))
    tokenizer = Tokenizer.from_file(path)
    assert tokenizer.special_tokens.keys() >= {"<unk>", "[TOOL_CONTENT]", "<SPECIAL_20>", "<SPECIAL_24>"}
    ranks = {token: rank for rank, token in enumerate(tokens[:263])}
    reference = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    for text in [*texts(scaled(500), seed=12), *(text[:5000] for _, text in corpus)]:
        theirs = [id + 25 for id in reference.encode_ordinary(text)]
        assert tokenizer.encode_ids(text).tolist() == theirs, text[:300]
    # Written as a tokenizer.json, it is the same.
    tokenizer.to_file(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(tmp_path / "tokenizer.json")
    for text in texts(300, seed=13):
        assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()
