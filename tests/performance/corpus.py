"""Counting a corpus: against encoding alone, what each measure costs, threads, and memory: a gigabyte with one tokenizer, a
file of 100 MB with ten.

    python -m tests.performance.corpus [--rounds 9] [--megabytes 4] [--gigabytes 1] [--file-megabytes 100]

Prints ratios of medians with their spread, measured in turns in one run, and judges nothing.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab_app import paths
from lab_app.engine import TALLY_MEASURES, Tally, Tokenizer
from tests.generators import texts as generated

BATCH = 1_000_000
BUILTIN = ("gpt2", "cl100k_base", "o200k_base")
Packed = tuple[bytes, NDArray[np.uint64]]


def main() -> None:
    """Reads the options and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--megabytes", type=float, default=4)
    parser.add_argument("--gigabytes", type=float, default=1)
    parser.add_argument("--file-megabytes", type=float, default=100)
    parser.add_argument("--stream", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--ten", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        _stream(options.gigabytes)
        return
    if options.ten:
        _ten(options.file_megabytes)
        return
    from tests.performance.texts import workloads

    texts = {name: text.splitlines(keepends=True) for name, text in workloads(int(options.megabytes * 1e6))}
    _against_encoding(texts, options.rounds)
    _measures(texts, options.rounds)
    _threads(texts, options.rounds)
    print(f"\nMemory: a process of its own counts {options.gigabytes:g} GB, generated in batches of 1 MB, cl100k_base")
    arguments = ["-m", "tests.performance.corpus", "--stream", "--gigabytes", str(options.gigabytes)]
    sys.stdout.flush()
    subprocess.run([sys.executable, *arguments], check=True)
    print(
        f"\nMemory: ten tokenizers, every measure, a file of {options.file_megabytes:g} MB, on all cores as the lab counts"
    )
    arguments = ["-m", "tests.performance.corpus", "--ten", "--file-megabytes", str(options.file_megabytes)]
    sys.stdout.flush()
    subprocess.run([sys.executable, *arguments], check=True)


def _against_encoding(texts: dict[str, list[str]], rounds: int) -> None:
    print(
        "Counting ids / encode_ids_batch on the same lines: rate, processor time of one thread, median (lowest-highest)"
    )
    for name in BUILTIN:
        tokenizer = Tokenizer.builtin(name)
        for workload, lines in texts.items():
            batches = list(_batches(lines))
            rows = list(_rows(lines))
            tally = Tally([tokenizer], measures=["tokens"])

            runs = [partial(_encode_all, tokenizer, rows), partial(_add_all, tally, batches)]
            size = sum(len(text) for text, _ in batches)
            base, counted = _in_turns(runs, rounds)
            ratios = [a / b for a, b in zip(base, counted, strict=True)]
            speed = size / statistics.median(counted) / 1e6
            print(f"  {name:12s} {workload:13s} {_spread(ratios)} x of encoding, {speed:6.1f} MB/s")


def _measures(texts: dict[str, list[str]], rounds: int) -> None:
    print("\nProcessor time with one more measure / with tokens alone; all: with every measure")
    sets = [["tokens"], *([name] for name in TALLY_MEASURES if name != "tokens"), list(TALLY_MEASURES)]
    bert = paths.packed() / "bert-base-uncased" / "vocab.txt"
    for name in (*BUILTIN[1:], "bert-base"):
        tokenizer = Tokenizer.from_file(bert) if name == "bert-base" else Tokenizer.builtin(name)
        for workload, lines in texts.items():
            batches = list(_batches(lines))
            tallies = [Tally([tokenizer], measures=measures) for measures in sets]
            runs = [partial(_add_all, tally, batches) for tally in tallies]
            base, *others = _in_turns(runs, rounds)
            labels = [*(measures[0] for measures in sets[1:-1]), "all"]
            ratios = [statistics.median(a / b for a, b in zip(other, base, strict=True)) for other in others]
            cells = ", ".join(f"{label} {ratio:.2f}" for label, ratio in zip(labels, ratios, strict=True))
            print(f"  {name:12s} {workload:13s} {cells}")


def _threads(texts: dict[str, list[str]], rounds: int) -> None:
    print(f"\nThreads: rate / that of one thread (wall time; this machine has {os.cpu_count()} cores)")
    tokenizer = Tokenizer.builtin("cl100k_base")
    for workload, lines in texts.items():
        batches = list(_batches(lines))
        tally = Tally([tokenizer], measures=["tokens"])
        counts = [1, 2, 4, 8][: (os.cpu_count() or 1).bit_length()]
        runs = [partial(_add_all, tally, batches, threads) for threads in counts]
        base, *others = _in_turns(runs, rounds, time.perf_counter)
        for threads, other in zip(counts[1:], others, strict=True):
            ratios = [a / b for a, b in zip(base, other, strict=True)]
            print(f"  {workload:13s} {threads} threads {_spread(ratios)}")


def _stream(gigabytes: float) -> None:
    """Counts that much text, made anew for each batch, and prints rate and peak memory."""
    before = peak_megabytes()
    tally = Tally([Tokenizer.builtin("cl100k_base")])
    source = random.Random(1)
    words = [word for text in generated(2000, seed=1) for word in text.split()] + ["the", "of", "count"] * 2000
    size, seconds = 0, 0.0
    halfway = None
    while size < gigabytes * 1e9:
        lines = [" ".join(source.choices(words, k=20)).encode() for _ in range(BATCH // 100)]
        began = time.process_time()
        tally.add(b"".join(lines), np.cumsum([len(line) for line in lines], dtype=np.uint64))
        seconds += time.process_time() - began
        size += sum(map(len, lines))
        if halfway is None and size > gigabytes * 5e8:
            halfway = peak_megabytes()
    print(f"  {tally.documents:,} documents, {size / 1e6:,.0f} MB at {size / seconds / 1e6:.1f} MB/s with all measures")
    print(
        f"  peak {before:.0f} MB before the tokenizer is loaded, {halfway or before:.0f} MB at half, {peak_megabytes():.0f} MB in the end"
    )


def _ten(megabytes: float) -> None:
    """Counts a file with ten tokenizers, and prints rate and peak memory."""
    from lab_app.corpora.describe import describe
    from lab_app.services.analyses.analyses import AnalysisOptions, Subject, run_analysis

    tokenizers = [Tokenizer.builtin(name) for name in (*BUILTIN, "p50k_base", "r50k_base", "o200k_harmony")]
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
        tokenizers.append(Tokenizer.from_file(paths.packed() / "bert-base-uncased" / "vocab.txt"))
        for number in (0, 1, 6):  # the same through their stages
            tokenizers[number].to_file(Path(folder) / "tokenizer.json")
            tokenizers.append(Tokenizer.from_file(Path(folder) / "tokenizer.json"))
        path = Path(folder) / "corpus.txt"
        chance = random.Random(1)
        lines = [" ".join(text.replace("\0", "").split()) for text in generated(5000, seed=1)]
        with path.open("w", encoding="utf-8") as file:
            while file.tell() < megabytes * 1e6:
                file.writelines(f"{number} {line}\n" for number, line in enumerate(chance.choices(lines, k=5000)))
        subjects = [Subject(str(number), str(number), None, each) for number, each in enumerate(tokenizers)]
        before, began = peak_megabytes(), time.process_time()
        found = run_analysis(describe([path]), subjects, AnalysisOptions()).result
        seconds = time.process_time() - began
    speed = found.corpus.bytes * len(tokenizers) / seconds / 1e6
    print(f"  {found.corpus.documents:,} documents; {speed:.1f} MB/s for each tokenizer and core")
    print(
        f"  peak {before:.0f} MB with the tokenizers loaded, {peak_megabytes():.0f} MB in the end, {os.cpu_count()} cores"
    )


def peak_megabytes() -> float:
    """The most memory this process has had, in 10^6 bytes."""
    import resource

    status = Path("/proc/self/status")
    if status.is_file():  # what getrusage says there includes the process that started this one
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def _encode_all(tokenizer: Tokenizer, rows: list[list[str]]) -> None:
    for row in rows:
        tokenizer.encode_ids_batch(row, threads=1)


def _add_all(tally: Tally, batches: list[Packed], threads: int = 1) -> None:
    for text, ends in batches:
        tally.add(text, ends, threads=threads)


def _rows(lines: Sequence[str]) -> Iterator[list[str]]:
    row: list[str] = []
    size = 0
    for line in lines:
        row.append(line)
        size += len(line.encode())
        if size >= BATCH:
            yield row
            row, size = [], 0
    if row:
        yield row


def _batches(lines: Sequence[str]) -> Iterator[Packed]:
    for row in _rows(lines):
        data = [line.encode() for line in row]
        yield b"".join(data), np.cumsum([len(part) for part in data], dtype=np.uint64)


def _in_turns(
    runs: Sequence[Callable[[], object]], rounds: int, clock: Callable[[], float] = time.process_time
) -> list[list[float]]:
    """Seconds by run and round, after one round that warms caches up."""
    seconds: list[list[float]] = [[] for _ in runs]
    for number in range(rounds + 1):
        for run, of_run in zip(runs, seconds, strict=True):
            start = clock()
            run()
            if number:
                of_run.append(clock() - start)
    return seconds


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):5.2f} ({min(values):.2f}-{max(values):.2f})"


if __name__ == "__main__":
    main()
