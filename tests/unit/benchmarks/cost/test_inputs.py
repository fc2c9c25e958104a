"""Inputs have the size asked for, depend on the seed alone, and hold what their names say."""

import pytest

from lab_app.benchmarks.cost.inputs import INPUTS, PATHOLOGICAL, WORDS


@pytest.mark.parametrize("name", INPUTS)
def test_size_and_seed(name: str):
    make = INPUTS[name].make
    for size in (100, 1000, 10_000):
        text = make(size, 1)
        assert size - 3 <= len(text.encode()) <= size
        assert text == make(size, 1)
    assert (make(1000, 1) == make(1000, 2)) == (name in REPEATED)


REPEATED = {"one_letter", "spaces", "newlines", "emoji", "combining_marks", "zwj_chain", "malformed_utf8"}


def test_the_suite_is_complete():
    assert len(PATHOLOGICAL) == 12
    assert set(INPUTS["random_letters"].make(1000, 0)) <= set("abcdefghijklmnopqrstuvwxyz")
    assert INPUTS["bom"].make(100, 0).startswith("\ufeff")
    assert INPUTS["malformed_utf8"].make(1000, 0).count("\ufffd") > 100
    assert set(INPUTS["words"].make(1000, 0).replace(".", "").split()[:-1]) <= set(WORDS)
