"""Where the time goes inside of one document: its stages, and the time of each part of it.

Not here: many documents (`stages`).
"""

from itertools import pairwise
from statistics import median

import numpy as np

from lab_app.benchmarks.growth_result import Profile, Slice
from lab_app.benchmarks.stages import stage_report
from lab_app.peers.peer import TimedTokenizer

SLICES = 64
ROUNDS = 9
SPACE = (" ", "\n")


def profile(id: str, tokenizer: TimedTokenizer, text: str, slices: int = SLICES, rounds: int = ROUNDS) -> Profile:
    """The stages of one document on both paths, and its parts, each encoded by itself.

    A part ends before white space if there is some nearby, so that its tokens are mostly those of the whole. Times are
    medians of the rounds; one before them fills the caches.

    >>> from lab_app.engine import Tokenizer
    >>> found = profile("gpt2", Tokenizer.builtin("gpt2"), "one two three four", slices=2)
    >>> [(part.start_utf8, part.end_utf8, part.tokens) for part in found.slices]
    [(0, 9, 3), (9, 18, 3)]
    """
    report = stage_report("", [(id, tokenizer)], [text], rounds=rounds)
    places = _places(text, slices)
    parts = [text[begin:end] for begin, end in pairwise(places)]
    answers = [tokenizer.encode_timed(parts, path="fast", spans=False) for _ in range(rounds + 1)]
    times = [[int(texts_ns[part]) for _, texts_ns, _ in answers[1:]] for part in range(len(parts))]
    ends = np.cumsum([0, *(len(part.encode()) for part in parts)]).tolist()
    return Profile(
        tokenizer=id,
        bytes=ends[-1],
        rows=report.rows,
        slices=[
            Slice(begin, end, len(ids), round(median(measured)))
            for (begin, end), ids, measured in zip(pairwise(ends), answers[0][0], times, strict=True)
        ],
    )


def _places(text: str, slices: int) -> list[int]:
    """Where parts begin, in characters, and the end of the text: near even shares, before white space."""
    share = max(1, -(-len(text) // slices))
    places = [0]
    while len(text) - places[-1] > share:
        even = places[-1] + share
        found = [at for mark in SPACE if (at := text.find(mark, even, even + share // 2)) != -1]
        places.append(min(found, default=even))
    return [*places, len(text)]
