"""How much of the vocabulary a text uses, and how far down the list of frequencies its tokens are.

Both depend on the size of the text: see `rarefaction`. Not here: how few types cover most of it (`coverage`).
Source: arXiv:2508.04796.
"""

import numpy as np
from numpy.typing import NDArray


def vocabulary_utilisation(types: int, size: int) -> float | None:
    """Types that occur, per entry of the vocabulary, in [0, 1]; None for an empty vocabulary.

    >>> vocabulary_utilisation(3, 4)
    0.75
    """
    return types / size if size else None


def average_rank(counts: NDArray[np.uint64]) -> float | None:
    """Mean rank of a token: sum over ranks r of p_r * r, r from 1 with the most frequent type first; None without tokens.

    `counts` has the occurrences of each type, shape (types,).

    >>> average_rank(np.array([0, 1, 3], np.uint64))
    1.25
    """
    falling = np.sort(counts[counts > 0])[::-1]
    if not falling.size:
        return None
    # Python's integers: ranks times counts may pass 64 bits.
    weighted: int = sum(rank * count for rank, count in enumerate(falling.tolist(), 1))
    return weighted / int(falling.sum())
