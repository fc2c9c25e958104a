"""Presets, the options that replace theirs, and what is refused."""

import json
import re

import pytest

from lab_app import engine
from lab_app.errors import BadValue
from lab_app.services.trainings.trainings import check_with_engine
from lab_app.training.options import PRESETS, USUAL, from_plain, preset, resolved
from tests.waiting import until


@pytest.mark.parametrize("name", [each.name for each in PRESETS])
def test_the_engine_takes_every_preset(name: str):
    options = resolved(name, {"vocab_size": 500})
    check_with_engine(options)
    assert from_plain({**vars(options)}) == options and options.vocab_size == 500
    assert USUAL[options.algorithm] in {each.name for each in PRESETS}


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
        ("gpt2", {"vocab_size": True}, "vocab_size cannot be true: input should be a valid integer"),
        ("gpt2", {"vocab_size": 1}, "a vocabulary of 1 token has no room beside 1 special token:"),
        ("gpt2", {"min_frequency": -1}, "min_frequency cannot be -1"),
        ("llama", {"character_coverage": 2.0}, "character_coverage cannot be 2"),
        ("t5", {"shrinking_factor": 1}, "shrinking_factor cannot be 1"),
        ("gpt2", {"special_tokens": [""]}, "cannot be a special token"),
        ("gpt2", {"special_tokens": [1]}, "special_tokens cannot be [1]: input should be a valid string"),
        ("gpt2", {"special_tokens": {"a": 1}}, 'special_tokens cannot be {"a": 1}'),
        ("gpt2", {"max_token_length": "x"}, 'max_token_length cannot be "x": input should be a valid integer'),
        ("t5", {"variant": ["words"]}, 'variant cannot be ["words"]'),
        ("t5", {"variant": "letters"}, "input should be 'words' or 'sentencepiece'"),
        ("bert", {"post_processor": "x"}, 'post_processor cannot be "x"'),
        ("bert", {"post_processor": {"type": "TemplateProcessing", "special_tokens": []}}, "special_tokens []"),
        (
            "bert",
            {"post_processor": {"type": "TemplateProcessing", "special_tokens": {"[CLS]": 5}}},
            'special_tokens {"[CLS]": 5}',
        ),
        ("gpt2", {"special_tokens": ["\ud800"]}, "special_tokens holds half of a surrogate pair"),
        ("t5", {"unknown_token": "\ud800"}, "unknown_token holds half of a surrogate pair"),
        ("bert", {"special_tokens": ["[CLS]"]}, 'adds "[SEP]", which is not a special token'),
        ("bert", {"character_coverage": "all"}, "input should be a valid number"),
    ],
)
def test_what_cannot_be(name: str | None, given: dict, words: str):
    with pytest.raises(BadValue, match=re.escape(words)):
        resolved(name, given)


@pytest.mark.parametrize(
    "given", [{"pre_tokenizer": {"type": "Magic"}}, {"alphabet": "bytes", "limit_alphabet": 9}, {"score": "likelihood"}]
)
def test_what_the_engine_refuses_is_a_bad_value(given: dict):
    with pytest.raises(BadValue):
        check_with_engine(resolved("gpt2", given))


TEXT = "low lower newest widest low low café 日本 low newest lower\n" * 30
WHITE = {"type": "WhitespaceSplit"}
WORDS = {"alphabet": "characters", "pre_tokenizer": WHITE, "unknown_token": "<unk>"}


@pytest.mark.parametrize(
    ("name", "given", "decoded"),
    [
        ("gpt2", {}, "low café 日本"),
        ("cl100k", {}, "low café 日本"),
        ("llama", {}, "low café 日本"),
        ("bert", {}, "low cafe 日 本"),
        ("t5", {}, "low café 日本"),
        ("t5", {"byte_fallback": True, "character_coverage": 0.8, "vocab_size": 320}, "low café 日本"),
        ("gpt2", {**WORDS, "end_suffix": "</w>"}, "low café 日本"),
        ("gpt2", {**WORDS, "end_suffix": "</w>", "continuing_prefix": "@@"}, "low café 日本"),
        ("gpt2", {**WORDS, "continuing_prefix": "@@"}, "low café 日本"),
        ("bert", {"continuing_prefix": "@@"}, "low cafe 日 本"),
    ],
)
def test_what_is_trained_decodes_what_it_encodes(name: str, given: dict, decoded: str):
    options = resolved(name, {"vocab_size": 300, **given})
    words = engine.WordCounter(options.as_json())
    words.add([TEXT])
    trainer = engine.Trainer(options.as_json(), words)
    until(lambda: json.loads(trainer.run(10_000, 10_000))["finished"], "the training does not end")
    tokenizer = trainer.tokenizer()
    assert tokenizer.decode(tokenizer.encode("low café 日本").ids, skip_special_tokens=True) == decoded
