"""Chooses partitions at random, so that a sample is spread over the whole corpus. Not here: reading them (`reading`)."""

import random
from collections.abc import Sequence

from lab_app.corpora.partitions import Partition


def sample(parts: Sequence[Partition], sample_bytes: float, seed: int) -> list[Partition]:
    """Some of `parts` in their order, drawn without replacement until they have at least `sample_bytes` on disk.

    All of them if they have less. The same `seed` gives the same sample. Each partition is equally likely, whatever its
    size, so divide the corpus into small ones first.

    >>> parts = [Partition(n, n, n + 1, 0, 100, 100) for n in range(10)]
    >>> [part.index for part in sample(parts, 250, seed=1)]
    [1, 2, 4]
    """
    chosen: list[Partition] = []
    size = 0
    for part in random.Random(seed).sample(list(parts), len(parts)):
        if size >= sample_bytes:
            break
        chosen.append(part)
        size += part.size_bytes
    return sorted(chosen, key=lambda part: part.index)
