"""How far tokenizers cut a text in the same places.

Works on boundaries only, so tokenizers with unrelated vocabularies can be compared.
Not here: where they differ (`divergence`); agreement of ids or of vocabularies.
"""

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.boundaries import Mask


def boundary_jaccard(a: Mask, b: Mask) -> float:
    """Share of inner boundaries that both tokenizers have, of those that either has.

    Arguments are masks over the positions of one text, shape (b + 1,); its two ends, which all share, do not count.
    Returns a ratio in [0, 1]; 1 where neither cuts at all. Raises ValueError where the masks are of different texts.

    >>> a, b = np.zeros(10, bool), np.zeros(10, bool)
    >>> a[[0, 3, 5, 9]] = b[[0, 5, 9]] = True
    >>> boundary_jaccard(a, b)
    0.5

    Source: Jaccard index of the two boundary sets.
    """
    if a.size != b.size:
        raise ValueError(
            f"the masks are of texts of {a.size - 1} and {b.size - 1} bytes: were they given the same text?"
        )
    either = np.count_nonzero(a[1:-1] | b[1:-1])
    return int(np.count_nonzero(a[1:-1] & b[1:-1])) / int(either) if either else 1.0


def agreement_matrix(masks: list[Mask]) -> NDArray[np.float64]:
    """`boundary_jaccard` of each pair, shape (k, k): symmetric, 1 on the diagonal."""
    matrix = np.ones((len(masks), len(masks)))
    for i, a in enumerate(masks):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = boundary_jaccard(a, masks[j])
    return matrix
