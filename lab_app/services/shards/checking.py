"""Reads shards back: every file has its digest, every ID is one of the tokenizer's, and documents have the IDs that the
tokenizer gives to their text now."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

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
AGAIN = "write the shards again, into another folder"


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


class _Documents:
    """The documents of all shards by their number in the corpus."""

    def __init__(self, found: ShardFolder) -> None:
        plan, shards = found.manifest.plan, found.manifest.shards
        self._opened = [read(found.path, part.name, plan.layout, plan.width) for part in shards]
        self._firsts = np.cumsum([0, *(part.documents for part in shards)])
        total = int(self._firsts[-1])
        self._places: NDArray[np.int64] | None = None
        if plan.seed is not None:
            self._places = np.empty(total, np.int64)
            self._places[order_of(total, plan.seed)] = np.arange(total)

    def ids(self, number: int) -> list[int]:
        place = number if self._places is None else int(self._places[number])
        shard = int(np.searchsorted(self._firsts, place, side="right")) - 1
        ids, starts = self._opened[shard]
        at = place - int(self._firsts[shard])
        return [int(id) for id in ids[starts[at] : starts[at + 1]]]


def _encode_again(corpus: Corpus, found: ShardFolder, tokenizer: Tokenizer, running: Running) -> int:
    """Compares the first documents of each part of the corpus, encoded one at a time. Returns how many."""
    plan, count, first = found.manifest.plan, 0, 0
    documents = _Documents(found)
    end = [] if plan.end is None else [plan.end]
    for part, written in zip(parts_of(corpus, found), found.manifest.ordered, strict=True):
        texts = (text for batch in batches(corpus, part) for text in batch.strings())
        for number, text in enumerate(islice(texts, DOCUMENTS_OF_A_SHARD), first):
            running.check()
            with translate_engine_errors():
                ids = tokenizer.encode(text, add_special_tokens=False, specials=plan.specials).ids.tolist()
            if documents.ids(number) != ids + end:
                raise LoadFailed(f"document {number} of the corpus has other IDs now", AGAIN)
            count += 1
        first += written.documents
    return count
