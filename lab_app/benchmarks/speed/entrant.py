"""One subject during a run: its process, what was measured so far, and the row of the result it becomes.

Not here: what is asked when (`runner`).
"""

from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from lab_app.benchmarks.growth_result import StageTimes
from lab_app.benchmarks.options import FEWEST_ROUNDS
from lab_app.benchmarks.process import Session, SubjectEnded
from lab_app.benchmarks.result import BenchmarkRow, Exactness, RowState, Subject
from lab_app.benchmarks.slow_documents import slowest_documents
from lab_app.benchmarks.speed import statistics
from lab_app.benchmarks.speed.workload import Workload
from lab_app.peers.peer import TokenizerFiles

SLOWEST = 5


@dataclass
class Entrant:
    """`module` is the adapter of the engine. `state` is `ok` until something happens to it."""

    subject: Subject
    module: str
    files: TokenizerFiles
    version: str | None
    tokenizer_sha256: str | None = None
    state: RowState = "ok"
    message: str | None = None
    install: str | None = None
    output: str | None = None
    session: Session | None = None
    loaded: dict[str, Any] = field(default_factory=dict)
    """The answers to `load` and `first`."""
    digests: list[str] = field(default_factory=list)
    part_tokens: list[int] = field(default_factory=list)
    exactness: Exactness | None = None
    calls: int = 1
    rounds: frozenset[int] = frozenset()
    """The rounds it takes part in."""
    pass_ns: int = 0
    """Time of one pass, before the rounds."""
    samples_ns: dict[int, int] = field(default_factory=dict)
    """By round."""
    cpu_ns: dict[int, int] = field(default_factory=dict)
    latency_ns: list[list[int]] = field(default_factory=list)
    """Per pass, the time of each document."""
    document_tokens: list[int] = field(default_factory=list)
    stages: StageTimes | None = None

    @property
    def key(self) -> str:
        """Of its row."""
        return self.subject.key

    @property
    def runs(self) -> bool:
        """Whether it is still measured. An inexact one is, so that its row shows what its errors are worth."""
        return self.state in ("ok", "inexact")

    def failed(self, error: SubjectEnded) -> None:
        """Takes it out of the run."""
        words = str(error)
        self.state = error.state
        self.message = f"{words[:1].upper()}{words[1:]}."
        if self.session is not None:
            self.session.end()
            self.output = None if error.state == "unsupported" else self.session.output()
            self.session = None

    def samples(self, rounds: int) -> list[int | None]:
        """The time of one pass in each round; None for a round without it."""
        return [self.samples_ns.get(number) for number in range(rounds)]


def row(
    entrant: Entrant, baseline: Entrant | None, workload: Workload, part_bytes: list[int], rounds: int, seed: int
) -> BenchmarkRow:
    """The row of an entrant as far as it was measured. `part_bytes` is the text of each round."""
    values: dict[str, Any] = {
        "key": entrant.key,
        "engine": entrant.subject.engine,
        "engine_version": entrant.version,
        "tokenizer": entrant.subject.tokenizer,
        "tokenizer_sha256": entrant.tokenizer_sha256,
        "state": entrant.state,
        "message": entrant.message,
        "output": entrant.output,
        "install": entrant.install,
        "exactness": entrant.exactness,
        **{name: entrant.loaded.get(name) for name in LOADED},
    }
    tokens = sum(entrant.part_tokens)
    if tokens:
        values |= {"tokens": tokens, "bytes_per_token": workload.bytes / tokens}
    if entrant.runs and len(entrant.samples_ns) >= FEWEST_ROUNDS:
        values |= _speed(entrant, baseline, workload, part_bytes, rounds, seed)
    elif entrant.runs:
        values |= {"state": "cancelled", "message": "The run ended before it was measured."}
    if entrant.runs and entrant.latency_ns:
        times = np.asarray(entrant.latency_ns, np.int64)
        values["latency_ns"] = statistics.latency(times.ravel())
        medians = np.median(times, axis=0)
        places = np.argsort(-medians, kind="stable")[:SLOWEST]
        values["slowest_documents"] = slowest_documents(workload.documents, entrant.document_tokens, medians, places)
    if entrant.runs:
        values["stages"] = entrant.stages
    return BenchmarkRow(**values)


LOADED = ("read_from", "import_ns", "load_ns", "first_call_ns", "loaded_bytes", "resident_bytes", "peak_bytes")


def _speed(
    entrant: Entrant, baseline: Entrant | None, workload: Workload, part_bytes: list[int], rounds: int, seed: int
) -> dict[str, Any]:
    samples = entrant.samples(rounds)
    measured = [number for number, time in enumerate(samples) if time is not None]
    times = [entrant.samples_ns[number] for number in measured]
    speed = statistics.throughput([part_bytes[number] for number in measured], times, seed)
    ratio = None
    if baseline is not None and baseline is not entrant:
        ratio = statistics.ratio(baseline.samples(rounds), samples, seed)
    bytes_per_document = workload.bytes / len(workload.documents)
    return {
        "throughput_mb_per_s": speed,
        "ratio": ratio,
        "documents_per_s": speed.median * 1e6 / bytes_per_document,
        "cores_used": median(entrant.cpu_ns[number] / max(1, entrant.samples_ns[number]) for number in measured),
        "calls_per_sample": entrant.calls,
        "samples_ns": samples,
    }
