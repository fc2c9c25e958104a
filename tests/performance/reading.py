"""Reading a corpus: rate per format in processor time of one thread, and memory.

    python -m tests.performance.reading [--megabytes 100] [--rounds 5]

Each format is read in a process of its own, which prints medians with their spread; nothing is judged.
"""

import argparse
import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tests.performance.corpus import peak_megabytes

SCRIPTS = {"ASCII": ("a", "z"), "Greek": ("α", "ω")}


def main() -> None:
    """Reads the options and prints a line per format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument("--clean", action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        _read(Path(options.read), options.clean, options.rounds)
        return
    print(f"Reading {options.megabytes:g} MB of text: 10^6 bytes of documents per second of processor time, one thread")
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
        for label, path, steps in _files(Path(folder), options.megabytes * 1e6):
            print(f"  {label:42s}", end="", flush=True)
            words = [word for step in steps for word in ("--clean", step)]
            command = [sys.executable, "-m", "tests.performance.reading", "--read", str(path), *words]
            subprocess.run([*command, "--rounds", str(options.rounds)], check=True)


def _files(folder: Path, size: float) -> list[tuple[str, Path, list[str]]]:
    made = []
    for script, (first, last) in SCRIPTS.items():
        for length in (30, 100, 1000):
            texts = _lines(first, last, length, size)
            path = folder / f"{script}-{length}.txt"
            path.write_text("\n".join(texts), encoding="utf-8")
            made.append((f".txt, {script}, lines of {length} characters", path, []))
    texts = _lines("a", "z", 100, size)
    for name, write in WRITERS.items():
        write(folder / name, texts)
        made.append(
            (f"{Path(name).suffix if name.count('.') == 1 else '.txt.gz'}, ASCII, 100 characters", folder / name, [])
        )
    plain = folder / "ASCII-100.txt"
    for step in ("white_space", "urls", "html", "mojibake", "exact_duplicates"):
        made.append((f".txt, ASCII, 100 characters, {step}", plain, [step]))
    return made


def _lines(first: str, last: str, length: int, size: float) -> list[str]:
    """About `size` bytes of lines of words, the same every time."""
    chance = random.Random(length)
    letters = [chr(point) for point in range(ord(first), ord(last) + 1)] + [" "] * 5
    some = ["".join(chance.choices(letters, k=chance.randint(length // 2, length * 3 // 2))) for _ in range(2000)]
    return [chance.choice(some) for _ in range(int(size / (length * len(first.encode()))))]


def _write_json_lines(path: Path, texts: Sequence[str]) -> None:
    path.write_text("\n".join(json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)))


def _write_csv(path: Path, texts: Sequence[str]) -> None:
    path.write_text("id,text\n" + "\n".join(f'{n},"{text}"' for n, text in enumerate(texts)))


def _write_parquet(path: Path, texts: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": texts}), path, use_dictionary=False, row_group_size=100_000)


def _write_gzip(path: Path, texts: Sequence[str]) -> None:
    path.write_bytes(gzip.compress("\n".join(texts).encode(), 1))


WRITERS: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "a.jsonl": _write_json_lines,
    "a.csv": _write_csv,
    "a.parquet": _write_parquet,
    "a.txt.gz": _write_gzip,
}


def _read(path: Path, steps: list[str], rounds: int) -> None:
    from lab_app.corpora.describe import describe
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    corpus = replace(describe([path]), cleaning=tuple(steps))
    speeds = []
    before = peak_megabytes()
    for _ in range(rounds):
        began, size = time.process_time(), 0
        for part in partitions(corpus):
            size += sum(len(batch.text) for batch in batches(corpus, part))
        size = corpus.bytes if steps else size  # before cleaning
        speeds.append(size / (time.process_time() - began) / 1e6)
    spread = f"({min(speeds):.0f}-{max(speeds):.0f})"
    print(
        f"{statistics.median(speeds):6.0f} {spread:12s} peak {peak_megabytes():.0f} MB, {before:.0f} MB before reading"
    )


if __name__ == "__main__":
    main()
