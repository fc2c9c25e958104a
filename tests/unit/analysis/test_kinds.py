import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.kinds import KINDS, _kind, kinds_of
from lab_app.analysis.positions import Positions


def kind(text: str) -> str:
    at = Positions(text)
    return KINDS[int(kinds_of(np.array([0], np.uint32), np.array([at.bytes.size], np.uint32), at)[0])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" 2048", "numbers"),
        ("x2", "numbers"),
        ("٣٤", "numbers"),  # Arabic digits are digits first
        ("𝟘", "numbers"),
        (" 日", "non-Latin"),
        ("स्", "non-Latin"),
        ("ير", "non-Latin"),
        ("👩‍🔬", "non-Latin"),
        ("'t", "punctuation"),
        ("-token", "punctuation"),
        (" ** ", "punctuation"),
        ("€", "punctuation"),
        (" Straßenb", "capitals"),
        ("WORLD", "capitals"),
        (" naïve", "words"),
        ("e\u0301", "words"),  # a letter and a mark that combines with it
        (" \n", "spaces"),
        ("\u00ad", "spaces"),
    ],
)
def test_kinds_of_known_stretches(text, expected):
    assert kind(text) == expected


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5), min_size=1, max_size=8))
def test_each_stretch_has_the_first_kind_among_its_characters(parts):
    at = Positions("".join(parts))
    ends = np.cumsum([len(part.encode()) for part in parts]).astype(np.uint32)
    starts = np.concatenate([np.zeros(1, np.uint32), ends[:-1]])
    expected = [min(_kind(ord(character)) for character in part) for part in parts]
    assert kinds_of(starts, ends, at).tolist() == expected


def test_stretches_may_share_a_character():
    at = Positions("日1")
    starts, ends = np.array([0, 1], np.uint32), np.array([1, 4], np.uint32)
    assert [KINDS[each] for each in kinds_of(starts, ends, at)] == ["non-Latin", "numbers"]


def test_no_stretch_has_no_kind():
    empty = np.zeros(0, np.uint32)
    assert kinds_of(empty, empty, Positions("")).size == 0
