"""`python -m tests.performance.train`: training beside other libraries, its threads and memory, and time against size.

Each run is a process of its own: it reads the text, then trains, and reports the time of the training call and the most memory
it held above the loaded text. Counting is measured by itself, until the counts of all threads are in one table. Rounds are interleaved. Byte-level BPE splits by the same pattern in all libraries but
gigatoken, which has its own. Libraries that are not installed are shown as such. `--linear` trains on growing texts instead. Writes `training.json` into the folder of
`--out`, of which `tests.performance.engine.page` makes the page. Not here: word counts on a cluster (`cluster`).
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lab_app.benchmarks.environment import environment
from lab_app.benchmarks.speed import noise
from lab_app.memory import give_back_large_blocks
from lab_app.training.options import CL100K, resolved
from lab_app.training.run import STEPS_AT_ONCE
from tests.performance.engine.page import training_lines
from tests.performance.texts import ROOT, shared_data

OURS = "tokenlab"
JOBS = {"bpe": ("tokenlab", "tokenizers", "rustbpe", "gigatoken"), "wordpiece": ("tokenlab", "tokenizers")}
JOBS["unigram"] = ("tokenlab", "tokenizers", "sentencepiece")
PACKAGES = {
    "tokenlab": "tokenization-lab",
    "tokenizers": "tokenizers",
    "rustbpe": "rustbpe",
    "gigatoken": "gigatoken",
    "sentencepiece": "sentencepiece",
}
FLOORS = {
    ("bpe", "tokenizers"): 7.0,
    ("bpe", "rustbpe"): 2.8,
    ("bpe", "gigatoken"): 2.0,
    ("wordpiece", "tokenizers"): 6.0,
    ("unigram", "sentencepiece"): 3.0,
    ("unigram", "tokenizers"): 20.0,
}
"""How many times as fast as a library training must be, on one thread."""
PARALLEL = 1.6
"""How many times as fast counting on two threads must be."""
MEMORY = 60e6
"""Bytes over the loaded text that training BPE may take."""
LIMIT_S = 900


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", default="bpe,wordpiece,unigram")
    parser.add_argument("--vocab-sizes", default="8192,32768")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=18)
    parser.add_argument("--linear", metavar="MEGABYTES", help="sizes of text, such as 2,20,200,1000")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "bench", help="folder (default target/bench)")
    parser.add_argument("--peers", nargs="*", default=[str(ROOT / ".venv" / "peers")], help="folders of libraries")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(json.loads(options.child))
        return
    sys.path.extend(options.peers)
    began, card = time.monotonic(), environment()
    result: dict[str, Any] = {
        "environment": asdict(card),
        "noise_spread": noise.measure().spread,
        "versions": {name: _version(package) for name, package in PACKAGES.items()},
        "settings": {"rounds": options.rounds, "megabytes": options.megabytes},
        "trainings": [],
        "linear": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        if options.linear:
            result["linear"] = list(linear(Path(folder), [float(size) for size in options.linear.split(",")]))
        else:
            for algorithm in options.algorithms.split(","):
                size = 6.0 if algorithm == "unigram" else options.megabytes
                text = written(Path(folder), min(size, options.megabytes))
                for vocab_size in (8192,) if algorithm == "unigram" else map(int, options.vocab_sizes.split(",")):
                    result["trainings"].append(beside(algorithm, vocab_size, text, options))
    result["elapsed_s"] = time.monotonic() - began
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / ("training-linear.json" if options.linear else "training.json")
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print("\n".join(training_lines(result)))
    print(f"\nWritten: {path}")


def beside(algorithm: str, vocab_size: int, text: Path, options: argparse.Namespace) -> dict[str, Any]:
    """A row per library and number of threads, then what counting on two threads and memory say."""
    cases = [(library, int(count)) for library in JOBS[algorithm] for count in options.threads.split(",")]
    times: dict[tuple[str, int], list[dict[str, float]]] = {case: [] for case in cases}
    absent = set()
    for _ in range(options.rounds):  # in turns, so that a slow moment of the machine hits all alike
        for case in cases:
            if case[0] in absent:
                continue
            job = {
                "library": case[0],
                "algorithm": algorithm,
                "vocab_size": vocab_size,
                "threads": case[1],
                "text": str(text),
                "folders": options.peers,
            }
            found = measured(job)
            if found is None:
                absent.add(case[0])
            else:
                times[case].append(found)
    rows = [training_row(algorithm, library, threads, times) for library, threads in cases]
    title = f"{algorithm}, {vocab_size} tokens, {text.stat().st_size / 1e6:.1f} MB, {options.rounds} rounds"
    print(f"{title}: measured", file=sys.stderr)
    return {"title": title, "rows": rows}


def training_row(
    algorithm: str, library: str, threads: int, times: dict[tuple[str, int], list[dict[str, float]]]
) -> dict[str, Any]:
    """One row of the page: a library beside ours on as many threads; ours beside itself on one thread, and its memory."""
    rows = times[library, threads]
    if not rows:
        return {"library": library, "threads": threads, "seconds": None}
    seconds = [row["seconds"] for row in rows]
    ratio, floor = None, None
    if library != OURS:
        own = times.get((OURS, threads))
        ratio = statistics.median(seconds) / _median(own, "seconds") if own else None
        floor = FLOORS.get((algorithm, library)) if threads == 1 else None
    elif threads == 2 and times.get((OURS, 1)):
        ratio = _median(times[OURS, 1], "counting") / _median(rows, "counting")
        floor = PARALLEL
    words = None if floor is None else f"at least {floor:g} x" + (" in counting" if library == OURS else "")
    met = None if ratio is None or floor is None else ratio >= floor
    short_by = 1 - ratio / floor if ratio is not None and floor is not None and not met else None
    if library == OURS and threads == 1 and algorithm == "bpe":
        words = f"at most {MEMORY / 1e6:g} MB over the text"
        met = _median(rows, "memory") <= MEMORY
        short_by = None if met else _median(rows, "memory") / MEMORY - 1
    return {
        "library": library,
        "threads": threads,
        "seconds": statistics.median(seconds),
        "lowest": min(seconds),
        "highest": max(seconds),
        "counting": _median(rows, "counting") if library == OURS else None,
        "memory": _median(rows, "memory"),
        "tokens": round(rows[0]["tokens"]),
        "ratio": ratio,
        "floor": words,
        "outcome": "none" if met is None else "met" if met else "missed",
        "short_by": short_by,
    }


def linear(folder: Path, sizes: list[float]) -> Iterator[dict[str, float]]:
    """Time and memory of `tokenlab` for growing texts, read from a file by the lab's own reader."""
    for size in sizes:
        text = written(folder, size)
        found = measured(
            {
                "library": "tokenlab-file",
                "algorithm": "bpe",
                "vocab_size": 8192,
                "threads": os.cpu_count() or 1,
                "text": str(text),
            }
        )
        assert found is not None
        yield {"bytes": text.stat().st_size, "seconds": found["seconds"], "peak": found["peak"]}
        text.unlink()


