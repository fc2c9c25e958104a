"""Tokens of one language per token of another, for the same content.

Needs parallel text: line N says the same in every language. A pair of languages is compared on the lines that both have.
Not here: all languages at once (`gini`).
Source: Petrov et al., "Language Model Tokenizers Introduce Unfairness Between Languages", NeurIPS 2023, arXiv:2305.15425.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_UNKNOWN_PERCENT = 10
"""Of the characters of either language; above it the tokens represent too little of the text to be compared."""

Sums = NDArray[np.uint64]


@dataclass(frozen=True)
class ParallelCounts:
    """Sums over the lines of a parallel corpus for one tokenizer. Integers, so that parts add up exactly.

    `tokens[a, b]` are the tokens of language a on the lines that both a and b have; likewise the others. Shape
    (languages, languages). A line without a character is one that the language lacks.
    """

    lines: Sums
    tokens: Sums
    characters: Sums
    unknown_characters: Sums
    complete_lines: int
    """Lines that every language has."""
    complete_tokens: Sums
    """Tokens of each language on those lines. Shape (languages,)."""

    def __add__(self, other: "ParallelCounts") -> "ParallelCounts":
        """The counts of two parts of a corpus together."""
        return ParallelCounts(
            self.lines + other.lines,
            self.tokens + other.tokens,
            self.characters + other.characters,
            self.unknown_characters + other.unknown_characters,
            self.complete_lines + other.complete_lines,
            self.complete_tokens + other.complete_tokens,
        )


def parallel_counts(tokens: NDArray[Any], characters: NDArray[Any], unknown_characters: NDArray[Any]) -> ParallelCounts:
    """The sums over some lines. All three of shape (lines, languages): integers, of one tokenizer.

    >>> found = parallel_counts(*(np.array(each, np.uint64) for each in ([[2, 6], [3, 0]], [[9, 9], [9, 0]], [[0, 0], [0, 0]])))
    >>> found.tokens.tolist(), found.complete_lines
    ([[5, 2], [6, 6]], 1)
    """
    present = characters > 0
    complete = present.all(axis=1)
    return ParallelCounts(
        _pairs(present, present),
        _pairs(tokens, present),
        _pairs(characters, present),
        _pairs(unknown_characters, present),
        int(complete.sum()),
        tokens[complete].sum(axis=0, dtype=np.uint64),
    )


def _pairs(values: NDArray[Any], present: NDArray[np.bool_]) -> Sums:
    """Sum over the lines of values of a where b is present. Floats of 53 bits hold the sums of a batch exactly."""
    mine = np.where(present, values, 0).astype(np.float64)
    return (mine.T @ present.astype(np.float64)).astype(np.uint64)


def premium(counts: ParallelCounts, language: int, reference: int) -> float | str:
    """Tokens of `language` per token of `reference` on the lines that both have, or the reason why that is not measured.

    >>> found = parallel_counts(*(np.array([each], np.uint64) for each in ([4, 6], [9, 9], [0, 1])))
    >>> premium(found, 1, 0)
    'more than 10 % of the characters are unknown (11.1 %)'
    >>> premium(found, 0, 0)
    1.0
    """
    pair = (language, reference)
    if not counts.lines[pair]:
        return "no line is in both languages"
    for mine, whose in ((pair, "the characters"), (pair[::-1], "the reference language's characters")):
        unknown, characters = int(counts.unknown_characters[mine]), int(counts.characters[mine])
        if 100 * unknown > MOST_UNKNOWN_PERCENT * characters:
            return f"more than {MOST_UNKNOWN_PERCENT} % of {whose} are unknown ({100 * unknown / characters:.1f} %)"
    if not counts.tokens[pair[::-1]]:
        return "the reference language has no tokens"
    return int(counts.tokens[pair]) / int(counts.tokens[pair[::-1]])


def known_languages(counts: ParallelCounts) -> list[int]:
    """The languages that may be compared: at most 10 % of their characters are unknown, and they have lines."""
    own, unknown = counts.characters.diagonal(), counts.unknown_characters.diagonal()
    return np.flatnonzero((own > 0) & (100 * unknown <= MOST_UNKNOWN_PERCENT * own)).tolist()
