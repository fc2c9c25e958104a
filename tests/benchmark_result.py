"""A result of a benchmark by hand, with a row in every state: the example that screens, exports and reports share.

`tests/golden/benchmark_result.json` is this result as JSON. `python -m tests.benchmark_result` writes it again.
"""

import json
import math
from pathlib import Path

from lab_app.benchmarks.growth_result import CacheCounts, SlowestDocument, StageTimes
from lab_app.benchmarks.options import FEWEST_ROUNDS
from lab_app.benchmarks.result import (
    BenchmarkResult,
    BenchmarkRow,
    BenchmarkSettings,
    Environment,
    Exactness,
    FirstDifference,
    Latency,
    Noise,
    Ratio,
    Subject,
    TextFacts,
    TextSource,
    Throughput,
)
from lab_app.json_text import json_text

GOLDEN = Path(__file__).resolve().parent / "golden" / "benchmark_result.json"
BYTES = 998_121
ROUNDS = 15

ENGINES = (
    "tiktoken",
    "tokenlab",
    "alpha",
    "tokenizers",
    "tokie",
    "beta",
    "sentencepiece",
    "gamma",
    "delta",
)


def samples(mb_per_s: float, rounds: int = ROUNDS) -> list[int | None]:
    """Times of one pass around a median, with a slow round, and None after the rounds that were measured."""
    wobble = [1 + 0.02 * math.sin(7 * n) + (0.25 if n == 5 else 0) for n in range(rounds)]
    return [round(BYTES / mb_per_s * 1000 * each) for each in wobble] + [None] * (ROUNDS - rounds)


def measured(engine: str, version: str, mb_per_s: float, rank: int | None, **more: object) -> BenchmarkRow:
    """A row with all figures. The baseline has 12.5 MB/s."""
    times = 1 if engine == "tiktoken" else mb_per_s / 12.5
    rounds = FEWEST_ROUNDS if mb_per_s < 2 else ROUNDS
    pass_ns = BYTES / mb_per_s * 1000
    values: dict[str, object] = {
        "state": "ok",
        "read_from": "its own cl100k_base.tiktoken",
        "rank": rank,
        "exactness": Exactness("tiktoken", 487, 0, None),
        "throughput_mb_per_s": Throughput(
            mb_per_s, mb_per_s * 0.985, mb_per_s * 1.012, mb_per_s * 0.79, mb_per_s * 1.03, 0.027, rounds
        ),
        "ratio": None if engine == "tiktoken" else Ratio(times, times * 0.97, times * 1.04, differs=True),
        "documents_per_s": None,
        "latency_ns": Latency(*(round(pass_ns / 487 * factor) for factor in (1, 1.6, 2.4, 5.1)), calls=1461),
        "import_ns": 31_200_000,
        "load_ns": 212_400_000,
        "first_call_ns": round(pass_ns / 487 * 9),
        "loaded_bytes": 48_300_032,
        "resident_bytes": 61_214_720,
        "peak_bytes": 74_911_744,
        "tokens": 240_737,
        "bytes_per_token": BYTES / 240_737,
        "cores_used": 0.99,
        "calls_per_sample": max(1, round(50e6 / pass_ns)),
        "samples_ns": samples(mb_per_s, rounds),
        "slowest_documents": [
            SlowestDocument(
                211, 4120, 1604, round(pass_ns / 487 * 5), "— — — 12 345 678 901 234 567 890 —\n" * 3, False
            ),
            SlowestDocument(17, 2048, 812, round(pass_ns / 487 * 3), "日本語のとても長い文。" * 20, False),
        ],
    }
    return BenchmarkRow(
        key=Subject("cl100k_base", engine).key,
        engine=engine,
        engine_version=version,
        tokenizer="cl100k_base",
        tokenizer_sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        **{**values, **more},  # type: ignore[arg-type]
    )


def without(engine: str, version: str | None, state: str, message: str, **more: object) -> BenchmarkRow:
    """A row without figures."""
    return BenchmarkRow(
        key=Subject("cl100k_base", engine).key,
        engine=engine,
        engine_version=version,
        tokenizer="cl100k_base",
        tokenizer_sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        state=state,  # type: ignore[arg-type]
        message=message,
        **more,  # type: ignore[arg-type]
    )


