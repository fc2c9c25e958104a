"""How a corpus becomes shards, as people ask for it."""

from dataclasses import dataclass
from typing import Annotated

from lab_app.engine import Specials
from lab_app.options import Option
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.shards.layouts import Layout

NO_END = "none"
MOST_SHARD_BYTES = 2**50


@dataclass(frozen=True)
class ShardOptions:
    """`end` names a token by its text or ID; None takes the usual one, `NO_END` none."""

    layout: Annotated[Layout, Option("The files: for numpy.load, or for Megatron-LM's IndexedDataset.")] = "numpy"
    end: Annotated[
        str | None,
        Option('The token after each document, by its text or ID, or "none"; else the usual one, such as </s>.'),
    ] = None
    shuffle: Annotated[
        int | None, Option("Write the documents in a random order; the same number gives the same order.", 0, 2**63)
    ] = None
    shard_bytes: Annotated[
        int, Option("Size of the files read for a shard, about.", 1000, MOST_SHARD_BYTES, flag="--shard-size")
    ] = 64_000_000
    specials: Specials = DEFAULT_SPECIALS
