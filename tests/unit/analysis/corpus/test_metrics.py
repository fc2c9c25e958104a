"""Each metric against a hand-worked example and against its definition, on random counts."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.corpus.agreement import agreement
from lab_app.analysis.corpus.boundaries import digits
from lab_app.analysis.corpus.coverage import curve, milestones
from lab_app.analysis.corpus.gini import gini
from lab_app.analysis.corpus.lengths import histogram, histogram_edges, lengths
from lab_app.analysis.corpus.parity import known_languages, parallel_counts, premium
from lab_app.analysis.corpus.rarefaction import expected_types, rarefaction
from lab_app.analysis.corpus.renyi import renyi_efficiency, renyi_entropy
from lab_app.analysis.corpus.result import Digits
from lab_app.analysis.corpus.vocabulary_use import average_rank
from lab_app.analysis.corpus.zipf import Zipf, hurwitz_zeta, zipf


def counts(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


some_counts = st.lists(st.integers(0, 40), min_size=1, max_size=12).filter(any)


class TestCoverage:
    def test_the_hand_worked_example(self):
        # 10 tokens: a 5, b 3, c 1, d 1. 5 of 10 are covered by a, 8 by a and b, 9 by three, 10 by four.
        assert milestones(counts(1, 5, 0, 3, 1)) == {"50": 1, "75": 2, "90": 3, "95": 4, "99": 4}

    @given(some_counts)
    def test_a_milestone_is_the_smallest_that_covers(self, values: list[int]):
        falling, total = sorted(values, reverse=True), sum(values)
        for percent, types in milestones(counts(*values)).items():
            needed = Fraction(int(percent), 100) * total
            assert sum(falling[:types]) >= needed > sum(falling[: types - 1])

    def test_without_tokens(self):
        assert milestones(counts(0, 0)) == {} and curve(counts()).ranks == []

    @given(st.lists(st.integers(0, 9), min_size=1, max_size=300).filter(any))
    def test_the_curve_is_exact_where_it_is_drawn(self, values: list[int]):
        falling, total = sorted(filter(None, values), reverse=True), sum(values)
        found = curve(counts(*values), points=20)
        assert found.ranks[0] == 1 and found.ranks[-1] == len(falling)
        for rank, count, share in zip(found.ranks, found.counts, found.cumulative, strict=True):
            assert count == falling[rank - 1]
            assert share == pytest.approx(sum(falling[:rank]) / total)


class TestRenyi:
    def test_the_hand_worked_example(self):
        # p = 1/2, 1/4, 1/4 at alpha 2: sum of squares 3/8, H = -log2(3/8) = 1.415; divided by log2 8 = 3.
        assert renyi_entropy(counts(2, 1, 1), 2) == pytest.approx(log2(8 / 3))
        assert renyi_efficiency(counts(2, 1, 1), 2, 8) == pytest.approx(log2(8 / 3) / 3)

    @given(some_counts, st.sampled_from([0.5, 2.0, 2.5, 3.0]))
    def test_the_definition(self, values: list[int], alpha: float):
        p = [value / sum(values) for value in values if value]
        assert renyi_entropy(counts(*values), alpha) == pytest.approx(
            log2(sum(x**alpha for x in p)) / (1 - alpha), abs=1e-9
        )

    @given(some_counts)
    def test_it_falls_with_alpha_and_shannon_is_its_limit(self, values: list[int]):
        p = [value / sum(values) for value in values if value]
        shannon = -sum(x * log2(x) for x in p)
        found = [renyi_entropy(counts(*values), alpha) for alpha in (0.5, 0.999999, 1, 1.000001, 2.5, 3)]
        assert found[2] == pytest.approx(shannon, abs=1e-9) and found[1] == pytest.approx(found[3], abs=1e-4)
        assert all(a >= b - 1e-9 for a, b in pairwise(found))

    @pytest.mark.parametrize("alpha", [1e6, 1e308, float("inf")])
    def test_a_large_order_is_the_entropy_of_the_most_frequent(self, alpha: float):
        assert renyi_entropy(counts(2, 1, 1), alpha) == pytest.approx(1, abs=1e-5)

    @pytest.mark.parametrize("alpha", [1 - 1e-15, 1 + 1e-15, 1 + 1e-7])
    def test_an_order_next_to_one_is_shannon(self, alpha: float):
        assert renyi_entropy(counts(4, 2, 1, 1), alpha) == pytest.approx(1.75, abs=1e-6)

    def test_what_cannot_be_measured(self):
        assert renyi_entropy(counts(0)) is None and renyi_efficiency(counts(3), 2.5, 1) is None
        with pytest.raises(ValueError, match="alpha is 0"):
            renyi_entropy(counts(1), 0)


class TestLengths:
    @given(st.lists(st.integers(0, 60), min_size=1, max_size=50), st.lists(st.integers(0, 70), max_size=3))
    def test_the_definition(self, documents: list[int], limits: list[int]):
        values, number = np.unique(documents, return_counts=True)
        found = lengths(values.astype(np.uint32), number.astype(np.uint64), limits)
        assert found.mean == pytest.approx(np.mean(documents)) and found.deviation == pytest.approx(np.std(documents))
        assert (found.min, found.max) == (min(documents), max(documents))
        for name, percent in (("p5", 5), ("p25", 25), ("median", 50), ("p75", 75), ("p95", 95), ("p99", 99)):
            value = getattr(found, name)
            assert value == next(
                v for v in sorted(documents) if 100 * sum(d <= v for d in documents) >= percent * len(documents)
            )
        assert found.share_above == {str(n): sum(d > n for d in documents) / len(documents) for n in limits}

    @given(st.lists(st.integers(0, 500), max_size=50), st.integers(0, 400))
    def test_every_document_is_in_one_bin(self, documents: list[int], highest: int):
        values, number = np.unique(np.array(documents, np.uint32), return_counts=True)
        edges = histogram_edges(highest)
        found = histogram(values, number.astype(np.uint64), edges)
        assert len(edges) <= 61 and edges[-1] > highest and len({b - a for a, b in pairwise(edges)}) == 1
        assert found.documents == [sum(a <= d < b for d in documents) for a, b in pairwise(edges)]
        assert found.overflow == sum(d >= edges[-1] for d in documents)

    def test_without_documents(self):
        assert lengths(np.array([], np.uint32), counts()) is None


class TestRarefaction:
    @given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.data())
    def test_the_mean_over_all_samples(self, values: list[int], data: st.DataObject):
        tokens = [type for type, count in enumerate(values) for _ in range(count)][:12]
        values = np.bincount(tokens).tolist()
        size = data.draw(st.integers(1, len(tokens)))
        samples = list(combinations(tokens, size))
        assert expected_types(counts(*values), size) == pytest.approx(sum(len(set(s)) for s in samples) / len(samples))

    @pytest.mark.parametrize("size", [1, 17, 4000, 20_000, 24_000])
    def test_large_counts_against_exact_fractions(self, size: int):
        values = [17_000, 5000, 1025, 1024, 3, 1, 1]
        total = sum(values)
        exact = sum(1 - Fraction(comb(total - c, size), comb(total, size)) for c in values)
        assert expected_types(counts(*values), size) == pytest.approx(float(exact), rel=1e-9)

    def test_it_ends_with_all_types(self):
        points = rarefaction(counts(9, 0, 4, 1))
        assert (points[0].types, points[-1].tokens, points[-1].types) == (1, 14, 3)
        assert rarefaction(counts(0)) == []
        with pytest.raises(ValueError, match="15 tokens"):
            expected_types(counts(9, 4, 1), 15)


class TestGini:
    def test_the_hand_worked_example(self):
        # Differences of 10 and 30: 20 twice; mean 20, n 2: 40 / (2 * 4 * 20) = 0.25.
        assert gini([10, 30]) == 0.25

    @given(st.lists(st.integers(0, 1000), min_size=2, max_size=20).filter(any))
    def test_the_definition(self, values: list[int]):
        n, mean = len(values), sum(values) / len(values)
        expected = sum(abs(a - b) for a, b in product(values, values)) / (2 * n * n * mean)
        assert gini(values) == pytest.approx(expected) and gini(values) <= (n - 1) / n + 1e-9

    def test_fewer_than_two_languages_is_not_measured(self):
        assert gini([7]) is None and gini([]) is None and gini([0, 0]) is None


lines = st.lists(st.tuples(*[st.tuples(st.integers(0, 9), st.integers(0, 30))] * 3), min_size=1, max_size=8)


class TestParity:
    @given(lines, st.integers(0, 8))
    def test_the_definition_and_parts_add_up(self, rows: list, at: int):
        tokens, characters = (np.array([[cell[i] for cell in row] for row in rows], np.uint64) for i in (0, 1))
        found = parallel_counts(tokens, characters, np.zeros_like(tokens))
        both = [row for row in rows if row[0][1] and row[1][1]]
        mine, theirs = sum(row[0][0] for row in both), sum(row[1][0] for row in both)
        value = premium(found, 0, 1)
        assert value == (pytest.approx(mine / theirs) if both and theirs else value) and isinstance(
            value, float
        ) == bool(theirs)
        assert found.complete_lines == sum(all(cell[1] for cell in row) for row in rows)
        parts = [
            parallel_counts(tokens[part], characters[part], np.zeros_like(tokens[part]))
            for part in (slice(at), slice(at, None))
        ]
        together = parts[0] + parts[1]
        assert np.array_equal(together.tokens, found.tokens) and np.array_equal(
            together.complete_tokens, found.complete_tokens
        )

    def test_much_unknown_on_either_side_is_not_compared(self):
        found = parallel_counts(*(np.array([each], np.uint64) for each in ([5, 1, 4], [10, 9, 10], [1, 8, 2])))
        assert premium(found, 0, 0) == 1.0  # exactly 10 %
        assert premium(found, 1, 0) == "more than 10 % of the characters are unknown (88.9 %)"
        assert premium(found, 0, 2) == "more than 10 % of the reference language's characters are unknown (20.0 %)"
        assert known_languages(found) == [0]


class TestZipf:
    def test_zeta_is_its_sum(self):
        assert hurwitz_zeta(2.0, np.array([1.0]))[0] == pytest.approx(np.pi**2 / 6, rel=1e-12)
        assert hurwitz_zeta(4.0, np.array([1.0, 2.0])).tolist() == pytest.approx(
            [np.pi**4 / 90, np.pi**4 / 90 - 1], rel=1e-12
        )

    @pytest.mark.parametrize(("exponent", "xmin"), [(1.8, 1), (2.5, 1), (2.2, 5)])
    def test_it_finds_the_law_that_made_the_counts(self, exponent: float, xmin: int):
        random = np.random.default_rng(7)
        support = np.arange(xmin, 200_000)
        p = support**-exponent
        sample = random.choice(support, 5000, p=p / p.sum())
        noise = np.repeat(np.arange(1, xmin), 700)
        found = zipf(np.concatenate((sample, noise)).astype(np.uint64))
        assert isinstance(found, Zipf)
        assert found.interval[0] - 0.02 < exponent < found.interval[1] + 0.02 and found.xmin >= xmin
        assert found.rank_exponent == pytest.approx(1 / (found.exponent - 1)) and found.distance < 0.05

    def test_the_maximum_of_the_likelihood_on_a_grid(self):
        values = np.random.default_rng(3).zipf(2.1, 400)
        found = zipf(values.astype(np.uint64))
        tail = values[values >= found.xmin]
        grid = np.arange(1.2, 4, 0.001)
        loss = [
            len(tail) * np.log(hurwitz_zeta(a, np.array([float(found.xmin)]))[0]) + a * np.log(tail).sum() for a in grid
        ]
        assert found.exponent == pytest.approx(grid[int(np.argmin(loss))], abs=0.001) and found.types == len(tail)

    def test_too_few_types(self):
        assert zipf(counts(*range(10))) == "a fit needs 50 types of different counts, there are 9"
        assert isinstance(zipf(np.ones(500, np.uint64)), str)  # one count alone has no slope


@given(some_counts)
def test_average_rank_is_its_definition(values: list[int]):
    falling = sorted(values, reverse=True)
    assert average_rank(counts(*values)) == pytest.approx(sum(r * c for r, c in enumerate(falling, 1)) / sum(values))


def test_digits_and_agreement_by_hand():
    # 1234567 as 123|456|7: boundaries after 3 and 6; groups of three from the right end after 1 and 4.
    assert digits(true=0, predicted=2, expected=2) == Digits(0.0, 0.0, 0.0)
    assert digits(true=0, predicted=0, expected=0) == Digits(None, None, None)
    assert agreement(counts(0, 0).reshape(1, 2), counts(0, 2).reshape(1, 2)) == [[None, 0.0]]
