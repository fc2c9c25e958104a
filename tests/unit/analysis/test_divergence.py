"""Boundaries, divergences and agreement, against the definitions in words."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.agreement import agreement_matrix, boundary_jaccard
from lab_app.analysis.boundaries import boundary_mask
from lab_app.analysis.divergence import boundaries_in, divergences, tokens_in
from lab_app.analysis.positions import Positions


def spans(*cuts: int) -> np.ndarray:
    """Tokens that cover a text without a gap, from their boundaries."""
    return np.array([[a, b] for a, b in itertools.pairwise(cuts)], np.uint32).reshape(-1, 2)


def found(text: str, *tokenizers: np.ndarray, ignore_spaces: bool = True) -> list[tuple[int, int]]:
    at = Positions(text)
    result = divergences([boundary_mask(each, at, ignore_spaces=ignore_spaces) for each in tokenizers])
    return list(zip(result.start.tolist(), result.end.tolist(), strict=True))


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


cuts = st.sets(st.integers(1, 29)).map(lambda inner: spans(0, *sorted(inner), 30))


@given(st.lists(cuts, min_size=2, max_size=8), st.booleans())
def test_equals_the_definition(tokenizers, ignore_spaces):
    text = "abc de  f ghi j klm no pqrst u"
    at = Positions(text)
    masks = [boundary_mask(each, at, ignore_spaces=ignore_spaces) for each in tokenizers]
    sets = [set(np.flatnonzero(mask).tolist()) for mask in masks]
    shared = sorted(set.intersection(*sets))
    expected = [(a, b) for a, b in itertools.pairwise(shared) if any(a < cut < b for each in sets for cut in each)]
    result = divergences(masks)
    assert list(zip(result.start.tolist(), result.end.tolist(), strict=True)) == expected
    for tokens, mask in zip(tokenizers, masks, strict=True):
        inside = [[cut for cut in np.flatnonzero(mask).tolist() if a < cut < b] for a, b in expected]
        assert boundaries_in(result, mask) == inside
        counted = [sum(1 for start, end in tokens.tolist() if start < b and end > a) for a, b in expected]
        assert tokens_in(result, tokens).tolist() == counted


@given(st.lists(cuts, min_size=2, max_size=4))
def test_agreement_equals_the_definition_on_sets(tokenizers):
    at = Positions("x" * 30)
    masks = [boundary_mask(each, at) for each in tokenizers]
    sets = [set(each[1:, 0].tolist()) for each in tokenizers]
    for i, row in enumerate(agreement_matrix(masks).tolist()):
        for j, value in enumerate(row):
            either = sets[i] | sets[j]
            assert value == (len(sets[i] & sets[j]) / len(either) if either else 1.0)


def test_masks_of_different_texts_are_refused():
    with pytest.raises(ValueError, match="same text"):
        boundary_jaccard(np.ones(4, bool), np.ones(5, bool))