def measured(job: dict[str, Any]) -> dict[str, float] | None:
    """One run in a process of its own; None if its library is not installed."""
    environ = os.environ | {"RAYON_NUM_THREADS": str(job["threads"]), "TOKENIZERS_PARALLELISM": "true"}
    command = [sys.executable, "-m", "tests.performance.train", "--child", json.dumps(job)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if done.returncode == 3:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def child(job: dict[str, Any]) -> None:
    """Trains once and prints the figures."""
    sys.path.extend(job.get("folders", []))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: job["threads"]])
    text = "" if job["library"] in ("tokenlab-file", "sentencepiece") else Path(job["text"]).read_text("utf-8")
    try:
        train = TRAINERS[job["library"]](text, job)
    except ImportError:
        raise SystemExit(3) from None
    before = _resident()
    start = time.perf_counter()
    tokens, more = train()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "memory": peak - before, "peak": peak, "tokens": tokens} | more))


Run = Callable[[], tuple[int, dict[str, float]]]


def _options(job: dict[str, Any]) -> Any:
    preset = {"bpe": "cl100k", "wordpiece": "bert", "unigram": "t5"}[job["algorithm"]]
    return resolved(preset, {"vocab_size": job["vocab_size"], "min_frequency": 1 if job["algorithm"] == "bpe" else 2})


def _ours(text: str, job: dict[str, Any]) -> Run:
    from lab_app import engine

    documents, options = _documents(text), _options(job).as_json()

    def run() -> tuple[int, dict[str, float]]:
        start = time.perf_counter()
        give_back_large_blocks()  # as `Run` does
        words = engine.WordCounter(options)
        words.add(documents, threads=job["threads"])
        assert words.unique  # brings the counts of all threads together
        counting = time.perf_counter() - start
        trainer = engine.Trainer(options, words)
        del words
        while not json.loads(trainer.run(STEPS_AT_ONCE, 600_000))["finished"]:
            pass
        return trainer.tokenizer().vocab_size, {"counting": counting}

    return run


