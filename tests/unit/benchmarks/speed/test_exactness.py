"""The first difference between the ids of two engines."""

from lab_app.benchmarks.speed.exactness import first_difference
from lab_app.engine import Tokenizer


def test_ids_that_the_engine_does_not_have_are_no_error():
    gpt2 = Tokenizer.builtin("gpt2")
    found = first_difference(0, "some text", [10**6, 1], [10**6, 2], gpt2.decode_bytes)
    assert (found.token, found.expected, found.found, found.text) == (1, 1, 2, "some text")
