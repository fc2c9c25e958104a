"""The textbook encoders as a service: against the tokenizer's own encoder, and their steps against what the text asks."""

import numpy as np
import pytest

from lab_app import engine
from lab_app.errors import BadValue, EncodeFailed
from lab_app.services.lab import Lab
from lab_app.services.text.textbook_encoders import textbook_encodings
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny

TEXT = "Tokenization isn't free: 1234567 日本語, naïve <|endoftext|> aaaaaaaaaaaaaaaaaaa\n\n  x"
SPLITTING = {"naive-split", "ordered-set", "linked-list"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"))
    return lab


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base", "o200k_base"])
def test_encoders_that_split_agree_with_the_tokenizer(lab, tokenizer):
    found = {each.algorithm: each for each in textbook_encodings(lab, tokenizer, TEXT).encoders}
    assert {name for name, each in found.items() if each.same_ids} >= SPLITTING
    for each in found.values():
        assert each.ends_utf8[-1] == len(TEXT.encode()) and np.all(np.diff(each.ends_utf8) > 0)
        assert lab.loaded.get(tokenizer)[1].decode(each.ids) == TEXT
    assert found["naive"].ids == found["integers"].ids


def test_steps_tell_what_a_queue_saves(lab):
    found = {each.algorithm: each.steps for each in textbook_encodings(lab, "gpt2", "x" + "ab" * 2000).encoders}
    assert found["naive-split"]["merges"] == found["linked-list"]["merges"] == found["ordered-set"]["merges"]
    assert found["naive-split"]["lookups"] > 100 * found["linked-list"]["lookups"]
    assert found["naive-split"]["pushes"] == 0 and found["ordered-set"]["stale"] == 0
    assert found["linked-list"]["pops"] - found["linked-list"]["stale"] == found["linked-list"]["merges"]


def test_a_text_too_long_for_some_is_encoded_by_the_others(lab):
    found = {each.algorithm: each for each in textbook_encodings(lab, "gpt2", "word " * 10_000).encoders}
    assert found["naive-split"].same_ids and found["linked-list"].same_ids
    assert found["naive"].ids is None and "32768 bytes" in found["naive"].problem


def test_an_encoder_nobody_knows_is_refused(lab):
    with pytest.raises(BadValue, match="quick"):
        textbook_encodings(lab, "gpt2", "a", ["quick"])


def test_other_models_are_refused(tmp_path):
    tokenizer = engine.Tokenizer.from_file(tiny.vocab_txt(tmp_path))
    with pytest.raises(engine.EncodeError, match="merge bytes"):
        engine.textbook_encode(tokenizer, "a", "naive")


def test_training_learns_the_example_of_the_encyclopedia():
    assert engine.textbook_train(list(b"aaabdaaabac"), 3) == [(97, 97, 256, 4), (256, 97, 257, 2), (257, 98, 258, 2)]
    with pytest.raises(ValueError, match="not below first_id"):
        engine.textbook_train([1, 300], 1)


def test_a_refusal_of_the_service_has_words(lab):
    with pytest.raises(EncodeFailed, match="WordPiece"):
        textbook_encodings(lab, "words", "hello")
