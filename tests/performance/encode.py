"""Encoding on one thread: this engine, tiktoken (BPE) and Hugging Face tokenizers (WordPiece)."""

import platform
import statistics
import sysconfig
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tiktoken
import tokenizers
from tiktoken_ext import openai_public

from lab_app import paths
from lab_app.engine import Tokenizer
from tests.generators import texts as generated

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "data" / "corpus"

Encode = Callable[[str], object]


def run(rounds: int, megabytes: float) -> None:
    """Prints a table per tokenizer."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("tiktoken", "tokenizers"))
    print(f"Encoding on one thread. {platform.machine()}, Python {platform.python_version()}, {versions}.")
    texts = dict(workloads(int(megabytes * 1e6)))
    for name, encoding in (("gpt2", "r50k_base"), ("cl100k_base", "cl100k_base"), ("o200k_base", "o200k_base")):
        tokenizer = Tokenizer.builtin(name)
        reference = _tiktoken(encoding, tokenizer)
        peers: dict[str, Encode] = {
            "ids": tokenizer.encode_ids,
            "ids and spans": tokenizer.encode_with_spans,
            "tiktoken": reference.encode_ordinary,
        }
        _table(f"{name}, beside tiktoken", texts, peers, "tiktoken", rounds)
    bert = paths.packed() / "bert-base-uncased" / "vocab.txt"
    tokenizer = Tokenizer.from_file(bert)
    reference = tokenizers.BertWordPieceTokenizer(str(bert), lowercase=True)
    peers = {
        "ids": tokenizer.encode_ids,
        "ids and spans": lambda text: tokenizer.encode(text, add_special_tokens=False).span_utf8,
        "tokenizers": lambda text: reference.encode(text, add_special_tokens=False).ids,
    }
    _table("bert-base-uncased, beside tokenizers", texts, peers, "tokenizers", rounds)


def _table(title: str, workloads: dict[str, str], peers: dict[str, Encode], reference: str, rounds: int) -> None:
    print(f"\n{title}: MB/s, median (lowest-highest) of {rounds} rounds, and how many times the reference")
    for workload, text in workloads.items():
        _assert_equal(peers, text, reference)
        size = len(text.encode())
        speeds: dict[str, list[float]] = {name: [] for name in peers}
        for _ in range(rounds):  # in turns, so that a slow moment of the machine hits all alike
            for name, encode in peers.items():
                speeds[name].append(size / _seconds(encode, text) / 1e6)
        base = statistics.median(speeds[reference])
        cells = [
            f"{name} {statistics.median(values):7.1f} ({min(values):.1f}-{max(values):.1f}) {statistics.median(values) / base:6.1f}x"
            for name, values in speeds.items()
        ]
        print(f"  {workload:13s} {' | '.join(cells)}")


def _assert_equal(peers: dict[str, Encode], text: str, reference: str) -> None:
    ours, theirs = np.asarray(peers["ids"](text)), np.asarray(peers[reference](text))
    if not np.array_equal(ours, theirs):
        raise SystemExit(f"the ids differ from those of {reference}: nothing to measure before that is mended")


def _seconds(encode: Encode, text: str) -> float:
    start = time.perf_counter()
    encode(text)
    return time.perf_counter() - start


def workloads(size: int) -> Iterator[tuple[str, str]]:
    """English prose, source code, and text in many scripts; made up where the corpus is not here."""
    library = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    code = "".join(path.read_text(encoding="utf-8", errors="replace") for path in library)
    if CORPUS.is_dir():
        yield "english", _cut(_read("en-prose"), size)
        yield "code", _cut(code, size)
        yield "multilingual", _cut(_read("multilingual"), size)
    else:
        yield "code", _cut(code, size)
        yield "generated", _cut(" ".join(generated(30_000, seed=1)), size)


def _read(folder: str) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted((CORPUS / folder).iterdir()))


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _tiktoken(name: str, tokenizer: Tokenizer) -> tiktoken.Encoding:
    """tiktoken's encoding over the engine's own ranks, so that nothing is downloaded."""
    special = set(tokenizer.special_tokens.values())
    ranks = {token: id for token, id in tokenizer.vocab().items() if id not in special}
    original = openai_public.load_tiktoken_bpe
    openai_public.load_tiktoken_bpe = lambda *args, **kwargs: ranks
    try:
        return tiktoken.Encoding(**getattr(openai_public, name)())
    finally:
        openai_public.load_tiktoken_bpe = original
