import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.edits import smallest_edit

KNOWN = {"cat", "color", "hello", "Hello", "world", "12"}


def words(text: str) -> list[tuple[int, int]]:
    """A word of `KNOWN` is one token, with the space before it; every other character is one."""
    tokens = []
    for match in re.finditer(r" ?(?:[a-zA-Z]+|\d+)|.", text, re.DOTALL):
        start, end = match.span()
        one = match.group().strip() in KNOWN or end - start == 1
        tokens += [(start, end)] if one else [(at, at + 1) for at in range(start, end)]
    return tokens


@pytest.mark.parametrize(
    ("text", "boundary", "expected"),
    [
        ("a  cat", 2, ("delete", "a cat")),  # of a doubled space
        ("HELLO", 2, ("write in lower case", "hello")),
        ("hELLO", 2, ("write in lower case", "hello")),
        ("catt", 3, ("delete", "cat")),
        ("colar", 3, ("replace", "color")),
        ("colr", 3, ("insert", "color")),
        ("17", 1, ("replace", "12")),
        ("cat world", 4, None),  # "catworld" is one word less, and no word
        ("kein", 2, None),
        ("A", 0, None),
        ("日本", 1, None),
    ],
)
def test_finds_an_edit_that_a_person_would_write(text, boundary, expected):
    found = smallest_edit(text, boundary, words)
    assert (found and (found.edit.kind, found.text)) == expected


def test_a_changed_letter_makes_a_word_of_the_vocabulary():
    """A part of a word becoming one token is no reason to write "Tokeization"."""

    def pairs(text: str) -> list[tuple[int, int]]:
        return [(at, min(at + 2, len(text))) for at in range(0, len(text), 2)]

    assert smallest_edit("Tokenization", 4, pairs) is None


def test_the_word_is_bounded():
    calls = []

    def counted(text: str) -> list[tuple[int, int]]:
        calls.append(text)
        return [(at, at + 1) for at in range(len(text))]

    assert smallest_edit("a" * 5000, 2500, counted) is None
    assert not calls


@given(st.text("abAB 12catCAT", min_size=2, max_size=12), st.integers(1, 11))
def test_what_it_says_is_true(text, boundary):
    boundary = min(boundary, len(text) - 1)
    found = smallest_edit(text, boundary, words)
    if found is None:
        return
    edit = found.edit
    assert text[: edit.start] + edit.by + text[edit.end :] == found.text
    assert found.token in words(found.text)
    start, end = found.token
    assert end - start > 1
