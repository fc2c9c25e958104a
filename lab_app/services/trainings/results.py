"""What the lab says of trainings: the results of `/trainings`. Not here: making them (`trainings`, `runs`)."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from lab_app.options import Option
from lab_app.training.options import Preset, TrainingOptions
from lab_app.training.progress import HeldOutState, StageState
from lab_app.training.steps import CountPoint, CurvePoint, LossPoint

TrainingState = Literal["running", "paused", "done", "kept", "failed", "cancelled", "interrupted"]
SourceKind = Literal["practice", "corpus", "path", "text"]
Invalid = Literal["replace", "skip"]
"""What becomes of bytes that are not UTF-8."""


@dataclass(frozen=True)
class TrainingSource:
    """A text to train on: `name` of a practice corpus or a corpus, `path` of files, or the `text`."""

    kind: SourceKind
    name: str | None = None
    path: str | None = None
    text: str | None = None
    column: str | None = None
    """The text column of a table; None: chosen by the names of the columns."""


@dataclass(frozen=True)
class TrainingHeldOut:
    """The text that measures compression: a share of the training text, or another source."""

    share: float | None = None
    source: TrainingSource | None = None


@dataclass(frozen=True)
class TrainingRequest:
    """What to train, as it was asked for."""

    sources: list[TrainingSource]
    name: str | None = None
    held_out: TrainingHeldOut | None = None
    preset: Annotated[str | None, Option("gpt2, cl100k, llama, bert, t5, sentencepiece, words or characters.")] = None
    options: dict[str, Any] = field(default_factory=dict)
    """Options that differ from the preset."""
    sample_bytes: Annotated[int | None, Option("Train on a sample of about this size.", 1, 2**63 - 1)] = None
    threads: Annotated[int | None, Option("For counting; default all cores.", 1, 1024)] = None
    invalid: Annotated[Invalid, Option("Replace invalid UTF-8 by U+FFFD, or skip its lines.")] = "replace"


@dataclass(frozen=True)
class TrainingBeginning:
    """The beginning of the text of a training, and whether that is all of it."""

    text: str
    is_whole: bool


@dataclass(frozen=True)
class TrainingFile:
    """One file of the text."""

    name: str
    bytes: int
    held_out: bool


@dataclass(frozen=True)
class TrainingCorpus:
    """The text of a training."""

    title: str
    bytes: int
    files: list[TrainingFile]
    """At most 100."""
    invalid_sequences: int | None
    """None before it was read."""
    split_words: int | None = None
    """Words of more than 4,096 bytes, which were split; None before it was read."""


@dataclass(frozen=True)
class TrainingEstimate:
    """Time and memory as they were estimated before the start."""

    seconds: float | None
    memory_bytes: int | None


@dataclass(frozen=True)
class TrainingProblem:
    """Why a training failed."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True)
class Training:
    """A training at one moment. What is not known or not measured is None. `version` grows with every change."""

    id: int
    name: str
    state: TrainingState
    job: str | None
    made_at: str
    """UTC, ISO 8601."""
    body: TrainingRequest
    options: TrainingOptions
    """All options, those of the preset too."""
    corpus: TrainingCorpus
    stages: list[StageState]
    done: int | None
    total: int | None
    unit: str | None
    vocab_size: int | None
    held_out: HeldOutState | None
    left_s: float | None
    elapsed_s: float
    memory_bytes: int | None
    estimate: TrainingEstimate | None
    ended: str | None
    """Why it ended, in words."""
    tokenizer: str | None
    """The id in the catalog of the copy that was made last."""
    error: TrainingProblem | None
    version: int
    warnings: list[str] = field(default_factory=list)
    """What makes the result worse than it could be, with what to do."""
    can_resume: bool = False
    """Whether it has ended early with a checkpoint. Found whenever a training is read, as the checkpoint is a file."""


@dataclass(frozen=True)
class TrainingStarted:
    """The result of the job of a training."""

    id: int


@dataclass(frozen=True)
class TrainingList:
    """The kept trainings, the newest first."""

    trainings: list[Training]


@dataclass(frozen=True)
class PracticeCorpus:
    """A text that is on every machine."""

    name: str
    title: str
    bytes: int


@dataclass(frozen=True)
class TrainingChoices:
    """What a training can be made of."""

    presets: list[Preset]
    algorithms: list[str]
    practice: list[PracticeCorpus]


@dataclass(frozen=True)
class TrainingForecast:
    """Time and memory of a training that has not started. None: not measured."""

    text_bytes: int
    seconds: float | None
    memory_bytes: int | None
    basis: str


@dataclass(frozen=True)
class TrainingFormat:
    """A format of files, for `file`."""

    format: str
    title: str
    problem: str | None
    """Why it cannot hold the tokenizer, in words; None: it can."""


@dataclass(frozen=True)
class TrainingFormats:
    """All formats, those that cannot hold the tokenizer too."""

    formats: list[TrainingFormat]


@dataclass(frozen=True)
class TrainingSteps:
    """Rows of a training: merges, words, characters or iterations, as the algorithm has them."""

    total: int
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class TrainingReference:
    """Another tokenizer on the held-out text; `bytes_per_token` is None if it cannot encode it.

    `unknown_rate` is the share of its tokens that are its unknown token, which flatters its compression.
    """

    tokenizer: str
    title: str
    vocab_size: int
    bytes_per_token: float | None
    unknown_rate: float | None
    lossy: str | None
    """Why decoding may not give the text back; None if it does."""


@dataclass(frozen=True)
class TrainingCurve:
    """The values of the charts of a training, at most 500 points each."""

    points: list[CurvePoint]
    counts: list[CountPoint]
    losses: list[LossPoint]
    references: list[TrainingReference]


@dataclass(frozen=True)
class LogLine:
    """A line for people, with its time: UTC, ISO 8601."""

    at: str
    words: str


@dataclass(frozen=True)
class TrainingLog:
    """What happened, oldest first."""

    lines: list[LogLine]
