"""Counting on a local cluster: two workers against one, and what returns over the network.

    python -m tests.performance.cluster [--megabytes 500] [--rounds 5]

Prints ratios of medians with their spread, measured in turns in one run, and judges nothing. Wall time means nothing on a busy
machine, so the processor time of the workers is printed as well: two workers should need as much as one.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lab_app.analysis.corpus.counting import CountOptions, to_bytes
from lab_app.cluster import counting
from lab_app.cluster.connection import Connection, local
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.engine import Tokenizer
from tests.performance.texts import workloads

BLOCK_BYTES = 4_000_000
TOKENIZER = "o200k_base"


@dataclass(frozen=True)
class Run:
    """Seconds of one count: on the clock, of the processors of all workers, of this process with the scheduler."""

    wall_s: float
    workers_s: float
    here_s: float
    counts_bytes: int
    """Of the counts of the whole corpus, as they travel; those of a partition are no more."""


def main() -> None:
    """Reads the options and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    print(f"Counting {options.megabytes:g} MB with {TOKENIZER}, all measures; {os.cpu_count()} cores, {load}")
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder, ExitStack() as stack:
        corpus = _corpus(Path(folder) / "text.txt", options.megabytes * 1e6)
        clusters = [stack.enter_context(local(workers)) for workers in (1, 2)]
        runs: list[list[Run]] = [[] for _ in clusters]
        for number in range(options.rounds + 1):
            for cluster, of_cluster in zip(clusters, runs, strict=True):
                run = _run(cluster, corpus)
                if number:  # the first round warms caches up
                    of_cluster.append(run)
    _print(corpus, runs)


def _print(corpus: Corpus, runs: Sequence[Sequence[Run]]) -> None:
    one, two = runs
    for workers, of_cluster in enumerate(runs, 1):
        wall = [corpus.bytes / each.wall_s / 1e6 for each in of_cluster]
        processor = [corpus.bytes / each.workers_s / 1e6 for each in of_cluster]
        here = statistics.median(each.here_s for each in of_cluster)
        print(
            f"  {workers} worker{'s'[: workers - 1]}: {_spread(wall)} MB/s on the clock,"
            f" {_spread(processor)} MB per second of the workers' processor time; {here:.2f} s here, with the scheduler"
        )
    print(f"  two workers / one, on the clock: {_spread([a.wall_s / b.wall_s for a, b in zip(one, two, strict=True)])}")
    times = [b.workers_s / a.workers_s for a, b in zip(one, two, strict=True)]
    print(f"  two workers / one, processor time of the workers: {_spread(times)}")
    print(f"  the counts of a partition have at most {one[0].counts_bytes / 1e3:.0f} kB")


def _run(cluster: Connection, corpus: Corpus) -> Run:
    tokenizer = Tokenizer.builtin(TOKENIZER)
    before, here, start = _processor_s(cluster), time.process_time(), time.perf_counter()
    found = counting.count(cluster, corpus, [tokenizer], CountOptions())
    wall_s, here_s = time.perf_counter() - start, time.process_time() - here
    return Run(wall_s, _processor_s(cluster) - before, here_s, len(to_bytes(found)))


def _processor_s(cluster: Connection) -> float:
    return float(sum(cluster.client.run(time.process_time).values()))


def _corpus(path: Path, size: float) -> Corpus:
    """Lines of prose, code and many scripts in random order, again and again."""
    lines = [line for _, text in workloads(BLOCK_BYTES) for line in text.splitlines() if line]
    random.Random(1).shuffle(lines)
    block = "".join(line + "\n" for line in lines).encode()
    with path.open("wb") as file:
        while (left := int(size) - file.tell()) > 0:
            file.write(block[:left])
    return describe([path])


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


if __name__ == "__main__":
    main()
