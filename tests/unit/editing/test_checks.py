"""What the checks of edits look at, and what they say."""

import pytest

from lab_app.editing import checks, stages, words
from lab_app.editing.rows import changes
from lab_app.editing.tables import Tables
from lab_app.number_words import THIN_SPACE
from lab_app.training.functions import train_bpe, train_wordpiece

TEXT = "the lowest tower knew newer widest rivers"


@pytest.fixture(scope="module")
def bpe():
    return stages.definition_of(train_bpe([TEXT] * 4, {"vocab_size": 300, "min_frequency": 1}))


def round_trip(old, new, text):
    loaded = [stages.loaded(each) for each in (old, new)]
    return checks.round_trip(*loaded, Tables.of(old), Tables.of(new), text)


def test_the_round_trip_is_that_of_the_base(bpe):
    lower = stages.lower_case(bpe)
    assert round_trip(bpe, lower, "low").passed
    assert round_trip(bpe, lower, "Low\nlow").examples == ["Low\n"]


def test_lost_line_breaks_are_seen(bpe):
    collapsed = stages.change_normalizer(bpe, ["CollapseWhitespace"])
    found = round_trip(bpe, collapsed, "a\n\nb\nc")
    assert not found.passed and found.message == "3 texts that came back exactly no longer do."
    assert found.examples == ["a\n", "\n", "b\n"]
    found = round_trip(bpe, collapsed, "a  b")
    assert (found.passed, found.message) == (False, "1 text that came back exactly no longer does.")
    assert round_trip(bpe, bpe, "a\n\nb").message == "3 of 3 lines came back exactly before, and still do."


def test_new_unknown_tokens_are_seen():
    wordpiece = stages.definition_of(train_wordpiece([TEXT] * 4, {"vocab_size": 120, "min_frequency": 1}))
    lower = stages.lower_case({**wordpiece, "normalizer": None})
    split = stages.split_pattern(lower, "gpt2")
    found = round_trip(lower, split, "The tower the rivers")
    assert (found.passed, found.message) == (False, "The text has 3 more unknown tokens.")
    same = round_trip(lower, lower, "The tower \N{SNOWMAN}")
    assert (same.passed, same.message) == (True, "No line came back exactly before.")


def test_a_text_that_cannot_be_encoded_any_more_is_seen(bpe):
    greedy = stages.greedy(bpe)
    found = round_trip(bpe, greedy, "a" * (stages.LONGEST_WORD + 1))
    assert not found.passed and "no longer does" in found.message


def test_bytes_are_counted():
    small = {
        "model": {"type": "BPE", "vocab": {"Ġ": 0, "l": 1, "o": 2, "w": 3}, "merges": []},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
    }
    made = words.add_words(small, ["low"])
    before, after = Tables.of(small), Tables.of(made)
    encodes = checks.quick_checks(before, after, changes(before, after))[2]
    assert (encodes.passed, encodes.message) == (True, "252 of the 256 bytes are no tokens, as before.")


def test_numbers_have_thin_spaces():
    before = Tables.of({"model": {"type": "WordLevel", "vocab": {str(id): id for id in range(1234)}}})
    after = Tables.of({"model": {"type": "WordLevel", "vocab": {str(id): id + 1 for id in range(1234)}}})
    ids = checks.quick_checks(before, after, changes(before, after))[0]
    assert ids.message == f"1{THIN_SPACE}234 IDs moved: a trained model needs the map of rows."
