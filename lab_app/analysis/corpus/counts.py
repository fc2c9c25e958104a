"""What was counted, as plain arrays: all that the metrics need, and nothing of the text.

All are integers, so counts of two parts of a corpus add up exactly, in any order. Not here: counting (`lab_app.engine.Tally`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.parity import ParallelCounts
from lab_app.analysis.corpus.significance import DocumentGroups

Array = NDArray[np.uint64]


@dataclass(frozen=True)
class TokenizerCounts:
    """Counts of one tokenizer."""

    counts: Array
    """Occurrences of each id, shape (vocab_size,)."""
    lengths: NDArray[np.uint32]
    """Distinct document lengths in tokens, rising, shape (n,)."""
    documents: Array
    """Documents of each of those lengths, shape (n,)."""
    sums: dict[str, Array]
    """Per language, shape (languages,); a measure that was not counted lacks its keys. Names as in `Tally.sums`."""
    parallel: ParallelCounts | None = None
    """None unless the corpus is parallel."""


@dataclass(frozen=True)
class CorpusCounts:
    """Counts of the text, and of every tokenizer over it."""

    documents: int
    bytes: int
    text_sums: dict[str, Array]
    """Per language, shape (languages,). Names as in `Tally.text_sums`."""
    tokenizers: list[TokenizerCounts]
    shared: Array | None = None
    """Boundaries in both of two tokenizers, shape (tokenizers, tokenizers); None if they were not compared."""
    either: Array | None = None
    """Boundaries in either of them, same shape."""
    groups: DocumentGroups | None = None
    """None with one tokenizer."""


def ratio(part: int | None, whole: int | None) -> float | None:
    """`part` per `whole`; None if either is unknown, or `whole` is 0.

    >>> ratio(3, 4), ratio(3, 0), ratio(None, 4)
    (0.75, None, None)
    """
    return None if part is None or not whole else part / whole
