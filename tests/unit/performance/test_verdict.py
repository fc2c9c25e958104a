"""Floors of the table of speeds: met, missed and by how much, without a library, with one whose ids differ."""

import pytest

from tests.performance.engine.child import is_enough
from tests.performance.engine.rows import Case, Floor, cases
from tests.performance.engine.verdict import Measured, row

TIMES_10 = (10.0e6,) * 5
FASTER = Case("warm", "cl100k_base", "english", "warm", Floor("times_faster", 1.5, ("one", "two")))
SLOWER = Case("spans", "cl100k_base", "english", "spans", Floor("times_slower", 1.25, ("ids alone",)))


def measured(name: str, milliseconds: float, state="measured") -> Measured:
    return Measured(name, state, None, (milliseconds * 1e6,) * 5, 1e6)


def test_the_fastest_of_the_named_libraries_counts():
    found = row(FASTER, [measured("tokenlab", 10), measured("one", 40), measured("two", 20), measured("other", 1)])
    assert (found.outcome, found.against, found.short_by) == ("met", "two", None)
    assert found.reached == pytest.approx(2.0)
    assert [each.ratio and round(each.ratio[0], 9) for each in found.libraries] == [None, 4.0, 2.0, 0.1]
    assert found.libraries[0].median == found.libraries[0].low_quartile == 100.0


def test_a_missed_floor_says_by_how_much():
    found = row(FASTER, [measured("tokenlab", 10), measured("two", 12)])
    assert found.outcome == "missed" and found.short_by == pytest.approx(0.2)


@pytest.mark.parametrize(("ids_alone", "outcome", "short_by"), [(10.0, "met", None), (6.4, "missed", 0.25)])
def test_slower_than_at_most(ids_alone: float, outcome: str, short_by: float | None):
    found = row(SLOWER, [measured("tokenlab", 10), measured("ids alone", ids_alone)])
    assert found.outcome == outcome and found.short_by == (None if short_by is None else pytest.approx(short_by))


@pytest.mark.parametrize(("work", "outcome", "reached"), [(20_000.0, "met", 0.5), (10_000.0, "missed", 1.0)])
def test_a_floor_in_the_unit_of_the_row(work: float, outcome: str, reached: float):
    case = Case("calls", "cl100k_base", "20 bytes", "calls_20", Floor("most", 0.5), "us per call")
    found = row(case, [Measured("tokenlab", "measured", None, TIMES_10, work)])
    assert found.outcome == outcome and found.reached == pytest.approx(reached)


def test_ratios_are_those_of_equal_work_and_of_rounds_that_both_have():
    ten = Measured("tokenlab", "measured", None, (100.0, 200.0, 100.0, 300.0, 100.0), 10.0)
    one = Measured("ids alone", "measured", None, (10.0, 20.0, 10.0, None, None), 1.0)
    found = row(SLOWER, [ten, one])
    assert found.reached == pytest.approx(1.0)
    assert [each.rounds for each in found.libraries] == [5, 3]


@pytest.mark.parametrize("state", ["missing", "inexact", "failed", "unsupported"])
def test_a_library_without_right_ids_decides_nothing(state):
    found = row(FASTER, [measured("tokenlab", 10), Measured("two", state, "a reason")])
    assert (found.outcome, found.reached) == ("unknown", None)
    assert (found.libraries[1].state, found.libraries[1].message) == (state, "a reason")
    assert found.libraries[1].ratio is None and found.libraries[1].median is None


def test_without_right_ids_of_ours_nothing_is_decided():
    found = row(FASTER, [Measured("tokenlab", "inexact", "other ids"), measured("two", 20)])
    assert found.outcome == "unknown" and found.libraries[1].ratio is None
    assert row(FASTER, [], "the test data have no t5").message == "the test data have no t5"


def test_the_table_has_every_row_once():
    keys = [(case.row, case.tokenizer, case.text, case.measure) for case in cases()]
    assert len(keys) == len(set(keys))
    assert all(case.title for case in cases())


def test_a_library_that_takes_minutes_has_one_round_and_a_speed():
    assert is_enough([140e9]) and is_enough([5e9] * 3)
    assert not any(is_enough(times) for times in ([], [5e9] * 2, [1e6] * 9))
    slow = Measured("slow", "measured", None, (140e9, *[None] * 4), 1e6)
    found = row(FASTER, [measured("tokenlab", 10), measured("one", 20), slow])
    assert (found.outcome, found.against) == ("met", "one")
    assert found.libraries[2].rounds == 1 and found.libraries[2].median == pytest.approx(1 / 140)
