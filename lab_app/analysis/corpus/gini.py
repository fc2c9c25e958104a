"""How unequally a tokenizer treats languages: the Gini coefficient of tokens for the same content.

Not here: one language against another (`parity`).
Source: arXiv:2508.04796; the coefficient is Gini's mean difference divided by twice the mean.
"""

from collections.abc import Sequence

FEWEST = 2


def gini(tokens: Sequence[int]) -> float | None:
    """sum_i sum_j abs(c_i - c_j) / (2 n^2 mean), c_i the tokens of language i for the same lines; in [0, (n - 1) / n].

    0 means that every language needs as many. None for fewer than two languages, or without tokens.

    >>> gini([10, 10]), gini([10, 30]), gini([5])
    (0.0, 0.25, None)
    """
    total = sum(tokens)
    if len(tokens) < FEWEST or not total:
        return None
    # With the values in rising order, each pair's difference is counted by rank: sum of (2 i - n + 1) c_i, twice.
    rising = sorted(tokens)
    spread = sum((2 * rank - len(rising) + 1) * count for rank, count in enumerate(rising))
    return spread / (len(rising) * total)
