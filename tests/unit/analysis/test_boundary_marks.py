"""Marks of a guess, against the definition: each boundary once, each guess once, pairs that do not cross."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.boundary_marks import gaps, marks


def told(boundaries, guess, around=(0, 100)) -> list[tuple]:
    return [(each.at, each.mark, each.number) for each in marks(boundaries, around, guess)]


def test_the_nearest_of_a_crowd_are_the_pair():
    found = told([(8, 8), (20, 20)], [2, 9, 20, 30])
    assert found == [(2, "extra", 1), (8, "missing", 2), (9, "extra", 2), (20, "found", None), (30, "extra", 3)]


def test_no_pair_reaches_over_a_boundary_that_was_found():
    assert [number for *_, number in told([(3, 3), (5, 5)], [5, 7])] == [1, None, 2]


def test_a_gap_is_found_once_from_any_of_its_places():
    assert told([(3, 5)], [4, 5]) == [(3, "found", None), (5, "ignored", None)]


def test_a_guess_outside_of_the_tokens_separates_nothing():
    assert told([], [1, 9], around=(2, 8)) == [(1, "ignored", None), (9, "ignored", None)]


def test_tokens_that_share_a_character_have_no_boundary_between_them():
    tokens = [{"span": span} for span in ([0, 0], [0, 3], [0, 3], [3, 4])]
    assert gaps({"text_bytes": 4, "pretokens": [{"tokens": tokens}]}) == ([(3, 3)], (0, 4))
    assert gaps({"text_bytes": 4, "pretokens": []}) == ([], (4, 0))


places = st.sets(st.integers(1, 30))


@given(places, places)
@pytest.mark.parametrize("width", [0, 1])
def test_every_boundary_and_guess_is_counted_once(width: int, real: set[int], guess: set[int]):
    boundaries = [(place * 3, place * 3 + width) for place in sorted(real)]
    found = marks(boundaries, (0, 100), guess)
    assert {each.guess for each in found} - {None} == guess
    kinds = [each.mark for each in found]
    assert kinds.count("found") + kinds.count("missing") == len(real)
    found_by_definition = {gap for gap in boundaries if any(gap[0] <= each <= gap[1] for each in guess)}
    assert kinds.count("found") == len(found_by_definition)
    numbers = [each.number for each in found if each.number is not None]
    assert len(numbers) == kinds.count("missing") + kinds.count("extra")
    assert numbers == sorted(numbers) and set(numbers) == set(range(1, max(numbers, default=0) + 1))
    for number in set(numbers):
        assert len({each.mark for each in found if each.number == number}) == numbers.count(number) <= 2
