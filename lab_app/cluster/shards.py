"""Writes shards on the workers of a cluster, which see the folder at the same path as this machine, such as a shared disk."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lab_app.cluster.connection import Connection
from lab_app.cluster.spread import on_worker, spread
from lab_app.cluster.versions import versions
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.partitions import Partition
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed
from lab_app.jobs.job import Running
from lab_app.shards.encoding import Encoding, write_shard
from lab_app.shards.layouts import Shard, files_of


@dataclass(frozen=True)
class Work:
    """What all partitions share. Pickling a tokenizer writes its definition, or the name of a built-in one."""

    encoding: Encoding
    folder: Path
    versions: dict[str, str]
    """Of the process that asked for it."""

    @property
    def corpus(self) -> Corpus:
        """The corpus that is encoded."""
        return self.encoding.corpus


def writer(connection: Connection) -> Callable[..., None]:
    """What `lab_app.services.shards` writes partitions with."""
    return partial(write, connection)


def write(
    connection: Connection,
    encoding: Encoding,
    folder: Path,
    parts: Sequence[Partition],
    done: Callable[[Shard, ReadReport], None],
    running: Running,
) -> None:
    """Writes partitions as shards into a folder, and hands on each as soon as it is whole. Raises as `spread` does, and
    LoadFailed for a worker whose files are not seen here."""
    work = Work(encoding, folder.absolute(), versions())
    read_bytes, total = 0, sum(part.size_bytes for part in parts)
    with closing(
        spread(connection, work, shard_of, parts, "the same command goes on with what is missing")
    ) as arriving:
        for number, found in arriving:
            if found is not None:
                shard, report = found
                _check_here(folder, encoding, shard)
                done(shard, report)
                read_bytes += parts[number].size_bytes
            running.report(read_bytes, total)


def shard_of(work: Work, part: Partition | None) -> tuple[Shard, ReadReport]:
    """Writes one shard. Runs on a worker."""
    assert part is not None
    report = ReadReport()
    with on_worker(work.corpus, part, work.versions) as check:
        return write_shard(work.encoding, work.folder, part, report, check), report


def _check_here(folder: Path, encoding: Encoding, shard: Shard) -> None:
    for path in files_of(folder, shard.name, encoding.layout):
        if not path.exists():
            raise LoadFailed(
                f"a worker wrote {path.name}, and it is not in {folder} on this machine",
                "name a folder that every machine has at the same path, such as one on a shared disk",
            )
