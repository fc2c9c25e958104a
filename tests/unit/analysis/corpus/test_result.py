import json

import pytest

from tests.corpus_result import GOLDEN, golden_text


def near(found, expected):
    """Equal, floats to 9 digits."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(near(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(near, found, expected))
    return found == (pytest.approx(expected, rel=1e-9) if isinstance(expected, float) else expected)


def test_the_example_that_others_build_on_is_what_the_metrics_return():
    found, expected = json.loads(golden_text()), json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert near(found, expected), "if the change is meant: python -m tests.corpus_result"
