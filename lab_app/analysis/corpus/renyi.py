"""Rényi entropy and efficiency of the distribution of tokens.

Not here: how many types there are at all (`vocabulary_use`).
Source: Zouhar et al., "Tokenization and the Noiseless Channel", ACL 2023, arXiv:2306.16842.
"""

from math import log2

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.options import AnalysisOptions

ALPHA = AnalysisOptions.alpha
"""The order that agrees best with translation quality in the paper."""
PACKAGE_ALPHA = 3.0
"""The order that the authors' package uses if none is given."""
NEAR_ONE = 1e-8
"""An order this close to 1 is Shannon's: the formula would divide two rounding errors."""


def renyi_entropy(counts: NDArray[np.uint64], alpha: float = ALPHA) -> float | None:
    """H = log2(sum over types of p ** alpha) / (1 - alpha), in bits; None without tokens.

    `counts` has the occurrences of each type, shape (types,); p is a count divided by the sum. `alpha` 1 is Shannon's
    entropy, the limit of the formula. Raises ValueError unless alpha > 0.

    >>> renyi_entropy(np.array([1, 1, 1, 1], np.uint64))
    2.0
    >>> round(renyi_entropy(np.array([2, 1, 1], np.uint64), alpha=2), 4)
    1.415
    """
    if not alpha > 0:
        raise ValueError(f"alpha is {alpha}: the order of a Rényi entropy is above 0")
    seen = counts[counts > 0]
    if not seen.size:
        return None
    # Sorted, so that the sum of floats does not depend on the ids.
    p = np.sort(seen) / int(seen.sum())
    if abs(alpha - 1) < NEAR_ONE:
        entropy = -np.sum(p * np.log2(p))
    else:
        # Relative to the largest p, since p ** alpha is 0 for a large alpha.
        largest = np.log2(p[-1])
        entropy = (np.log2(np.sum((p / p[-1]) ** alpha)) + largest) / (1 - alpha) - largest
    return abs(float(entropy))  # of a single type it is -0.0


def renyi_efficiency(counts: NDArray[np.uint64], alpha: float, size: int) -> float | None:
    """The entropy divided by log2 of `size`, in [0, 1]; None without tokens, or if `size` is below 2.

    `size` is the size of the vocabulary; the published package takes the number of types that occur, which is smaller, so
    that its efficiency is higher.

    >>> renyi_efficiency(np.array([1, 1, 1, 1], np.uint64), ALPHA, size=16)
    0.5
    """
    entropy = renyi_entropy(counts, alpha)
    return None if entropy is None or size < 2 else entropy / log2(size)
