"""`python -m tests.performance.train`: training beside other libraries, its threads and memory, and time against size.

Each run is a process of its own: it reads the text, then trains, and reports the time of the training call and the most memory
it held above the loaded text. Rounds are interleaved. Byte-level BPE splits by the same pattern in all libraries. Libraries
that are not installed are left out. `--linear` trains on growing texts instead. Not here: word counts on a cluster (`cluster`).
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
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lab_app.benchmarks.environment import environment
from lab_app.training.options import CL100K, resolved

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "data" / "corpus"
JOBS = {"bpe": ("tokenlab", "tokenizers", "rustbpe"), "wordpiece": ("tokenlab", "tokenizers")}
JOBS["unigram"] = ("tokenlab", "tokenizers", "sentencepiece")
PACKAGES = {
    "tokenlab": "tokenization-lab",
    "tokenizers": "tokenizers",
    "rustbpe": "rustbpe",
    "sentencepiece": "sentencepiece",
}
LIMIT_S = 900


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithms", default="bpe,wordpiece,unigram")
    parser.add_argument("--vocab-sizes", default="8192,32768")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=18)
    parser.add_argument("--linear", metavar="MEGABYTES", help="sizes of text, such as 2,20,200,1000")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(json.loads(options.child))
        return
    card = environment()
    print(f"Training. {card.cpu}, {card.logical_cpus} CPUs, load {card.load_average}, {card.python}, {_versions()}.")
    with tempfile.TemporaryDirectory() as folder:
        if options.linear:
            linear(Path(folder), [float(size) for size in options.linear.split(",")])
            return
        for algorithm in options.algorithms.split(","):
            size = 6.0 if algorithm == "unigram" else options.megabytes
            text = written(Path(folder), min(size, options.megabytes))
            for vocab_size in (8192,) if algorithm == "unigram" else map(int, options.vocab_sizes.split(",")):
                beside(algorithm, vocab_size, text, options)


def beside(algorithm: str, vocab_size: int, text: Path, options: argparse.Namespace) -> None:
    """Prints a row per library and number of threads."""
    cases = [(library, int(count)) for library in JOBS[algorithm] for count in options.threads.split(",")]
    times: dict[tuple[str, int], list[dict[str, float]]] = {case: [] for case in cases}
    for _ in range(options.rounds):  # in turns, so that a slow moment of the machine hits all alike
        for case in list(times):
            found = measured(
                {
                    "library": case[0],
                    "algorithm": algorithm,
                    "vocab_size": vocab_size,
                    "threads": case[1],
                    "text": str(text),
                }
            )
            if found is None:
                del times[case]
            else:
                times[case].append(found)
    megabytes = text.stat().st_size / 1e6
    print(f"\n{algorithm}, {vocab_size} tokens, {megabytes:.1f} MB, median (lowest-highest) of {options.rounds}")
    own = {threads: _median(times[library, threads], "seconds") for library, threads in times if library == "tokenlab"}
    for (library, threads), rows in times.items():
        seconds = [row["seconds"] for row in rows]
        ratio = statistics.median(seconds) / own[threads] if threads in own else float("nan")
        counting = f", counting {_median(rows, 'counting'):.2f} s" if "counting" in rows[0] else ""
        print(
            f"  {library:14s} {threads} thread{'s' if threads > 1 else ' '} {statistics.median(seconds):7.2f} s "
            f"({min(seconds):.2f}-{max(seconds):.2f}), tokenlab is {ratio:5.1f} x as fast, "
            f"{_median(rows, 'memory') / 1e6:5.0f} MB over the text, {rows[0]['tokens']:.0f} tokens{counting}"
        )


def linear(folder: Path, sizes: list[float]) -> None:
    """Prints time and memory of `tokenlab` for growing texts, read from a file by the lab's own reader."""
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
        print(
            f"  {text.stat().st_size / 1e6:7.1f} MB {found['seconds']:7.2f} s, {found['seconds'] / text.stat().st_size * 1e9:6.1f} s/GB, "
            f"{found['peak'] / 1e6:5.0f} MB in all"
        )


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
        words = engine.WordCounter(options)
        words.add(documents, threads=job["threads"])
        counting = time.perf_counter() - start
        trainer = engine.Trainer(options, words)
        while not json.loads(trainer.run(2**30, 600_000))["finished"]:
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
    if CORPUS.is_dir():
        files = sorted(each for name in ("en-prose", "multilingual") for each in (CORPUS / name).iterdir())
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


def _versions() -> str:
    found = []
    for name, package in PACKAGES.items():
        try:
            found.append(f"{name} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return ", ".join(found)


if __name__ == "__main__":
    main()
