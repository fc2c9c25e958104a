"""Writes the documents of shards in a random order: every order is equally likely, and a seed always gives the same one.

The order is that of `numpy.random.Generator.permutation`. Memory holds one shard and 40 bytes for each document of all.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.shards.encoding import name_of
from lab_app.shards.layouts import Layout, Shard, Width, read, writing


def order_of(documents: int, seed: int) -> NDArray[np.int64]:
    """Which document stands at each place, shape (documents,)."""
    return np.random.default_rng(seed).permutation(documents)


def shuffle(
    source: Path,
    shards: Sequence[Shard],
    target: Path,
    layout: Layout,
    width: Width,
    seed: int,
    done: Callable[[Shard], None],
) -> None:
    """Writes the documents of the `shards` in `source` to as many shards in `target`; `done` gets each and may raise to stop.

    Raises LoadFailed for a shard that was changed, Unavailable where `target` cannot be written.
    """
    opened = [read(source, shard.name, layout, width) for shard in shards]
    firsts = np.cumsum([0, *(len(starts) - 1 for _, starts in opened)])
    order = order_of(int(firsts[-1]), seed)
    bounds = np.linspace(0, len(order), len(shards) + 1).astype(np.int64)
    for number in range(len(shards)):
        chosen = order[bounds[number] : bounds[number + 1]]
        with writing(target, name_of(number), layout, width) as (writer, written):
            writer.add(*_gathered(opened, firsts, chosen))
        done(written[0])


def _gathered(
    opened: Sequence[tuple[NDArray[Any], NDArray[np.int64]]], firsts: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The IDs of the `chosen` documents in their order, and the length of each. Each source is read once, from front to back."""
    lengths = np.zeros(len(chosen), np.int64)
    parts = list(_by_source(firsts, chosen))
    for number, places in parts:
        starts = opened[number][1]
        of = chosen[places] - firsts[number]
        lengths[places] = starts[of + 1] - starts[of]
    targets = np.concatenate(([0], np.cumsum(lengths)))
    ids = np.empty(int(targets[-1]), opened[0][0].dtype)
    for number, places in parts:
        source, starts = opened[number]
        counts = lengths[places]
        # For each ID of a document its place in the document, then where it comes from and goes to.
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        of = np.repeat(starts[chosen[places] - firsts[number]], counts) + within
        ids[np.repeat(targets[places], counts) + within] = source[of]
    return ids, lengths


def _by_source(firsts: NDArray[np.int64], chosen: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The number of each source, and the places of its documents among the `chosen` ones, in the order of the source."""
    by_document = np.argsort(chosen)
    cuts = np.searchsorted(chosen[by_document], firsts)
    for number in range(len(firsts) - 1):
        yield number, by_document[cuts[number] : cuts[number + 1]]
