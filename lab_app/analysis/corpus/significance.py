"""How sure the difference between two tokenizers is: tokens of one per token of the other, with a bootstrap interval.

Other documents of the same kind would give other sums. The bootstrap draws documents again and again, with replacement, and
counts both tokenizers on the same ones: the interval is where the middle 95 % of the ratios lie. To keep counts small and
independent of how a corpus is divided, documents are grouped by a hash of their bytes, and groups are drawn: a group stands
for its documents, and its sums vary as much as theirs do together.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (percentile interval); Koehn, EMNLP 2004
(paired: both systems on the same sample).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app.analysis.corpus.result import TokenRatio, TokenRatios
from lab_app.analysis.corpus.sampling import mixed

GROUPS = 1024
"""Their number makes the width of an interval uncertain by some 2 %."""
RESAMPLES = 1000
LEVEL = 0.95
FEWEST = 20
"""Groups with documents: of fewer, the drawn samples are too much alike for an interval."""
_OF_BYTES = mixed(np.arange(1, 257, dtype=np.uint64))

Sums = NDArray[np.uint64]


@dataclass(frozen=True)
class DocumentGroups:
    """Sums over the documents of each group. Integers, so that parts of a corpus add up exactly."""

    documents: Sums
    """Shape (GROUPS,)."""
    tokens: Sums
    """Shape (tokenizers, GROUPS)."""

    def __add__(self, other: "DocumentGroups") -> "DocumentGroups":
        """The sums of two parts of a corpus together."""
        return DocumentGroups(self.documents + other.documents, self.tokens + other.tokens)


def groups_of(text: bytes, ends: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The group of each document in `text`, by its bytes. No document is empty. Shape (documents,).

    >>> groups_of(b"onetwoone", np.array([3, 6, 9], np.uint64)).tolist()
    [580, 542, 580]
    """
    starts = np.concatenate(([0], ends[:-1])).astype(np.int64)
    # Of each byte with its place in the document: documents of the same bytes in another order are others.
    places = np.arange(len(text)) - np.repeat(starts, ends.astype(np.int64) - starts)
    weights = np.take(_OF_BYTES, np.frombuffer(text, np.uint8)) * (2 * places + 1).astype(np.uint64)
    return groups_of_numbers(np.add.reduceat(weights, starts))


def groups_of_numbers(numbers: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The group of each number: of a line that is one document in every language, or of a document. Shape (n,)."""
    return np.asarray(mixed(numbers) % np.uint64(GROUPS), np.intp)


def document_groups(groups: NDArray[np.intp], tokens: NDArray[np.uint32]) -> DocumentGroups:
    """The sums over some documents; `tokens` of shape (tokenizers, documents)."""
    # Floats of 53 bits hold the sums of a batch exactly.
    sums = [np.bincount(groups, weights=each, minlength=GROUPS) for each in tokens]
    return DocumentGroups(np.bincount(groups, minlength=GROUPS).astype(np.uint64), np.array(sums).astype(np.uint64))


def token_ratios(sums: DocumentGroups, tokenizers: list[str], seed: int) -> TokenRatios | str:
    """The ratio of each pair of tokenizers with its interval, or the reason why there is none.

    >>> groups = groups_of_numbers(np.arange(100, dtype=np.uint64))
    >>> tokens = np.array([[10] * 100, [9, 10] * 50], np.uint32)
    >>> found = token_ratios(document_groups(groups, tokens), ["a", "b"], seed=0)
    >>> [(each.tokenizer, each.against, each.ratio, each.is_told_apart) for each in found.ratios]
    [('b', 'a', 0.95, True)]
    """
    has_documents = sums.documents > 0
    count = int(has_documents.sum())
    if count < FEWEST:
        return f"the corpus has fewer than {FEWEST} groups of different documents"
    tokens = sums.tokens[:, has_documents].astype(np.float64)
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), RESAMPLES).astype(np.float64)
    totals = drawn @ tokens.T
    if not totals.all():
        return "a tokenizer has no tokens in most documents"
    low, high = 100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2
    found = []
    for number, name in enumerate(tokenizers):
        for other in range(number):
            ends = np.percentile(totals[:, number] / totals[:, other], [low, high])
            ratio = float(tokens[number].sum() / tokens[other].sum())
            found.append(TokenRatio(name, tokenizers[other], ratio, (float(ends[0]), float(ends[1]))))
    return TokenRatios(found, LEVEL, RESAMPLES, count, seed)
