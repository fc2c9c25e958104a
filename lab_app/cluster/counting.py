"""Counts a corpus on the workers of a cluster: each reads partitions itself and returns their counts.

Not here: the counts themselves (`lab_app.analysis.corpus.counting`), handing out partitions (`spread`).
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from lab_app.analysis.corpus.counting import CountOptions, Part, counted, from_bytes, new_part, to_bytes, units
from lab_app.cluster.connection import Connection
from lab_app.cluster.spread import on_worker, spread
from lab_app.cluster.versions import versions
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.report import ReadReport
from lab_app.engine import Tokenizer

LEAST_PARTITION_BYTES = 4e6
MOST_PARTITION_BYTES = 256e6
PARTITIONS_PER_THREAD = 16


@dataclass(frozen=True)
class Work:
    """What all partitions share. Pickling a tokenizer writes its definition, or the name of a built-in one."""

    corpus: Corpus
    tokenizers: Sequence[Tokenizer]
    options: CountOptions
    versions: dict[str, str]
    """Of the process that asked for it."""


def count(
    connection: Connection,
    corpus: Corpus,
    tokenizers: Sequence[Tokenizer],
    options: CountOptions,
    report: Callable[[int], None] = lambda done: None,
    *,
    partition_bytes: float | None = None,
) -> Part:
    """The counts of a corpus, equal to those of one process. `report` gets the bytes of the files that were read.

    What `report` raises stops the count within a tenth of a second; workers stop after the batch they are at. Raises
    LoadFailed for a file that a worker cannot read as it is here, EncodeError, and Unavailable if the connection is lost,
    a worker has another version, or a partition ends every worker that counts it.
    """
    size = partition_bytes or _partition_bytes(corpus, sum(connection.workers().values()))
    parts = units(corpus, size, options.sample)
    work = Work(corpus, tokenizers, options, versions())
    total = new_part(corpus, tokenizers, options)
    # By partition, so that what is reported does not depend on which worker was first.
    reports: dict[int, ReadReport] = {}
    read_bytes = 0
    with closing(spread(connection, work, counts_of, parts, "start the analysis again")) as arriving:
        for number, found in arriving:
            if found is not None:
                part = from_bytes(tokenizers, found)
                read_bytes += part.report.read_bytes
                reports[number], part.report = part.report, ReadReport()
                total.add(part)
            report(read_bytes)
    for _, each in sorted(reports.items()):
        total.report.merge(each)
    return total


def counts_of(work: Work, part: Partition | None) -> bytes:
    """The counts of a partition. Runs on a worker. Raises as `count` does, and Cancelled when nobody wants them any more."""
    with on_worker(work.corpus, part, work.versions) as check:
        found = new_part(work.corpus, work.tokenizers, work.options)
        for _ in counted(found, work.corpus, part, work.options):
            check()
        return to_bytes(found)


def _partition_bytes(corpus: Corpus, threads: int) -> float:
    return min(
        max(corpus.bytes / (max(threads, 1) * PARTITIONS_PER_THREAD), LEAST_PARTITION_BYTES), MOST_PARTITION_BYTES
    )
