"""Presets, the options that replace theirs, and what is refused."""

import pytest

from lab_app.errors import BadValue
from lab_app.services.trainings import check_with_engine
from lab_app.training.options import PRESETS, USUAL, from_plain, preset, resolved


@pytest.mark.parametrize("name", [each.name for each in PRESETS])
def test_the_engine_takes_every_preset(name: str):
    options = resolved(name, {"vocab_size": 500})
    check_with_engine(options)
    assert from_plain({**vars(options)}) == options and options.vocab_size == 500
    assert name in USUAL.values() or options.algorithm == "bpe"


def test_ids_of_the_postprocessor_follow_the_special_tokens():
    options = resolved("bert", {"special_tokens": ["[CLS]", "[SEP]"]})
    assert options.all_special_tokens == ("[UNK]", "[CLS]", "[SEP]")
    assert options.post_processor is not None
    special = options.post_processor["special_tokens"]
    assert special["[CLS]"]["ids"] == [1] and special["[SEP]"]["ids"] == [2]
    assert preset("bert").options.post_processor["special_tokens"]["[CLS]"]["ids"] == []  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("none", {}, 'no preset "none"'),
        (None, {"algorithm": "magic"}, 'no algorithm "magic"'),
        ("gpt2", {"vocab": 9}, 'no option "vocab"'),
        ("gpt2", {"vocab_size": True}, "vocab_size cannot be True"),
        ("gpt2", {"vocab_size": 1}, "a vocabulary of 1 token has no room beside 1 special token:"),
        ("gpt2", {"min_frequency": -1}, "min_frequency cannot be -1"),
        ("llama", {"character_coverage": 2.0}, "character_coverage cannot be 2"),
        ("t5", {"shrinking_factor": 1}, "shrinking_factor cannot be 1"),
        ("gpt2", {"special_tokens": [""]}, "cannot be a special token"),
        ("gpt2", {"special_tokens": [1]}, "1 cannot be a special token"),
        ("gpt2", {"special_tokens": ["\ud800"]}, "cannot be a special token"),
        ("bert", {"special_tokens": ["[CLS]"]}, 'adds "[SEP]", which is not a special token'),
        ("bert", {"character_coverage": "all"}, "wrong type"),
    ],
)
def test_what_cannot_be(name: str | None, given: dict, words: str):
    with pytest.raises(BadValue, match=words.replace("[", r"\[")):
        resolved(name, given)


@pytest.mark.parametrize(
    "given", [{"pre_tokenizer": {"type": "Magic"}}, {"alphabet": "bytes", "limit_alphabet": 9}, {"normalizer": 3}]
)
def test_what_the_engine_refuses_is_a_bad_value(given: dict):
    with pytest.raises(BadValue):
        check_with_engine(resolved("gpt2", given))
