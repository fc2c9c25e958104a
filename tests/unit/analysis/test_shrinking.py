"""What shrinking promises: a text that still fails, and no more if any one code point is removed."""

from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.shrinking import shrunk

LETTERS = st.text(alphabet="abXY\u0301", max_size=60)


def holds_in_order(text: str, wanted: str) -> bool:
    rest = iter(text)
    return all(each in rest for each in wanted)


@given(LETTERS, st.integers(0, 7), st.integers(1, 5))
def test_one_more_removal_ends_the_failure(text: str, offset: int, step: int):
    wanted = text[offset :: step + 1]
    checks = [
        lambda text: holds_in_order(text, wanted),
        lambda text: text.count("X") >= wanted.count("X") and len(text) % 2 == len(wanted) % 2,
    ]
    for fails in checks:
        if not fails(text):
            continue
        found = shrunk(text, fails)
        assert fails(found) and holds_in_order(text, found)
        assert not any(fails(found[:at] + found[at + 1 :]) for at in range(len(found)))


def test_the_empty_text_may_fail_too():
    assert shrunk("anything", lambda text: True) == ""
    assert shrunk("", lambda text: True) == ""


def test_a_limit_of_calls_keeps_the_smallest_text_so_far():
    calls = []

    def fails(text: str) -> bool:
        calls.append(text)
        return "X" in text

    found = shrunk("a" * 500 + "X" + "a" * 500, fails, max_calls=3)
    assert len(calls) == 3 and "X" in found and len(found) < 1001


def test_a_long_text_takes_few_calls():
    calls = []

    def fails(text: str) -> bool:
        calls.append(None)
        return "XY" in text

    assert shrunk("ab" * 50_000 + "XY" + "ba" * 50_000, fails) == "XY"
    assert len(calls) < 100
