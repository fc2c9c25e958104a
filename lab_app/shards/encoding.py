"""Encodes a part of a corpus into a shard. Not here: which parts there are (`lab_app.corpora.partitions`), threads and progress
(`lab_app.services.shards`), other machines (`lab_app.cluster.shards`)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.batch import Batch
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.engine import Specials, Tokenizer, encode_documents
from lab_app.shards.layouts import Layout, Shard, Width, writing


@dataclass(frozen=True)
class Encoding:
    """What all shards of a folder have in common. `end` is the ID that follows each document, None for none."""

    corpus: Corpus
    tokenizer: Tokenizer
    end: int | None
    specials: Specials
    layout: Layout
    width: Width


def name_of(index: int) -> str:
    """The name of the shard at a place.

    >>> name_of(7)
    'shard-00007'
    """
    return f"shard-{index:05}"


def write_shard(
    encoding: Encoding, folder: Path, part: Partition, report: ReadReport, check: Callable[[], None]
) -> Shard:
    """Writes the documents of a partition as one shard, a batch in memory at a time. What `check` raises stops it.

    Raises LoadFailed while reading, EncodeError, Unavailable where the folder cannot be written.
    """
    with writing(folder, name_of(part.index), encoding.layout, encoding.width) as (writer, written):
        for batch in batches(encoding.corpus, part, report=report):
            check()
            writer.add(*encoded(encoding, batch))
    return written[0]


def encoded(encoding: Encoding, batch: Batch) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The IDs of documents with their end tokens, shape (tokens,), and how many each has, shape (documents,)."""
    ids, row_starts = encode_documents(
        encoding.tokenizer, batch.text, batch.ends, end=encoding.end, threads=1, specials=encoding.specials
    )
    starts = row_starts.astype(np.int64)
    return ids, starts[1:] - starts[:-1]
