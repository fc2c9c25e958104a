"""Intervals of token ratios: the naive bootstrap over single documents, and what the theory of ratios says."""

import random
from math import sqrt

import numpy as np
import pytest

from lab_app.analysis.corpus.significance import (
    FEWEST,
    GROUPS,
    LEVEL,
    RESAMPLES,
    DocumentGroups,
    document_groups,
    groups_of,
    groups_of_numbers,
    token_ratios,
)


def documents(count: int, seed: int = 1) -> np.ndarray:
    """Tokens of two tokenizers per document, which rise and fall together. Shape (2, count)."""
    rng = np.random.default_rng(seed)
    first = rng.integers(5, 400, count)
    return np.array([first, first + rng.integers(-2, 3, count)], np.uint32)


def grouped(tokens: np.ndarray) -> DocumentGroups:
    return document_groups(groups_of_numbers(np.arange(tokens.shape[1], dtype=np.uint64)), tokens)


def naive(tokens: np.ndarray, resamples: int) -> tuple[float, float]:
    """Percentiles of the ratio over samples of single documents, by definition."""
    pairs, draw, ratios = tokens.T.tolist(), random.Random(5), []
    for _ in range(resamples):
        drawn = draw.choices(pairs, k=len(pairs))
        ratios.append(sum(b for _, b in drawn) / sum(a for a, _ in drawn))
    ratios.sort()
    cut = int(resamples * (1 - LEVEL) / 2)
    return ratios[cut], ratios[-1 - cut]


@pytest.mark.parametrize("count", [60, 400, 5000])
def test_the_interval_is_that_of_the_naive_bootstrap_over_documents(count: int):
    tokens = documents(count)
    [found] = token_ratios(grouped(tokens), ["a", "b"], seed=0).ratios
    low, high = naive(tokens, RESAMPLES)
    assert (found.tokenizer, found.against) == ("b", "a")
    assert found.ratio == tokens[1].sum() / tokens[0].sum()
    width = high - low
    assert found.interval == pytest.approx((low, high), abs=0.15 * width)


def test_the_interval_is_as_wide_as_the_theory_of_ratios_says():
    tokens = documents(200_000, seed=2).astype(np.float64)
    [found] = token_ratios(grouped(tokens.astype(np.uint32)), ["a", "b"], seed=0).ratios
    # The delta method: the variance of a ratio of sums is that of its residuals.
    residuals = tokens[1] - found.ratio * tokens[0]
    deviation = sqrt((residuals**2).sum()) / tokens[0].sum()
    assert found.interval[1] - found.interval[0] == pytest.approx(2 * 1.96 * deviation, rel=0.12)


def test_documents_that_do_not_differ_are_not_told_apart():
    same = np.array([[7] * 90, [7] * 90, [6] * 90], np.uint32)
    found = token_ratios(grouped(same), ["a", "b", "c"], seed=3)
    assert [each.is_told_apart for each in found.ratios] == [False, True, True]
    assert [(each.tokenizer, each.against) for each in found.ratios] == [("b", "a"), ("c", "a"), ("c", "b")]
    assert (found.resamples, found.level, found.seed) == (RESAMPLES, LEVEL, 3)
    assert "not told apart" in found.ratios[0].words and "not" not in found.ratios[1].words


def test_the_seed_alone_changes_the_interval():
    sums = grouped(documents(300))
    first, again, other = (token_ratios(sums, ["a", "b"], seed).ratios[0] for seed in (1, 1, 2))
    assert first == again and first.interval != other.interval and first.ratio == other.ratio


def test_too_few_documents_and_none_with_tokens_have_a_reason():
    few = token_ratios(grouped(documents(FEWEST - 1)), ["a", "b"], 0)
    assert isinstance(few, str) and f"fewer than {FEWEST}" in few
    empty = np.array([[1] * 90, [0] * 90], np.uint32)
    assert token_ratios(grouped(empty), ["a", "b"], 0) == "a tokenizer has no tokens in most documents"


def test_parts_add_up_and_equal_texts_share_a_group():
    tokens = documents(900)
    groups = groups_of_numbers(np.arange(900, dtype=np.uint64))
    whole = document_groups(groups, tokens)
    parts = document_groups(groups[:400], tokens[:, :400]) + document_groups(groups[400:], tokens[:, 400:])
    assert np.array_equal(whole.tokens, parts.tokens) and np.array_equal(whole.documents, parts.documents)
    assert whole.tokens.sum() == tokens.sum() and whole.documents.sum() == 900
    texts = [f"line {n % 50}".encode() for n in range(100)]
    found = groups_of(b"".join(texts), np.cumsum([len(text) for text in texts]).astype(np.uint64))
    assert found[:50].tolist() == found[50:].tolist() and len(set(found.tolist())) > 40
    assert found.min() >= 0 and found.max() < GROUPS


def test_texts_of_the_same_bytes_in_another_order_are_others():
    random.seed(4)
    texts = [bytes(random.sample(b"0123456789abcdef", 16)) for _ in range(3000)]
    found = groups_of(b"".join(texts), np.arange(16, 16 * 3001, 16, dtype=np.uint64))
    assert len(set(found.tolist())) > 0.9 * GROUPS
