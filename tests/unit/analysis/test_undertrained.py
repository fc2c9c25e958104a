"""The indicators of under-trained tokens, beside the formulas written out over a whole matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.undertrained import distances, first_component, norms


def in_blocks(matrix, size):
    return lambda: (matrix[start : start + size] for start in range(0, len(matrix), size))


def matrix_of(seed, rows=60, width=5):
    made = np.random.default_rng(seed)
    # The first axis has the most variance, so that there is one first component.
    return (made.normal(size=(rows, width)) * [6, 2, 1, 1, 1] + made.normal(size=width)).astype(np.float32)


@given(st.integers(0, 1000), st.integers(1, 70))
def test_indicators_are_the_formulas_of_the_paper(seed, size):
    matrix = matrix_of(seed)
    unused = [3, 17, 59]
    component = np.linalg.svd(matrix - matrix.mean(0))[2][0]
    rest = matrix - np.outer(matrix @ component, component)
    mean = rest[unused].mean(0)
    expected = 1 - rest @ mean / np.linalg.norm(rest, axis=1) / np.linalg.norm(mean)
    assert distances(in_blocks(matrix, size), unused) == pytest.approx(expected, abs=1e-4)
    assert norms(in_blocks(matrix, size)) == pytest.approx(np.linalg.norm(matrix, axis=1), rel=1e-5)


def test_the_first_component_is_the_direction_of_most_variance():
    found = first_component(in_blocks(matrix_of(1), 7))
    expected = np.linalg.svd(matrix_of(1) - matrix_of(1).mean(0))[2][0]
    assert abs(found @ expected) == pytest.approx(1, abs=1e-6)


def test_a_row_of_zeros_has_no_direction():
    matrix = matrix_of(2)
    matrix[5] = 0
    found = distances(in_blocks(matrix, 8), [1, 2])
    assert np.isnan(found[5]) and not np.isnan(np.delete(found, 5)).any()
