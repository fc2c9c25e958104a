"""`add_tokens` and `add_special_tokens` against Hugging Face `tokenizers`: ids, flags, and how texts are cut then."""

import random
from pathlib import Path

import pytest
import tokenizers
from tokenizers import AddedToken

from lab_app.engine import Tokenizer
from tests import tiny
from tests.differential.test_small_models import TEXTS, trained
from tests.generators import texts

SMALL = [
    ("bpe unk", "whitespace", "none", "none", "none", "flags"),
    ("bpe bytes", "bytes", "none", "bytes", "none", "none"),
    ("unigram", "metaspace", "nfkc lower", "metaspace", "none", "plain"),
    ("wordpiece", "bert", "bert", "wordpiece", "bert", "plain"),
    ("wordlevel", "split", "nfkc lower", "none", "none", "none"),
]
CONTENTS = ["<new>", "fox", "the", "quick brown", " two", "Ünï", "[MASK]", "<|x|>", "e", "日本", "", "<pad>"]


def any_token(chance: random.Random, content: str) -> str | AddedToken:
    if chance.random() < 0.4:
        return content
    flags = {name: chance.random() < 0.3 for name in ("single_word", "lstrip", "rstrip")}
    # `special` and `normalized` are given together or not at all: which default an object meant cannot be seen from it.
    both = {"special": True, "normalized": chance.random() < 0.5} if chance.random() < 0.5 else {}
    return AddedToken(content, **flags, **both)


def check(ours: Tokenizer, reference: tokenizers.Tokenizer, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        tokens = [any_token(chance, content) for content in chance.sample(CONTENTS, 4)]
        if chance.random() < 0.5:
            reference.add_tokens(tokens)
            ours = ours.add_tokens(tokens)
        else:
            reference.add_special_tokens(tokens)
            ours = ours.add_special_tokens(tokens)
        added = reference.get_added_tokens_decoder()
        assert ours.special_tokens == {token.content: id for id, token in added.items() if token.special}
    batch = [text[:80] for text in texts(60, seed=seed, tokens=[each for each in CONTENTS if each])]
    for text in [*batch, *TEXTS[::20], " two the fox e <new> ünï the[MASK]quick brown", *CONTENTS]:
        assert ours.encode(text).ids.tolist() == reference.encode(text).ids, text


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("configuration", SMALL, ids=" | ".join)
def test_small_models(configuration: tuple[str, ...], seed: int, tmp_path: Path):
    trained(*configuration).save(str(tmp_path / "tokenizer.json"))
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    check(Tokenizer.from_file(tmp_path), reference, seed)


@pytest.mark.parametrize("name", ["bert-base-uncased", "gpt2", "llama2", "t5", "roberta-base"])
def test_real_files(name: str, shared: Path):
    path = shared / "vocab" / name / "tokenizer.json"
    reference = tokenizers.Tokenizer.from_file(str(path))
    reference.no_truncation()
    reference.no_padding()
    check(Tokenizer.from_file(path), reference, seed=len(name))


def test_the_tokenizer_itself_stays_as_it_is():
    gpt2 = Tokenizer.builtin("gpt2")
    more = gpt2.add_special_tokens(["<pad>"]).add_tokens([{"content": "Hello, world", "single_word": True}])
    assert more.special_tokens == {"<|endoftext|>": 50256, "<pad>": 50257}
    assert more.encode("Hello, world!").ids.tolist() == [50258, 0]
    assert more.encode("Hello, worlds").ids.tolist() == gpt2.encode("Hello, worlds").ids.tolist()
    assert more.encode_batch(["a b", "a"], padding="longest")[1].ids.tolist() == [64, 50257]
    assert "<pad>" not in gpt2.special_tokens and len(more) == len(gpt2) + 2


def test_a_written_file_has_the_new_tokens(tmp_path: Path):
    tokenizer = Tokenizer.from_file(tiny.tokenizer_json(tmp_path)).add_special_tokens(["<pad>"])
    tokenizer.to_file(tmp_path / "again.json")
    assert Tokenizer.from_file(tmp_path / "again.json").special_tokens == {"<pad>": 3}


@pytest.mark.parametrize(
    ("token", "message"),
    [(3, "3 is no token"), ({"content": "a", "colour": True}, "colour"), ({"x": 1}, "is no token")],
)
def test_what_is_no_token_is_refused(token, message: str):
    with pytest.raises(TypeError, match=message):
        Tokenizer.builtin("gpt2").add_tokens([token])
