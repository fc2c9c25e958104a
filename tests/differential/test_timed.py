"""Timed encoding gives the ids of plain encoding, on both paths, for every tokenizer; its times and counts add up."""

from pathlib import Path

import numpy as np
import pytest

from lab_app.engine import EncodeError, Tokenizer
from tests.differential.vocabularies import ALL, Vocabulary
from tests.generators import texts

STAGES = ["normalizer", "pretokenizer", "model", "postprocessor", "output"]


@pytest.mark.parametrize("vocabulary", ALL, ids=lambda vocabulary: vocabulary.name)
def test_the_same_ids(vocabulary: Vocabulary, shared: Path):
    tokenizer = vocabulary.load(shared)
    for text in texts(seed=3, count=25):
        try:
            expected = tokenizer.encode_ids(text)
        except EncodeError:
            with pytest.raises(EncodeError, match="no unknown token"):
                tokenizer.encode_timed([text])
            continue
        for path in ("fast", "stages"):
            (ids,), _, timings = tokenizer.encode_timed([text], path=path)
            assert np.array_equal(ids, expected), (path, text)
            assert list(timings["stages_ns"]) == STAGES
            (ids,), _, _ = tokenizer.encode_timed([text], path=path, spans=True, specials="parse")
            assert np.array_equal(ids, tokenizer.encode(text).ids), (path, text)


def test_stages_without_a_time_of_their_own_are_named(bert_vocab: Path):
    gpt2, bert = Tokenizer.builtin("gpt2"), Tokenizer.from_file(bert_vocab)

    def told(tokenizer: Tokenizer, **options) -> tuple[list[str], list[str], list[str]]:
        timings = tokenizer.encode_timed(["Hello, world"], **options)[2]
        assert timings["stages_ns"]["output"] is not None
        missing = [stage for stage in STAGES if timings["stages_ns"][stage] is None]
        return timings["fused"], timings["absent"], missing

    assert told(gpt2) == ([], ["normalizer", "postprocessor"], ["normalizer", "postprocessor"])
    assert told(bert) == (["normalizer"], ["postprocessor"], ["normalizer", "postprocessor"])
    assert told(bert, path="stages") == ([], ["postprocessor"], ["postprocessor"])


def test_the_cache_is_counted():
    tokenizer = Tokenizer.builtin("gpt2")
    cache = [tokenizer.encode_timed(["some words and some words"])[2]["cache"] for _ in range(2)]
    assert cache == [(1, 4), (5, 0)]
    assert tokenizer.encode_timed(["some words"], path="stages")[2]["cache"] is None


def test_times_of_texts_have_the_order_of_the_texts():
    ids, times, _ = Tokenizer.builtin("gpt2").encode_timed(["a", "a b c " * 20_000, ""])
    assert [len(own) for own in ids] == [1, 60_001, 0]
    assert times.shape == (3,)
    assert times[1] > times[2]


def test_a_wrong_path_is_refused():
    with pytest.raises(ValueError, match='path is "quick", must be "fast" or "stages"'):
        Tokenizer.builtin("gpt2").encode_timed(["a"], path="quick")
