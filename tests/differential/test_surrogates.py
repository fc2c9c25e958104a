"""Halves of surrogate pairs in a `str`: refused by name in every method, and joined as tiktoken joins them by one line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lab_app.engine import Document, EncodeError, Tokenizer
from tests.differential.references import ranks_of, tiktoken_encoding

PAIR, LONE, TWO = "a\ud83d\udc4d", "\u00e9\ud83d.", "\udc4d\ud83d"
METHODS: dict[str, Callable[[Tokenizer, str], object]] = {
    "encode": lambda tokenizer, text: tokenizer.encode(text),
    "a second text": lambda tokenizer, text: tokenizer.encode("a", text),
    "encode_ids": lambda tokenizer, text: tokenizer.encode_ids(text),
    "encode_batch": lambda tokenizer, text: tokenizer.encode_batch(["a", text]),
    "encode_ids_batch": lambda tokenizer, text: tokenizer.encode_ids_batch(["a", text]),
    "trace": lambda tokenizer, text: tokenizer.trace(text),
    "document": lambda tokenizer, text: Document([tokenizer], text),
}


@pytest.mark.parametrize("method", METHODS)
def test_halves_of_pairs_are_refused_with_their_place(method: str):
    tokenizer = Tokenizer.builtin("cl100k_base")
    for text, words in (
        (PAIR, "two surrogates at character 1"),
        (LONE, r"U\+D83D at character 1"),
        (TWO, r"U\+DC4D at character 0"),
    ):
        with pytest.raises(EncodeError, match=words):
            METHODS[method](tokenizer, text)


def test_the_line_of_the_documentation_gives_the_ids_of_tiktoken(shared: Path):
    ours = Tokenizer.builtin("cl100k_base")
    theirs = tiktoken_encoding("cl100k_base", ranks_of(shared / "vocab" / "openai" / "cl100k_base.tiktoken"))
    for text in (PAIR, LONE, TWO, "plain 👍"):
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert ours.encode_ids(joined).tolist() == theirs.encode_ordinary(text)
