"""The lessons that the tests of the page show are those of the engine."""

from tests.lesson_examples import GOLDEN, golden_text


def test_the_kept_lessons_are_those_of_the_engine():
    assert GOLDEN.read_text(encoding="utf-8") == golden_text(), "run python -m tests.lesson_examples"
