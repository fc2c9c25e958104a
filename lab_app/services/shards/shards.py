"""Writes a corpus as shards: each part of the corpus by a thread or a worker of a cluster, then shuffled if that is asked for.

Not here: files and formats (`lab_app.shards.layouts`), the list of what is whole (`folder`), proofs (`checking`).
"""

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition, partitions
from lab_app.corpora.report import ReadReport
from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Cancelled
from lab_app.jobs.job import Running
from lab_app.options import check_options
from lab_app.services.beats import beats
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.shards.folder import Part, Plan, ShardFolder, opened
from lab_app.shards.encoding import Encoding, name_of, write_shard
from lab_app.shards.layouts import Layout, Shard, width_of
from lab_app.shards.options import NO_END, ShardOptions
from lab_app.shards.shuffling import shuffle

END_TOKENS = ("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<|im_end|>", "[SEP]", "<｜end▁of▁sentence｜>")
"""What ends a document in published models; the first that a tokenizer has as a special token."""

Write = Callable[[Encoding, Path, Sequence[Partition], Callable[[Shard, ReadReport], None], Running], None]
"""Writes partitions as shards into a folder, and hands on each as soon as it is whole. Raises Cancelled as `Running` does."""


@dataclass(frozen=True)
class Shards:
    """A corpus as shards in a folder. `tokens` has the end tokens, too; `reused` were there from an interrupted run."""

    folder: str
    tokenizer: str
    corpus: str
    layout: Layout
    width: str
    end: int | None
    seed: int | None
    shards: int
    documents: int
    tokens: int
    text_bytes: int
    skipped: int
    reused: int


def write_shards(
    lab: Lab,
    id: str,
    corpus: Corpus,
    folder: Path,
    options: ShardOptions,
    running: Running,
    write: Write,
) -> Shards:
    """Writes the IDs of all documents of a corpus to files in `folder`, and goes on where an interrupted run has ended.

    The files depend on the tokenizer, the corpus and the options alone, not on who writes them: `by_threads`, or the workers
    of a cluster.

    Raises as `opened` does; BadValue for options, and a tokenizer without a usual end token; LoadFailed for what cannot be
    read, Cancelled.
    """
    check_options(options)
    entry, tokenizer = lab.loaded.get(id)
    encoding = Encoding(
        corpus,
        tokenizer,
        end_of(tokenizer, entry.id, options.end),
        options.specials,
        options.layout,
        width_of(tokenizer.vocab_size, options.layout),
    )
    plan = Plan(
        tokenizer=entry.id,
        tokenizer_sha256=entry.sha256,
        corpus=corpus.title,
        corpus_sha256=corpus.sha256,
        cleaning=list(corpus.cleaning),
        end=encoding.end,
        specials=options.specials,
        layout=options.layout,
        width=encoding.width,
        shard_bytes=options.shard_bytes,
        seed=options.shuffle,
    )
    with opened(folder, plan) as found:
        reused = len(found.manifest.shards or found.manifest.ordered)
        if not found.manifest.complete:
            try:
                _encode(found, encoding, running, write)
            finally:
                found.save()
            _finish(found, running)
        return _result(found, reused)


def end_of(tokenizer: Tokenizer, id: str, given: str | None) -> int | None:
    """The ID of the end token that was asked for, or of the usual one. Raises BadValue if the tokenizer does not have it."""
    if given == NO_END:
        return None
    special = tokenizer.special_tokens
    if given is None:
        usual = next((name for name in END_TOKENS if name in special), None)
        if usual is None:
            raise BadValue(f"{id} has none of the usual end tokens", f'name one, by its text or ID, or "{NO_END}"')
        return special[usual]
    found = special.get(given, tokenizer.token_to_id(given))
    if found is None and given.isascii() and given.isdecimal() and int(given) < tokenizer.vocab_size:
        found = int(given)
    if found is None:
        raise BadValue(f"{id} has no token {given}", f'name one of its tokens, an ID, or "{NO_END}"')
    return found


def _encode(found: ShardFolder, encoding: Encoding, running: Running, write: Write) -> None:
    """The first pass: in the order of the corpus."""
    place = found.ordered_path
    place.mkdir(exist_ok=True)
    done = {part.name for part in found.manifest.ordered}
    left = [part for part in parts_of(encoding.corpus, found) if name_of(part.index) not in done]
    write(encoding, place, left, lambda shard, report: found.add_ordered(Part.of(shard, report)), running)


def parts_of(corpus: Corpus, found: ShardFolder) -> list[Partition]:
    """The parts of the corpus, each a shard."""
    return partitions(corpus, found.manifest.plan.shard_bytes)


def _finish(found: ShardFolder, running: Running) -> None:
    """The second pass, if there is one."""
    plan, ordered = found.manifest.plan, found.manifest.ordered
    if plan.seed is None:
        found.finish(ordered)
        return
    shards: list[Part] = []
    count = _shard_count(found)

    def add(shard: Shard) -> None:
        shards.append(Part.of(shard))
        running.report(len(shards), count, "shuffling")

    running.report(0, count, "shuffling")
    parts = [each.shard for each in ordered]
    shuffle(found.ordered_path, parts, found.path, plan.layout, plan.width, plan.seed, count, add)
    found.finish(shards)
    shutil.rmtree(found.ordered_path, ignore_errors=True)


def _shard_count(found: ShardFolder) -> int:
    """How many shards there are once they are shuffled: a part that could not be divided is, by its text."""
    ordered, size = found.manifest.ordered, found.manifest.plan.shard_bytes
    by_text = -(-sum(each.text_bytes or 0 for each in ordered) // size)
    return max(1, min(max(len(ordered), by_text), sum(each.documents for each in ordered)))


def _result(found: ShardFolder, reused: int) -> Shards:
    plan, ordered = found.manifest.plan, found.manifest.ordered
    return Shards(
        str(found.path),
        plan.tokenizer,
        plan.corpus,
        plan.layout,
        plan.width,
        plan.end,
        plan.seed,
        len(found.manifest.shards),
        sum(each.documents for each in ordered),
        sum(each.tokens for each in ordered),
        sum(each.text_bytes or 0 for each in ordered),
        sum(each.skipped or 0 for each in ordered),
        reused,
    )


def by_threads(threads: int = 0) -> Write:
    """Writes with so many threads of this process, 0 for one per core, each a partition at a time. The engine releases the
    interpreter's lock."""

    def write(
        encoding: Encoding,
        folder: Path,
        parts: Sequence[Partition],
        done: Callable[[Shard, ReadReport], None],
        running: Running,
    ) -> None:
        reports = [ReadReport() for _ in parts]
        stopped = threading.Event()

        def check() -> None:
            if stopped.is_set():
                raise Cancelled("the shards were stopped", "the same command goes on with those that are missing")

        def one(part: Partition, report: ReadReport) -> None:
            check()
            with translate_engine_errors():
                done(write_shard(encoding, folder, part, report, check), report)

        pool = ThreadPoolExecutor(max(1, min(threads or os.cpu_count() or 1, len(parts))), "shards")
        try:
            futures = [pool.submit(one, part, report) for part, report in zip(parts, reports, strict=True)]
            for _ in beats(futures):
                running.report(sum(each.read_bytes for each in reports), sum(part.size_bytes for part in parts))
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)

    return write
