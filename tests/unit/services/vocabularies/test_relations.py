"""Retokenizing, the overlap of vocabularies and their difference, on tokenizers small enough to reason about."""

import json

import pytest

from lab_app.errors import DecodeFailed
from lab_app.services.lab import Lab
from lab_app.services.text.retokenize import retokenize, retokenize_text
from lab_app.services.tokenizers.tokenizers import add
from lab_app.services.vocabularies.differences import tokenizer_diff
from lab_app.services.vocabularies.overlap import TokenCounts, vocabulary_overlap
from lab_app.settings import Settings
from tests import tiny


def wordlevel(folder, vocab, **sections):
    """A tokenizer.json of whole words; `sections` replace those of the file."""
    file = tiny.tokenizer_json(folder)
    document = json.loads(file.read_text())
    document["model"]["vocab"] = vocab
    file.write_text(json.dumps(document | sections))
    return file


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "pieces"), id="pieces")
    add(lab, wordlevel(folder / "a", {"[UNK]": 0, "hello": 1, "world": 2}), id="a")
    changed = {"normalizer": {"type": "Lowercase"}}
    add(lab, wordlevel(folder / "b", {"[UNK]": 0, "hello": 2, "token": 1, "world": 3}, **changed), id="b")
    byte_fallback = {"type": "BPE", "vocab": {"<0x41>": 0, "A": 1, "B": 2}, "merges": [], "byte_fallback": True}
    stages = {"model": byte_fallback, "pre_tokenizer": None, "decoder": {"type": "ByteFallback"}}
    file = tiny.tokenizer_json(folder / "fallback")
    file.write_text(json.dumps(json.loads(file.read_text()) | stages))
    add(lab, file, id="fallback")
    return lab


def kinds(found):
    return [loss.kind for loss in found.losses]


@pytest.mark.parametrize("text", ["Hello, world", "日本語 naïve 👩‍🔬", "", "a  b\n\n", "x<|endoftext|>y"])
def test_between_lossless_tokenizers_nothing_is_lost(lab, text):
    there = retokenize_text(lab, "gpt2", "o200k_base", text)
    back = retokenize(lab, "o200k_base", "gpt2", there.target_ids)
    assert there.text == back.text == text and there.lossless and back.lossless and not there.losses
    _, target = lab.loaded.get("o200k_base")
    assert target.decode(there.target_ids, skip_special_tokens=False) == text


def test_each_loss_has_its_kind(lab):
    assert kinds(retokenize_text(lab, "gpt2", "pieces", "hello world <|endoftext|>", specials="parse")) == [
        "text",
        "special",
    ]
    found = retokenize_text(lab, "gpt2", "pieces", "hello there")
    assert kinds(found) == ["unknown"] and "there" in found.losses[0].message
    assert kinds(retokenize_text(lab, "pieces", "gpt2", "Hello xyz")) == ["source", "special"]
    half = retokenize(lab, "gpt2", "cl100k_base", [10545])  # " " and the first byte of a character
    assert kinds(half) == ["bytes"] and half.losses[0].index == 0


def test_an_id_that_is_none_is_named(lab):
    with pytest.raises(DecodeFailed, match="99999"):
        retokenize(lab, "gpt2", "cl100k_base", [1, 99999])


def test_what_two_vocabularies_share(lab):
    found = vocabulary_overlap(lab, "a", "b", "hello world")
    assert (found.size_a, found.size_b, found.shared_tokens, found.same_ids) == (3, 4, 3, 1)
    assert (found.rows.copied, found.rows.averaged, found.rows.mean_parts, found.rows.new) == (3, 0, None, 1)
    assert found.agreement == 1.0 and found.counts == (2, 2) and found.divergences == 0
    assert vocabulary_overlap(lab, "a", "b").agreement is None


@pytest.mark.parametrize(("a", "b"), [("gpt2", "pieces"), ("gpt2", "o200k_base"), ("a", "b"), ("fallback", "gpt2")])
def test_what_only_one_or_both_have_adds_up_to_the_vocabularies(lab, a, b):
    found = vocabulary_overlap(lab, a, b)
    counts = found.vocabularies.all
    assert counts.only_a + counts.both == len(lab.loaded.get(a)[1])
    assert counts.both + counts.only_b == len(lab.loaded.get(b)[1])
    assert found.shared_tokens <= found.rows.copied


def test_two_tokens_with_one_meaning_are_two_tokens(lab):
    found = vocabulary_overlap(lab, "fallback", "gpt2")
    # "A" and the byte token of A stand for the same byte; GPT-2 has one token for it.
    counts = found.vocabularies
    assert counts.ordinary == TokenCounts(1, 2, 50_254) and counts.special == TokenCounts(0, 0, 1)
    assert counts.all == TokenCounts(1, 2, 50_255)


def test_tokens_are_the_same_where_they_begin_a_word_in_both(lab):
    found = vocabulary_overlap(lab, "gpt2", "pieces")
    # " hello", " world", " token", "ization", "s", " ,", " ." and no others of the pieces stand in GPT-2's vocabulary.
    assert found.shared_tokens == 7
    assert found.rows.copied == 7 and found.rows.averaged == 0


def test_a_tokenizer_beside_itself(lab):
    found = tokenizer_diff(lab, "a", "a")
    assert found.same and found.vocabulary.kept == 3 and found.stages == []


def test_what_differs_is_named(lab):
    found = tokenizer_diff(lab, "a", "b", "Hello world")
    assert not found.same and [each.stage for each in found.stages] == ["normalizer"]
    assert found.vocabulary.added == ["token"] and set(found.vocabulary.changed) == {"hello", "world"}
    assert found.vocabulary.removed == [] and found.vocabulary.kept == 1
    assert found.merges is None and found.effect.divergences == 0
    assert found.effect.counts == (2, 2)
