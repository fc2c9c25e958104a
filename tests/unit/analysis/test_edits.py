import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.edits import smallest_edit


def words(text: str) -> list[tuple[int, int]]:
    """Runs of lower-case letters are tokens, every other character is one."""
    return [match.span() for match in re.finditer(r"[a-z]+|.", text, re.DOTALL)]


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        ("ab cd", 2, ("delete", "abcd")),
        ("ab cd", 3, ("delete", "abcd")),
        ("aBc", 1, ("delete", "ac")),
        ("AB", 1, ("write in lower case", "ab")),  # the last thing that is tried
        ("A", 0, None),
    ],
)
def test_finds_the_smallest(text, cut, expected):
    found = smallest_edit(text, cut, words)
    assert (found and (found.edit.kind, found.text)) == expected


@given(st.text("abAB .", min_size=2, max_size=12), st.integers(1, 11))
def test_what_it_says_is_true(text, cut):
    cut = min(cut, len(text) - 1)
    found = smallest_edit(text, cut, words)
    if found is None:
        return
    edit = found.edit
    assert text[: edit.start] + edit.by + text[edit.end :] == found.text
    assert found.token in words(found.text)
    start, end = found.token
    assert end - start > 1
