"""Divergences and agreement: known cases, and the engine against the definitions in the plain way."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app import engine
from lab_app.analysis.divergence import KINDS, agreement, divergences
from tests import naive_divergence as naive


def spans(*cuts: int) -> np.ndarray:
    """Tokens that cover a text without a gap, from their boundaries."""
    return np.array([[a, b] for a, b in itertools.pairwise(cuts)], np.uint32).reshape(-1, 2)


def found(text: str, *tokenizers: np.ndarray, ignore_spaces: bool = True) -> list[tuple[int, int]]:
    arrays = divergences(text, tokenizers, ignore_spaces=ignore_spaces).arrays
    return list(zip(arrays["start_utf8"].tolist(), arrays["end_utf8"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "a", "b", "expected"),
    [
        ("", spans(), spans(), []),
        ("abcd", spans(0, 4), spans(0, 4), []),
        ("abcd", spans(0, 2, 4), spans(0, 4), [(0, 4)]),
        ("abcd", spans(0, 2, 4), spans(0, 1, 2, 3, 4), [(0, 2), (2, 4)]),  # they touch and stay two
        ("a bc", spans(0, 1, 4), spans(0, 2, 4), []),  # `a| bc` and `a |bc`
        ("a bc", spans(0, 1, 4), np.array([[0, 1], [2, 4]], np.uint32), []),  # the space dropped
        ("a  b", spans(0, 2, 4), spans(0, 1, 3, 4), []),  # a cut inside the run
        ("a b", spans(0, 3), spans(0, 1, 3), [(0, 3)]),  # no cut at all is a disagreement
        ("  a", spans(0, 3), spans(0, 2, 3), []),  # white space at the start of the text
        ("a  ", spans(0, 1, 3), np.array([[0, 1]], np.uint32), []),  # and at its end
        ("a\u3000b", spans(0, 2, 5), spans(0, 4, 5), []),  # cuts inside a white-space character of three bytes
    ],
)
def test_stretches_that_differ(text, a, b, expected):
    assert found(text, a, b) == expected
    assert found(text, b, a) == expected


def test_spaces_can_count():
    assert found("a bc", spans(0, 1, 4), spans(0, 2, 4), ignore_spaces=False) == [(0, 4)]


@st.composite
def tokenized(draw):
    """A text, and tokens of some tokenizers: they may leave bytes out, overlap, and end inside a character."""
    characters = st.one_of(st.characters(exclude_categories=["Cs", "Cn"]), st.sampled_from(" \n\t\u00a0\u3000日👩é1"))
    text = draw(st.text(characters, max_size=20))
    size = len(text.encode())

    def one() -> np.ndarray:
        cuts = sorted(draw(st.sets(st.integers(0, size), max_size=12)) | {0, size})
        rows = [[start - draw(st.sampled_from([0, 0, 0, 1])) * (n > 0), end] for n, (start, end) in enumerate(itertools.pairwise(cuts))]  # fmt: skip
        return np.array([row for row in rows if draw(st.integers(0, 5))], np.uint32).reshape(-1, 2)

    return text, [one() for _ in range(draw(st.integers(1, 8)))]


@given(tokenized(), st.booleans())
def test_equals_the_definition(case, ignore_spaces):
    text, tokenizers = case
    expected = naive.divergences(text, tokenizers, ignore_spaces=ignore_spaces)
    answer = engine.divergences(text, tokenizers, ignore_spaces)
    assert {name: array.tolist() for name, array in answer.items()} == expected
    result = divergences(text, tokenizers, ignore_spaces=ignore_spaces)
    stretches = list(zip(expected["start_utf8"], expected["end_utf8"], strict=True))
    for number, tokens in enumerate(tokenizers):
        cuts = np.flatnonzero(naive.boundary_mask(text, tokens, ignore_spaces=ignore_spaces)).tolist()
        assert result.boundaries(number) == [[cut for cut in cuts if a < cut < b] for a, b in stretches]


def test_agreement_is_one_where_nobody_cuts():
    shared, either = np.array([[2, 0], [0, 0]], np.uint64), np.array([[2, 3], [3, 0]], np.uint64)
    assert agreement(shared, either).tolist() == [[1, 0], [0, 1]]


def test_kinds_are_those_of_the_definition():
    assert KINDS == naive.KINDS


def test_what_are_no_spans_is_refused():
    for wrong in ([[0, 5]], [[2, 1]], [[0, 1, 2]]):
        with pytest.raises(ValueError, match="span"):
            engine.divergences("abcd", [np.array(wrong, np.uint32)], True)
    with pytest.raises(ValueError, match="9 tokenizers"):
        engine.divergences("abcd", [spans(0, 4)] * 9, True)
