"""How often two tokenizers put a boundary at the same place.

Unit: none. Denominator: byte offsets inside documents at which at least one of the two has a boundary.
Source: Jaccard index of the two sets of boundaries. Not here: one short text (`lab_app.analysis.divergence`).
"""

import numpy as np
from numpy.typing import NDArray


def agreement(shared: NDArray[np.uint64], either: NDArray[np.uint64]) -> list[list[float | None]]:
    """Shared boundaries divided by the boundaries of either, for each pair; None if neither has any.

    Both of shape (tokenizers, tokenizers).

    >>> agreement(np.array([[4, 1], [1, 2]], np.uint64), np.array([[4, 5], [5, 2]], np.uint64))
    [[1.0, 0.2], [0.2, 1.0]]
    """
    return [
        [mine / all if all else None for mine, all in zip(*rows, strict=True)]
        for rows in zip(shared.tolist(), either.tolist(), strict=True)
    ]
