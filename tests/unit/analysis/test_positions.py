import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.positions import Positions

texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n\t\u00a0\u3000日👩é")), max_size=40
)


@given(texts)
def test_maps_equal_their_definitions(text):
    at = Positions(text)
    size = len(text.encode())
    ends = np.cumsum([0] + [len(character.encode()) for character in text])
    assert at.char_of_byte.tolist() == [int(np.searchsorted(ends, byte, side="right") - 1) for byte in range(size)] + [
        len(text)
    ]
    assert at.inside.tolist() == [byte not in ends for byte in range(size + 1)]
    assert at.utf16_of_char.tolist() == [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]


@given(texts)
def test_start_of_space_goes_back_while_white_space_is_behind(text):
    # The definition, one character at a time. Python's isspace also takes U+001C to U+001F, which Unicode's list does not.
    white = [
        character.isspace() and not "\x1c" <= character <= "\x1f" for character in text for _ in character.encode()
    ]
    expected = []
    for position in range(len(white) + 1):
        start = position
        while start > 0 and white[start - 1]:
            start -= 1
        expected.append(start)
    assert Positions(text).start_of_space.tolist() == expected


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("abc", 1, 2, (1, 2)),
        ("日本", 0, 3, (0, 1)),
        ("日本", 1, 2, (0, 1)),  # a part of a character stands for the whole
        ("日本", 2, 4, (0, 2)),  # parts of two
        ("a👩b", 1, 5, (1, 3)),  # two UTF-16 units
        ("a👩b", 3, 6, (1, 4)),
    ],
)
def test_a_span_in_utf16_covers_whole_characters(text, start, end, expected):
    first, last = Positions(text).span_utf16(np.array([start], np.uint32), np.array([end], np.uint32))
    assert (int(first[0]), int(last[0])) == expected
