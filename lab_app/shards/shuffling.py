"""Writes the documents of shards in a random order: every order is equally likely, and a seed always gives the same one.

The order is that of `numpy.random.Generator.permutation`. Memory holds one shard that is written, the starts of one that is
read, and 16 bytes for each document of all.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.shards.encoding import name_of
from lab_app.shards.layouts import Layout, Shard, Width, read, writing

SLICE_TOKENS = 1_000_000


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
    count: int,
    done: Callable[[Shard], None],
) -> None:
    """Writes the documents of the `shards` in `source` to `count` shards in `target`; `done` gets each and may raise to stop.

    Raises LoadFailed for a shard that was changed, Unavailable where `target` cannot be written.
    """
    firsts = np.cumsum([0, *(shard.documents for shard in shards)])
    order = order_of(int(firsts[-1]), seed)
    bounds = np.linspace(0, len(order), count + 1).astype(np.int64)
    for number in range(count):
        chosen = order[bounds[number] : bounds[number + 1]]
        with writing(target, name_of(number), layout, width) as (writer, written):
            writer.add(*_gathered(lambda at: read(source, shards[at].name, layout, width), firsts, chosen))
        done(written[0])


Opened = tuple[NDArray[Any], NDArray[np.int64]]
"""The IDs and the starts of a shard."""


def _gathered(
    opened: Callable[[int], Opened], firsts: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The IDs of the `chosen` documents in their order, and the length of each. One source is open at a time, and read from
    front to back: twice, since the lengths say where documents go."""
    lengths = np.zeros(len(chosen), np.int64)
    kind = np.dtype(np.uint16)
    for number, places in _by_source(firsts, chosen):
        ids, starts = opened(number)
        of = chosen[places] - firsts[number]
        lengths[places], kind = starts[of + 1] - starts[of], ids.dtype
    targets = np.concatenate(([0], np.cumsum(lengths)))
    gathered = np.empty(int(targets[-1]), kind)
    for number, places in _by_source(firsts, chosen):
        ids, starts = opened(number)
        for some in _slices(places, lengths):
            counts = lengths[some]
            # For each ID of a document its place in the document, then where it comes from and goes to.
            within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
            of = np.repeat(starts[chosen[some] - firsts[number]], counts) + within
            gathered[np.repeat(targets[some], counts) + within] = ids[of]
    return gathered, lengths


def _slices(places: NDArray[np.intp], lengths: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """The places in parts of about `SLICE_TOKENS`, so that what is computed for each ID stays small."""
    tokens = np.cumsum(lengths[places])
    cuts = np.searchsorted(tokens, np.arange(SLICE_TOKENS, int(tokens[-1]), SLICE_TOKENS), side="right")
    yield from (part for part in np.split(places, np.unique(cuts)) if len(part))


def _by_source(firsts: NDArray[np.int64], chosen: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The number of each source that has some of the `chosen` documents, and their places among them, in the order of the
    source."""
    by_document = np.argsort(chosen)
    cuts = np.searchsorted(chosen[by_document], firsts)
    for number in range(len(firsts) - 1):
        if cuts[number] < cuts[number + 1]:
            yield number, by_document[cuts[number] : cuts[number + 1]]