def _ours_from_file(_text: str, job: dict[str, Any]) -> Run:
    from lab_app.training import train_bpe

    train_bpe(["so that what it imports is not timed"])
    return lambda: (train_bpe(job["text"], _options(job)).vocab_size, {})


def _tokenizers(text: str, job: dict[str, Any]) -> Run:
    import tokenizers as library
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

    documents, size = _documents(text), job["vocab_size"]
    trainer: Any
    if job["algorithm"] == "bpe":
        tokenizer = Tokenizer(models.BPE())
        split = pre_tokenizers.Split(Regex(CL100K), "isolated")
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=size, show_progress=False, initial_alphabet=alphabet)
    elif job["algorithm"] == "wordpiece":
        bert = library.BertWordPieceTokenizer(lowercase=True)

        def run_bert() -> tuple[int, dict[str, float]]:
            bert.train_from_iterator(documents, vocab_size=size, show_progress=False)
            return bert.get_vocab_size(), {}

        return run_bert
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=size, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
        )

    def run() -> tuple[int, dict[str, float]]:
        tokenizer.train_from_iterator(documents, trainer)
        return tokenizer.get_vocab_size(), {}

    return run


def _rustbpe(text: str, job: dict[str, Any]) -> Run:
    import rustbpe  # type: ignore[import-not-found]

    documents, tokenizer = _documents(text), rustbpe.Tokenizer()

    def run() -> tuple[int, dict[str, float]]:
        tokenizer.train_from_iterator(iter(documents), job["vocab_size"], pattern=CL100K)
        return len(tokenizer.get_mergeable_ranks()), {}

    return run


def _gigatoken(_text: str, job: dict[str, Any]) -> Run:
    import gigatoken  # type: ignore[import-not-found]

    return lambda: (len(gigatoken.train_bpe(job["text"], job["vocab_size"], [])[0]), {})


def _sentencepiece(_text: str, job: dict[str, Any]) -> Run:
    import io

    import sentencepiece

    def run() -> tuple[int, dict[str, float]]:
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            input=job["text"],
            model_writer=model,
            model_type="unigram",
            vocab_size=job["vocab_size"],
            num_threads=job["threads"],
            input_sentence_size=0,
            max_sentence_length=1 << 20,
            minloglevel=2,
        )
        return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue()).get_piece_size(), {}

    return run


TRAINERS: dict[str, Callable[[str, dict[str, Any]], Run]] = {
    "tokenlab": _ours,
    "tokenlab-file": _ours_from_file,
    "tokenizers": _tokenizers,
    "rustbpe": _rustbpe,
    "gigatoken": _gigatoken,
    "sentencepiece": _sentencepiece,
}


def written(folder: Path, megabytes: float) -> Path:
    """A text of that size: the multilingual and English corpus beside the checkout, or the practice corpus, repeated with
    changes of case, so that a large text has more different words than a small one."""
    path = folder / f"{megabytes:g}.txt"
    size, number = round(megabytes * 1e6), 0
    texts = _texts()
    with path.open("w", encoding="utf-8") as stream:
        while stream.tell() < size:
            for text in texts:
                changed = (
                    text if number == 0 else "".join(f"{line} {number}\n" for line in text.swapcase().splitlines())
                )
                stream.write(changed.encode()[: max(size - stream.tell(), 0)].decode(errors="ignore"))
            number += 1
    return path


def _texts() -> list[str]:
    data = shared_data()
    if data is not None:
        folders = [data / "corpus" / name for name in ("en-prose", "multilingual")]
        files = sorted(each for folder in folders for each in folder.iterdir())
        return [file.read_text("utf-8") for file in files if file.is_file()]
    from lab_app.training.sources import practice_text

    corpus: Any = practice_text("python").sources[0]
    return [Path(file.path).read_text("utf-8", "replace") for file in corpus.files]


def _documents(text: str) -> list[str]:
    """About 4,000 characters each, whole lines."""
    found: list[str] = []
    lines: list[str] = []
    size = 0
    for line in text.splitlines(keepends=True):
        lines.append(line)
        size += len(line)
        if size >= 4000:
            found.append("".join(lines))
            lines, size = [], 0
    return [*found, "".join(lines)] if lines else found


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _median(rows: list[dict[str, float]], name: str) -> float:
    return statistics.median(row[name] for row in rows)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
