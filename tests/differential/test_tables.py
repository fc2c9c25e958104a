"""Every form of a table encodes the corpus alike, so that one form of each is enough to compare with a reference."""

import numpy as np
import pytest

from tests.differential.vocabularies import SAME_TABLE, Vocabulary
from tests.scale import scaled, step


@pytest.mark.parametrize(("form", "table"), SAME_TABLE.items())
def test_the_corpus_has_the_ids_of_another_form(form: str, table: str, shared, corpus, corpus_lines):
    batch = [*(text[: scaled(20_000)] for _, text in corpus), *corpus_lines[:: step(24)]]
    ours, theirs = (Vocabulary(name).load(shared).encode_ids_batch(batch, specials="text") for name in (form, table))
    assert all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))
