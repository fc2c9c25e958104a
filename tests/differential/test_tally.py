"""Counts of every tokenizer at hand on real text, held to the plain way; and that all of them see the same text."""

from pathlib import Path

import numpy as np
import pytest

from lab_app.engine import Tally, Tokenizer
from tests import naive_tally
from tests.differential.vocabularies import ALL, TABLES, Vocabulary
from tests.property.test_tally import check, packed


@pytest.fixture(scope="module")
def documents(corpus_lines: list[str]) -> list[str]:
    """Lines of every file of the corpus, and one that joins them: 15 kB."""
    lines = [line[:200] for line in corpus_lines[:: len(corpus_lines) // 70]]
    return [*lines, "\n".join(lines[::10]), "", "1234567 in 2024"]


@pytest.mark.parametrize("vocabulary", TABLES, ids=lambda vocabulary: vocabulary.name)
def test_every_table_is_counted_as_the_plain_way_does(vocabulary: Vocabulary, shared: Path, documents, tmp_path: Path):
    plain = [text for text in documents if naive_tally.has_plain_words(text)]
    assert 10 < len(plain) < len(documents)
    tokenizers = [vocabulary.load(shared)]
    twins = [naive_tally.without_postprocessor(tokenizers[0], tmp_path)]
    for texts in (documents, plain):
        groups = [at % 2 for at in range(len(texts))]
        text, ends = packed(texts)
        tally = Tally(tokenizers, groups=2)
        tally.add(text, ends, np.array(groups, np.uint16), threads=2)
        check(tally, twins, texts, groups, 2)
        assert Tally.from_bytes(tokenizers, tally.to_bytes()).to_bytes() == tally.to_bytes()


def test_agreement_of_ten_tokenizers(shared: Path, documents: list[str], tmp_path: Path):
    tokenizers = [vocabulary.load(shared) for vocabulary in ALL[:20:2]]
    text, ends = packed(documents)
    tally = Tally(tokenizers, measures=["agreement"])
    tally.add(text, ends)
    marks = []
    for tokenizer in tokenizers:
        twin = naive_tally.without_postprocessor(tokenizer, tmp_path)
        spans = [[span for _, span in naive_tally.tokens_of(twin, text)] for text in documents]
        marks.append([naive_tally.boundaries(text, spans) for text, spans in zip(documents, spans, strict=True)])
    pairs = tally.boundary_pairs()
    for row, one in enumerate(marks):
        for column, other in enumerate(marks):
            assert pairs["shared"][row, column] == sum(len(a & b) for a, b in zip(one, other, strict=True))
            assert pairs["either"][row, column] == sum(len(a | b) for a, b in zip(one, other, strict=True))


def test_a_document_of_ten_megabytes(shared: Path):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((shared / "corpus" / "multilingual").iterdir()))
    text = (text * (10_000_000 // len(text.encode()) + 1)).encode()[:10_000_000].decode(errors="ignore")
    tokenizers = [Tokenizer.builtin("cl100k_base"), Tokenizer.builtin("gpt2")]
    tally = Tally(tokenizers)
    tally.add(*packed([text]), threads=2)
    for at, tokenizer in enumerate(tokenizers):
        ids = tokenizer.encode_ids(text)
        assert np.array_equal(tally.counts(at), np.bincount(ids, minlength=tokenizer.vocab_size))
        assert tally.lengths(at)[0].tolist() == [ids.size]
    assert tally.text_sums()["characters"].tolist() == [len(text)]
