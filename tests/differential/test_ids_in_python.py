"""Ids as lists and arrays, of short and of long texts: all ways to ask for them give those of `encode`."""

import copy
import gc
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lab_app.engine import EncodeError, Tokenizer
from tests.differential.vocabularies import ALL, Vocabulary
from tests.generators import texts
from tests.scale import scaled

SHORT_BYTES = 2048
"""Up to here a call keeps the interpreter."""


def naive(tokenizer: Tokenizer, text: str) -> list[int]:
    encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
    return [int(id) for id in encoding.ids]


def counting(size: int) -> str:
    """A text of so many bytes, of which each size has another one.

    >>> counting(12)
    '12 0 1 2 3 4'
    """
    return f"{size} {' '.join(map(str, range(size)))}"[:size]


@pytest.mark.parametrize("vocabulary", ALL, ids=lambda vocabulary: vocabulary.name)
def test_lists_and_arrays_have_the_ids_of_encode(vocabulary: Vocabulary, shared):
    tokenizer = vocabulary.load(shared)
    known = []
    for text in [*texts(scaled(25), seed=7), counting(SHORT_BYTES + 1)]:
        try:
            expected = naive(tokenizer, text)
        except EncodeError:
            with pytest.raises(EncodeError, match="no unknown token"):
                tokenizer.encode_list(text)
            continue
        known.append(text)
        ids, ends = tokenizer.encode_with_ends(text)
        assert tokenizer.encode_list(text) == tokenizer.encode_ids(text).tolist() == ids.tolist() == expected, text
        assert len(ends) == len(ids)
    for threads in (1, 2):
        ids, starts = tokenizer.encode_ids_batch(known, threads=threads)
        rows = [row.tolist() for row in np.split(ids, starts[1:-1].astype(np.int64))]
        assert tokenizer.encode_list_batch(known, threads=threads) == rows == [naive(tokenizer, text) for text in known]
    assert tokenizer.encode_list_batch([]) == []


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_every_length_around_the_longest_short_text(name: str):
    tokenizer = Tokenizer.builtin(name)
    for size in (*range(40), *range(SHORT_BYTES - 2, SHORT_BYTES + 3)):
        text = counting(size)
        assert len(text) == size
        expected = naive(tokenizer, text)
        assert tokenizer.encode_list(text) == tokenizer.encode_ids(text).tolist() == expected, size


def test_lists_hold_ints_that_they_share():
    tokenizer = Tokenizer.builtin("gpt2")
    text = "Lists share their numbers, and give them back."
    first = tokenizer.encode_list(text)
    assert {type(id) for id in first} == {int}
    counts = [sys.getrefcount(id) for id in first]
    for _ in range(3):
        more = [tokenizer.encode_list(text) for _ in range(10)]
        assert all(one is other for one, other in zip(first, more[-1], strict=True))
        del more
        assert [sys.getrefcount(id) for id in first] == counts


def test_lists_outlive_their_tokenizer():
    tokenizer = Tokenizer.builtin("gpt2")
    ids = tokenizer.encode_list("They outlive the tokenizer. " * 200)
    del tokenizer
    gc.collect()
    assert ids == Tokenizer.builtin("gpt2").encode_list("They outlive the tokenizer. " * 200)


def test_copies_and_tokenizers_with_more_tokens():
    tokenizer = Tokenizer.builtin("gpt2")
    text = "<one> of <|endoftext|> two" + " and more" * 1000
    ids = tokenizer.encode_list(text)
    for other in (copy.copy(tokenizer), copy.deepcopy(tokenizer), pickle.loads(pickle.dumps(tokenizer))):
        assert other.encode_list(text) == ids
    more = tokenizer.add_tokens(["<one>"])
    for part in (text, text[:30]):
        assert more.encode_list(part)[0] == more.vocab_size - 1 >= tokenizer.vocab_size
        parsed = tokenizer.encode_list(part, specials="parse")
        assert parsed == tokenizer.encode_ids(part, specials="parse").tolist() and 50256 in parsed


def test_errors_are_those_of_arrays():
    tokenizer = Tokenizer.builtin("gpt2")
    for text in ("a<|endoftext|>", "a<|endoftext|>" + " a" * SHORT_BYTES):
        for encode in (tokenizer.encode_ids, tokenizer.encode_list):
            with pytest.raises(EncodeError, match="endoftext"):
                encode(text, specials="reject")
            with pytest.raises(ValueError, match="specials"):
                encode(text, specials="none")
            with pytest.raises(EncodeError, match="surrogate"):
                encode(text + "\ud800")


def test_threads_that_call_at_the_same_time():
    tokenizer = Tokenizer.builtin("cl100k_base")
    asked = [counting(size) for size in (0, 1, 20, 500, 2000, 2100, 30_000)] * 12
    expected = [naive(Tokenizer.builtin("cl100k_base"), text) for text in asked[:7]] * 12
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            lists = pool.map(tokenizer.encode_list, asked)
            arrays = pool.map(tokenizer.encode_ids, asked)
            assert list(lists) == expected and [ids.tolist() for ids in arrays] == expected
    finally:
        sys.setswitchinterval(interval)


def test_batches_of_many_shares_are_joined_in_order():
    tokenizer = Tokenizer.builtin("gpt2")
    batch = [counting(size * 7919 % 3000) for size in range(300)] + [counting(200_000), ""]
    expected = [tokenizer.encode_list(text) for text in batch]
    for threads in (0, 1, 2, 3):
        assert tokenizer.encode_list_batch(batch, threads=threads) == expected
        ids, starts = tokenizer.encode_ids_batch(batch, threads=threads)
        assert ids.tolist() == [id for row in expected for id in row]
        assert np.diff(starts.astype(np.int64)).tolist() == [len(row) for row in expected]
        refused = [*batch, "one<|endoftext|>", *batch, "<|endoftext|>"]
        with pytest.raises(EncodeError, match="byte 3"):
            tokenizer.encode_list_batch(refused, threads=threads, specials="reject")


def test_a_list_that_is_asked_for_while_another_one_is_made():
    tokenizer = Tokenizer.builtin("gpt2")
    found = []

    def ask(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            found.append(tokenizer.encode_list("the collector runs"))

    thresholds = gc.get_threshold()
    gc.callbacks.append(ask)
    gc.set_threshold(1)
    try:
        made = [tokenizer.encode_list("the list is made") for _ in range(50)]
    finally:
        gc.callbacks.remove(ask)
        gc.set_threshold(*thresholds)
    assert found and all(ids == found[0] for ids in found) and all(ids == made[0] for ids in made)
    assert tokenizer.decode(found[0]) == "the collector runs" and tokenizer.decode(made[0]) == "the list is made"