def benchmark_result() -> BenchmarkResult:
    """Nine engines on one text: four measured, of which one is inexact, and one in each other state."""
    difference = FirstDifference(3, 412, 29000, 1432, "… <|endoftext|> …")
    settings = BenchmarkSettings(
        subjects=[Subject("cl100k_base", engine) for engine in ENGINES],
        source=TextSource("corpus", "great_expectations"),
        baseline="cl100k_base/tiktoken",
        rounds=ROUNDS,
    )
    return BenchmarkResult(
        id=12,
        title="All installed engines on Great Expectations",
        created_at="2026-05-14T09:26:53+00:00",
        state="done",
        settings=settings,
        command=(
            "tokenlab bench -t cl100k_base --against " + ",".join(ENGINES) + " --corpus great_expectations"
            " --mode warm --shape whole --output ids --threads 1 --rounds 15 --seed 0"
        ),
        environment=Environment(
            cpu="AMD EPYC 9B14",
            cores=1,
            logical_cpus=2,
            usable_cpus=2,
            pinned_cpus=[1],
            governor=None,
            frequency_mhz=2595.1,
            load_average=2.2,
            memory_bytes=8_228_900_864,
            system="Linux 6.8.0 x86_64",
            python="CPython 3.11.7",
            lab="0.1.0",
            commit="334dad5f2c1b",
            build="release, lto, codegen-units 1",
            clock="perf_counter (CLOCK_MONOTONIC)",
            clock_resolution_ns=1,
            warnings=["The load average is 2.2 on 2 CPUs: other programs were running."],
        ),
        noise=Noise(
            50, 0.054, 0.42, "Equal work varied by 5.4 %. Close other programs; do not rely on smaller differences."
        ),
        text=TextFacts(
            title="Great Expectations",
            sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            bytes=BYTES,
            characters=985_334,
            documents=487,
            left_out_bytes=0,
        ),
        baseline="cl100k_base/tiktoken",
        rows=[
            measured("tiktoken", "0.14.0", 12.5, 2, read_from="its own cl100k_base.tiktoken, with its own pattern"),
            measured(
                "tokenlab",
                "0.1.0",
                470.0,
                1,
                stages=StageTimes(
                    tokenizer="cl100k_base",
                    path="fast",
                    texts=1,
                    bytes=BYTES,
                    tokens=240_737,
                    rounds=9,
                    normalizer_ns=None,
                    pretokenizer_ns=820_000,
                    model_ns=1_140_000,
                    postprocessor_ns=None,
                    output_ns=190_000,
                    total_ns=2_150_000,
                    fused=[],
                    absent=["normalizer", "postprocessor"],
                    cache=CacheCounts(188_412, 9_204),
                    same_ids=True,
                    problem=None,
                ),
            ),
            measured(
                "alpha",
                "0.10.0",
                533.7,
                None,
                state="inexact",
                message="3 of 487 documents have other IDs than tiktoken: its figures do not count.",
                exactness=Exactness("tiktoken", 487, 3, difference),
            ),
            measured("tokenizers", "0.23.3", 1.7, 3, read_from="a tokenizer.json that the lab wrote from its files"),
            without("tokie", None, "missing", "tokie is not installed.", install="pip install tokie"),
            without(
                "beta",
                "0.3.1",
                "failed",
                "It crashed with signal 11 (SIGSEGV).",
                output="thread 'main' has overflowed its stack",
            ),
            without(
                "sentencepiece",
                "0.2.1",
                "unsupported",
                "sentencepiece reads .model files, and this tokenizer has none.",
            ),
            without("gamma", "0.10.1", "timed_out", "One pass took longer than 60 s. The process was ended."),
            measured(
                "delta",
                "0.1.0",
                1.9,
                None,
                state="cancelled",
                message="The run was cancelled before it was measured.",
                throughput_mb_per_s=None,
                ratio=None,
                documents_per_s=None,
                latency_ns=None,
                peak_bytes=None,
                cores_used=None,
                calls_per_sample=None,
                samples_ns=None,
                slowest_documents=None,
            ),
        ],
        rounds_done=ROUNDS,
        elapsed_s=41.7,
        notes=["cl100k_base/tokenizers took part in 5 of 15 rounds, since one pass takes 0.6 s."],
    )


def golden_text() -> str:
    """The result as JSON, to read and to keep."""
    return json.dumps(json.loads(json_text(benchmark_result())), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
