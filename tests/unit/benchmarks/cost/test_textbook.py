"""The textbook gives the ids of the engine."""

import pytest

from lab_app.benchmarks.cost import textbook
from lab_app.benchmarks.cost.inputs import INPUTS
from lab_app.engine import Tokenizer
from tests.generators import texts


@pytest.mark.parametrize("name", textbook.PATTERNS)
def test_the_ids_of_the_engine(name: str):
    tokenizer = Tokenizer.builtin(name)
    ranks, pattern = textbook.ranks_of(tokenizer), textbook.PATTERNS[name]
    samples = [*texts(60, seed=8), *(kind.make(400, 1) for kind in INPUTS.values())]
    for text in samples:
        assert textbook.encode(text, pattern, ranks) == tokenizer.encode_ids(text).tolist(), text
