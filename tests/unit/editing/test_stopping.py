"""Edits end when the call that they work for is cancelled."""

import pytest

from lab_app.editing import words
from lab_app.engine import Call, Tokenizer
from lab_app.errors import BadValue, Cancelled
from lab_app.library.definition import definition


def long_words(count):
    return [f"{number:07}".translate(str.maketrans("0123456789", "qzjxkvwbyg")) * 28 for number in range(count)]


def test_a_hundred_thousand_long_words_stop():
    call = Call()

    class Leaving(list):
        def __iter__(self):
            for number, word in enumerate(super().__iter__()):
                if number == 5:
                    call.cancel()
                yield word

    given = Leaving(long_words(100_000))
    with pytest.raises(Cancelled, match="stopped"):
        call.run(lambda: words.add_words(definition(Tokenizer.builtin("gpt2")), given))


def test_words_of_too_many_merges_are_refused(monkeypatch):
    monkeypatch.setattr(words, "MOST_MERGES", 100)
    with pytest.raises(BadValue, match="more than 100 merges"):
        words.add_words(definition(Tokenizer.builtin("gpt2")), long_words(3))
