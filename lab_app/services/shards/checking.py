"""Reads shards back: every file has its digest, every ID is one of the tokenizer's, and documents have the IDs that the
tokenizer gives to their text now."""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.reading import batches
from lab_app.engine import Tokenizer
from lab_app.errors import LoadFailed, reason
from lab_app.jobs.job import Running
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.shards.folder import ShardFolder, read_folder
from lab_app.services.shards.shards import parts_of
from lab_app.shards.layouts import digest_of, files_of, read
from lab_app.shards.shuffling import order_of

DOCUMENTS_OF_A_SHARD = 100
"""So many of each shard's first documents are encoded again."""
AGAIN = "delete its files, and give the same command again"


@dataclass(frozen=True)
class CheckedShards:
    """What was proved: files with their digest, IDs in the vocabulary, documents encoded again."""

    files: int
    tokens: int
    documents: int
    encoded_again: int


def check_shards(lab: Lab, corpus: Corpus, folder: Path, running: Running) -> CheckedShards:
    """Reads the shards of `folder` back. Raises LoadFailed for the first thing that is not as it was written, Cancelled."""
    found = read_folder(folder)
    manifest, plan = found.manifest, found.manifest.plan
    if not manifest.complete:
        raise LoadFailed(f"{folder} is not complete", "write the rest: give the same command again")
    _, tokenizer = lab.loaded.get(plan.tokenizer)
    for number, part in enumerate(manifest.shards):
        for path, digest in zip(
            files_of(folder, part.name, plan.layout), (part.ids_sha256, part.index_sha256), strict=True
        ):
            _check_digest(path, digest)
        ids, starts = read(folder, part.name, plan.layout, plan.width)
        if int(ids.max(initial=0)) >= tokenizer.vocab_size:
            raise LoadFailed(f"{part.name} has the ID {int(ids.max())}, which {plan.tokenizer} has not", AGAIN)
        ends = starts[1:] - 1
        if plan.end is not None and not (ids[ends] == plan.end).all():
            raise LoadFailed(f"a document of {part.name} does not end with {plan.end}", AGAIN)
        running.report(number + 1, len(manifest.shards), "reading back")
    return CheckedShards(
        2 * len(manifest.shards),
        sum(part.tokens for part in manifest.shards),
        sum(part.documents for part in manifest.shards),
        _encode_again(corpus, found, tokenizer, running),
    )


def _check_digest(path: Path, digest: str) -> None:
    try:
        found = digest_of(path)
    except OSError as error:
        raise LoadFailed(f"{path} cannot be read: {reason(error)}", AGAIN) from error
    if found != digest:
        raise LoadFailed(f"{path} has changed since it was written", AGAIN)


def _encode_again(corpus: Corpus, found: ShardFolder, tokenizer: Tokenizer, running: Running) -> int:
    """Compares the first documents of each part of the corpus, encoded one at a time. Returns how many."""
    plan = found.manifest.plan
    expected: dict[int, bytes] = {}
    first = 0
    end = [] if plan.end is None else [plan.end]
    for part, written in zip(parts_of(corpus, found), found.manifest.ordered, strict=True):
        texts = (text for batch in batches(corpus, part) for text in batch.strings())
        for number, text in enumerate(islice(texts, DOCUMENTS_OF_A_SHARD), first):
            running.check()
            with translate_engine_errors():
                ids = tokenizer.encode(text, add_special_tokens=False, specials=plan.specials).ids.tolist()
            expected[number] = _digest(ids + end)
        first += written.documents
    place_of = _places(first, plan.seed)
    left = deque(sorted((place_of(number), number) for number in expected))
    at = 0
    for shard in found.manifest.shards:
        ids, starts = read(found.path, shard.name, plan.layout, plan.width)
        while left and left[0][0] < at + shard.documents:
            place, number = left.popleft()
            if _digest(ids[starts[place - at] : starts[place - at + 1]]) != expected[number]:
                raise LoadFailed(
                    f"document {number} of the corpus has other IDs now", "write the shards again, into another folder"
                )
        at += shard.documents
    return len(expected)


def _digest(ids: Sequence[int] | NDArray[Any]) -> bytes:
    return hashlib.sha256(np.asarray(ids, "<u4").tobytes()).digest()


def _places(documents: int, seed: int | None) -> Callable[[int], int]:
    """Where each document of the corpus stands in the shards."""
    if seed is None:
        return lambda number: number
    places = np.empty(documents, np.int64)
    places[order_of(documents, seed)] = np.arange(documents)
    return lambda number: int(places[number])
