"""The result of a benchmark: several engines on one text. Its fields are those of its JSON.

Times are in ns, sizes in bytes, throughput in MB/s of input (1 MB is 10^6 UTF-8 bytes of the original text). What was not
measured is None, never 0.

Not here: measuring (`speed.runner`, `speed.worker`), the formulas (`speed.statistics`), keeping results (`lab_app.store.benchmarks`).
"""

from dataclasses import dataclass
from typing import Literal

from lab_app.benchmarks.growth_result import SlowestDocument, StageTimes
from lab_app.benchmarks.options import BenchmarkOptions

RunState = Literal["running", "done", "cancelled", "interrupted"]
"""`interrupted`: the program ended during the run. Rounds that were finished are kept."""
RowState = Literal["ok", "inexact", "missing", "unsupported", "failed", "timed_out", "cancelled"]
"""`ok`: measured. `inexact`: its ids differ from the reference; it has no rank. `missing`: not installed. `unsupported`: the
engine cannot read this tokenizer or has no such output. `failed`: it raised an error or crashed. `timed_out`: it took longer
than the limit and was ended. `cancelled`: the run ended before it was measured."""


@dataclass(frozen=True)
class Subject:
    """A tokenizer in an engine."""

    tokenizer: str
    """The id of the tokenizer in the library."""
    engine: str
    """`tokenlab`, `tiktoken`, `tokenizers` ..."""

    @property
    def key(self) -> str:
        """Names the subject within a run.

        >>> Subject("gpt2", "tiktoken").key
        'gpt2/tiktoken'
        """
        return f"{self.tokenizer}/{self.engine}"


@dataclass(frozen=True)
class TextSource:
    """Where the text of a run comes from, so that it can be run again."""

    kind: Literal["corpus", "file", "text"]
    name: str
    """The id of the corpus, the path of the file, or a title."""
    text: str | None = None
    """The text itself if `kind` is `text`; None otherwise."""


@dataclass(frozen=True)
class BenchmarkSettings(BenchmarkOptions):
    """Everything that repeats the run."""

    subjects: list[Subject]
    source: TextSource
    baseline: str
    """The key of the subject that ratios divide by."""


@dataclass(frozen=True)
class Environment:
    """The machine and the software. None: not reported by this system."""

    cpu: str | None
    cores: int | None
    """Physical."""
    logical_cpus: int
    usable_cpus: int
    """Logical CPUs that the process may use."""
    pinned_cpus: list[int] | None
    """CPUs that the engines were bound to."""
    governor: str | None
    """Frequency governor of Linux, such as `performance` or `powersave`."""
    frequency_mhz: float | None
    load_average: float | None
    """Over the last minute, before the run: processes that run or want to."""
    memory_bytes: int | None
    system: str
    python: str
    lab: str
    commit: str | None
    build: str
    """How the engine of the lab was compiled, and which instructions the processor has, in words."""
    clock: str
    clock_resolution_ns: int
    warnings: list[str]
    """What makes figures of this machine less reliable, in sentences."""


@dataclass(frozen=True)
class Noise:
    """A fixed loop, timed before the run: how much equal work varies on this machine now."""

    samples: int
    spread: float
    """Interquartile range divided by the median, such as 0.03 for 3 %."""
    range_5_95: float
    """From the 5th to the 95th percentile, divided by the median."""
    warning: str | None
    """What to do, if the spread is large; None if it is small."""


@dataclass(frozen=True)
class TextFacts:
    """The text that was measured."""

    title: str
    sha256: str
    """Of its UTF-8 bytes, documents one after the other."""
    bytes: int
    characters: int
    """Code points."""
    documents: int
    """Documents of the corpus, each with a line end, or parts of a text of about 2 kB that end with a line."""
    left_out_bytes: int
    """Bytes of the source above the limit, about; 0 if all of it was measured."""


