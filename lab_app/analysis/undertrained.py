"""Indicators of tokens that a model hardly saw in training, from its embeddings alone.

Source: Land and Bartolo 2024, Fishing for Magikarp: Automatically Detecting Under-trained Tokens in Large Language Models,
section 2.2. A low value is a candidate, no proof: the paper goes on to prompt the model with it.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Blocks = Callable[[], Iterable[NDArray[np.float32]]]
"""Gives the rows of a matrix from the start, in blocks."""

SHARE = 0.02
"""The paper tries the lowest 2 %."""
ROUNDS = 2000


def norms(blocks: Blocks) -> NDArray[np.float64]:
    """The Euclidean norm of each row. Rows that training left alone shrink with weight decay.

    >>> norms(lambda: [np.array([[3, 4], [0, 0]], np.float32)]).tolist()
    [5.0, 0.0]
    """
    return np.concatenate([np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)) for rows in blocks()])


def distances(blocks: Blocks, unused: Sequence[int]) -> NDArray[np.float64]:
    """The cosine distance, in [0, 2], of each row from the mean of the rows `unused`, which must not be empty.

    The first principal component is taken out of all rows before, as the paper has it. NaN for a row that is nothing else.
    """
    component = first_component(blocks)

    def rest() -> Iterable[NDArray[np.float64]]:
        for rows in blocks():
            yield rows - np.outer(rows @ component, component)

    wanted, start, mean = np.sort(np.asarray(unused)), 0, np.zeros(component.size)
    for rows in rest():
        within = wanted[np.searchsorted(wanted, start) : np.searchsorted(wanted, start + len(rows))]
        mean += rows[within - start].sum(0)
        start += len(rows)
    mean /= np.linalg.norm(mean) or 1.0
    found = []
    for rows in rest():
        length = np.linalg.norm(rows, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found.append(1 - np.where(length > 1e-9, rows @ mean / length, np.nan))
    return np.concatenate(found)


def first_component(blocks: Blocks) -> NDArray[np.float64]:
    """The direction, of length 1, in which the rows differ most: the first principal component, by power iteration."""
    count, total, products = 0, np.zeros(()), np.zeros(())
    for rows in blocks():
        count += len(rows)
        total = total + rows.sum(0, dtype=np.float64)
        products = products + rows.T @ rows
    covariance = products / count - np.outer(total / count, total / count)
    found = np.random.default_rng(0).normal(size=len(covariance))
    for _ in range(ROUNDS):
        before, found = found, covariance @ found
        found /= np.linalg.norm(found) or 1.0
        if np.abs(found - before).max() < 1e-10:
            break
    return found
