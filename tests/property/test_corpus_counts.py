"""Counts of a corpus: the same however it is divided, and those of the slow twin."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lab_app.analysis.corpus.counting import (
    CountOptions,
    corpus_counts,
    counted,
    from_bytes,
    merge,
    new_part,
    partial,
    to_bytes,
    units,
)
from lab_app.analysis.corpus.sampling import Sample
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.engine import Tokenizer
from lab_app.errors import LoadFailed
from lab_app.services.analyses.counting import count
from tests.conftest import BERT_VOCAB
from tests.naive_corpus import counted as naive
from tests.scale import scaled

TOKENIZERS = [Tokenizer.builtin("gpt2"), Tokenizer.from_file(BERT_VOCAB)]
ALPHABET = "ab Zé日本 語0123456789\t.ก́"
line = st.text(ALPHABET, max_size=40)
texts = st.lists(line, min_size=1, max_size=30).filter(any)
few = st.lists(line, min_size=1, max_size=12).filter(any)  # of parts of 16 bytes there are some sixty: 0.01 s each


def corpus_of(folder: Path, files: dict[str, list[str]], **options: bool) -> Corpus:
    """The corpus of files with these lines."""
    for path in folder.iterdir():
        path.unlink()
    for name, lines in files.items():
        (folder / name).write_text("".join(each + "\n" for each in lines), encoding="utf-8")
    return describe(sorted(folder.iterdir()), **options)


quick = settings(max_examples=scaled(25), suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(few, few, st.floats(16, 400), st.integers(0, 99), st.sampled_from([None, Sample(0.4, 3), Sample(0.5, 1, 30)]))
def test_any_division_gives_the_same_bytes(
    tmp_path: Path, a: list, b: list, size: float, seed: int, sample: Sample | None
):
    corpus, options = corpus_of(tmp_path, {"a.txt": a, "b.txt": b}), CountOptions(sample=sample)
    whole = merge(
        corpus, TOKENIZERS, options, [partial(corpus, TOKENIZERS, one, options) for one in units(corpus, 1e9, sample)]
    )
    parts = [partial(corpus, TOKENIZERS, one, options) for one in units(corpus, size, sample)]
    random.Random(seed).shuffle(parts)
    assert to_bytes(merge(corpus, TOKENIZERS, options, parts)) == to_bytes(whole)
    threads = count(corpus, TOKENIZERS, options, threads=2, partition_bytes=size)
    assert to_bytes(threads) == to_bytes(whole)
    assert to_bytes(from_bytes(TOKENIZERS, to_bytes(whole))) == to_bytes(whole)


@quick
@given(st.lists(st.tuples(line, line, line), min_size=1, max_size=12))
def test_a_parallel_corpus_is_counted_line_by_line(tmp_path: Path, rows: list):
    corpus = corpus_of(tmp_path, {f"{n}.txt": [row[n] for row in rows] for n in range(3)}, parallel=True)
    found = count(corpus, TOKENIZERS, CountOptions(), threads=2)
    documents = [row[n] for n in range(3) for row in rows]
    expected = naive(TOKENIZERS, documents, [n for n in range(3) for _ in rows], parallel=True)
    assert_same(corpus_counts(found), expected)


@quick
@given(texts)
def test_the_slow_twin_counts_the_same(tmp_path: Path, documents: list[str]):
    kept = [each for each in documents if each]
    found = count(corpus_of(tmp_path, {"a.txt": documents}), TOKENIZERS, CountOptions())
    assert_same(corpus_counts(found), naive(TOKENIZERS, kept))


def assert_same(found, expected):
    """Every sum of the slow twin, which has fewer."""
    assert (found.documents, found.bytes) == (expected.documents, expected.bytes)
    for name, sums in expected.text_sums.items():
        assert found.text_sums[name].tolist() == sums.tolist(), name
    assert np.array_equal(found.shared, expected.shared) and np.array_equal(found.either, expected.either)
    for mine, theirs in zip(found.tokenizers, expected.tokenizers, strict=True):
        assert np.array_equal(mine.counts, theirs.counts)
        assert np.array_equal(mine.lengths, theirs.lengths) and np.array_equal(mine.documents, theirs.documents)
        for name, sums in theirs.sums.items():
            assert mine.sums[name].tolist() == sums.tolist(), name
        assert (mine.parallel is None) == (theirs.parallel is None)
        if mine.parallel is not None:
            for name, value in vars(theirs.parallel).items():
                assert np.array_equal(getattr(mine.parallel, name), value), name


def test_long_files_of_different_line_lengths_stay_in_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lab_app.analysis.corpus.counting.LEAST_BATCH_BYTES", 2000)
    monkeypatch.setattr("lab_app.analysis.corpus.counting.BATCH_BYTES", 2000)
    files = {"a.txt": [f"a{n}" for n in range(3000)], "b.txt": [f"{n} " * (n % 50) for n in range(3000)]}
    corpus = corpus_of(tmp_path, files, parallel=True)
    found = corpus_counts(count(corpus, TOKENIZERS[:1], CountOptions(("tokens",)))).tokenizers[0].parallel
    ids = [[TOKENIZERS[0].encode_ids(text).size for text in lines] for lines in files.values()]
    both = [(x, y) for x, y, text in zip(*ids, files["b.txt"], strict=True) if text]
    assert found.tokens.tolist() == [[sum(ids[0]), sum(x for x, _ in both)], [sum(ids[1]), sum(y for _, y in both)]]
    assert found.complete_lines == len(both)


def test_languages_with_different_numbers_of_lines_are_refused(tmp_path: Path):
    corpus = corpus_of(tmp_path, {"a.txt": ["one", "two"], "b.txt": ["one"]}, parallel=True)
    with pytest.raises(LoadFailed, match="one ends after 1 line, a goes on"):
        count(corpus, TOKENIZERS, CountOptions())


def test_damaged_counts_are_refused(tmp_path: Path):
    corpus = corpus_of(tmp_path, {"a.txt": ["one"]})
    data = partial(corpus, TOKENIZERS, units(corpus, 1e6)[0], CountOptions())
    for damaged in (data[:4], data[:50], data[:-9]):
        with pytest.raises(ValueError):  # noqa: PT011 - the words are the engine's or ours
            from_bytes(TOKENIZERS, damaged)


def test_what_stops_the_caller_stops_the_count(tmp_path: Path):
    corpus = corpus_of(tmp_path, {"a.txt": ["some words"] * 200_000})

    class Stopped(Exception):
        pass

    def report(done: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        count(corpus, TOKENIZERS, CountOptions(), report)
    part = new_part(corpus, TOKENIZERS, CountOptions())
    next(counted(part, corpus, units(corpus, 1e9)[0], CountOptions()))
    assert 0 < part.tally.documents < 200_000  # a batch at a time