@dataclass(frozen=True)
class FirstDifference:
    """The first place where the ids of an engine differ from the reference."""

    document: int
    """Counted from 1."""
    token: int
    """Number of the first token that differs, counted from 0."""
    expected: int | None
    """Id of the reference; None if it has no such token."""
    found: int | None
    text: str
    """The text around the place, at most 200 characters."""


@dataclass(frozen=True)
class Exactness:
    """The ids of an engine compared with the reference, before timing."""

    reference: str
    """The engine that gave the expected ids."""
    documents: int
    """Documents compared."""
    differing: int
    first_difference: FirstDifference | None


@dataclass(frozen=True)
class Throughput:
    """Speed over all samples of a subject, in MB/s of input."""

    median: float
    low: float
    """Lower end of the 95 % bootstrap interval of the median."""
    high: float
    minimum: float
    maximum: float
    spread: float
    """Interquartile range divided by the median."""
    samples: int


@dataclass(frozen=True)
class Ratio:
    """Speed divided by that of the baseline in the same round; above 1 is faster than the baseline."""

    median: float
    low: float
    """Lower end of the 95 % bootstrap interval of the median."""
    high: float
    differs: bool
    """Whether the interval leaves out 1."""


@dataclass(frozen=True)
class Latency:
    """Time of one call with one document, over all documents and passes, in ns. Nearest-rank percentiles."""

    p50: int
    p95: int
    p99: int
    maximum: int
    calls: int


@dataclass(frozen=True)
class BenchmarkRow:
    """One subject of a run."""

    key: str
    engine: str
    engine_version: str | None
    tokenizer: str
    tokenizer_sha256: str | None
    state: RowState
    message: str | None = None
    """Why there are no figures, or what to know about them."""
    output: str | None = None
    """What the engine printed last, if it failed."""
    install: str | None = None
    """The command that installs the engine; None if it is installed."""
    read_from: str | None = None
    """What the engine built the tokenizer from, in words."""
    rank: int | None = None
    """1 for the highest ratio among exact subjects."""
    exactness: Exactness | None = None
    """None if no reference was there."""
    throughput_mb_per_s: Throughput | None = None
    ratio: Ratio | None = None
    """None for the baseline."""
    documents_per_s: float | None = None
    """None if the whole text was one call."""
    latency_ns: Latency | None = None
    import_ns: int | None = None
    """Importing the library; once."""
    load_ns: int | None = None
    """Reading the tokenizer; once, in a new process."""
    first_call_ns: int | None = None
    """The first call after that, with the first document."""
    loaded_bytes: int | None = None
    """Resident memory above that of the process before the library was imported: after loading."""
    resident_bytes: int | None = None
    """Likewise, after one pass over the text."""
    peak_bytes: int | None = None
    """Likewise, the highest of the run."""
    tokens: int | None = None
    bytes_per_token: float | None = None
    cores_used: float | None = None
    """CPU time divided by wall time, median of the samples: above 1 if several threads worked, below 1 if it had to wait."""
    calls_per_sample: int | None = None
    """Passes over the text in one sample. A sample of a fast engine has several."""
    samples_ns: list[int | None] | None = None
    """Time of one pass, per round; None for a round without this subject."""
    stages: StageTimes | None = None
    """Where the time goes, timed after the rounds on one thread; engines other than the lab's do not report it."""
    slowest_documents: list[SlowestDocument] | None = None


@dataclass(frozen=True)
class BenchmarkResult:
    """A run. `baseline` is the key of the row that ratios divide by; None if it has no figures."""

    id: int | None
    """None if it is not kept."""
    title: str
    created_at: str
    """UTC, ISO 8601."""
    state: RunState
    settings: BenchmarkSettings
    command: str
    """The command that repeats the run."""
    environment: Environment
    noise: Noise | None
    """None if it was not measured."""
    text: TextFacts
    baseline: str | None
    rows: list[BenchmarkRow]
    """In the order they were asked for."""
    rounds_done: int
    elapsed_s: float
    notes: list[str]
    """What to know when reading the figures, in sentences."""
