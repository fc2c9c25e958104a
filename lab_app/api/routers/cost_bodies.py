"""Bodies of requests for measurements of cost. Not here: benchmarks (`benchmark_bodies`)."""

from typing import Annotated

from pydantic import Field

from lab_app.api.requests import Body, option_field
from lab_app.api.routers.benchmark_bodies import SubjectBody, TextSourceBody
from lab_app.api.routers.training_bodies import TrainingSourceBody
from lab_app.benchmarks.cost.pathological import BYTES, LIMIT_MB_PER_S
from lab_app.benchmarks.cost.trainers import MAX_MERGES, MERGES
from lab_app.benchmarks.options import MAX_COST_BYTES, CostOptions
from lab_app.benchmarks.result import BenchmarkSettings, Subject, TextSource
from lab_app.benchmarks.stages import ROUNDS as STAGE_ROUNDS
from lab_app.services.benchmarks.costs import MAX_SUBJECTS, RACED_BYTES, RACED_TEXT, Axis

Rounds = Annotated[int, option_field(CostOptions, "rounds")]
Limit = Annotated[float, option_field(CostOptions, "limit_s")]
Seed = Annotated[int, option_field(CostOptions, "seed")]
Input = Annotated[str, option_field(CostOptions, "input")]
MostBytes = Annotated[int, option_field(CostOptions, "max_bytes")]
Subjects = Annotated[list[SubjectBody], Field(max_length=MAX_SUBJECTS, description="What to measure.")]


class GrowthBody(Body):
    """What to measure against what."""

    subjects: Subjects
    axis: Annotated[Axis, Field(description="What time is measured against.")] = "bytes"
    input: Input = CostOptions.input
    max_bytes: MostBytes = CostOptions.max_bytes
    rounds: Rounds = CostOptions.rounds
    limit_s: Limit = CostOptions.limit_s
    seed: Seed = 0

    def options(self) -> CostOptions:
        """The same for the service."""
        return CostOptions(self.rounds, self.limit_s, self.max_bytes, self.input, self.seed)


class PathologicalBody(Body):
    """What to run the inputs that break encoders on."""

    subjects: Subjects
    bytes: Annotated[int, Field(description=f"Size of each input, at most {MAX_COST_BYTES}.")] = BYTES
    limit_mb_per_s: Annotated[
        float, Field(allow_inf_nan=False, description="The speed that each input is compared with.")
    ] = LIMIT_MB_PER_S
    rounds: Rounds = CostOptions.rounds
    limit_s: Limit = CostOptions.limit_s
    seed: Seed = 0

    def options(self) -> CostOptions:
        """The same for the service."""
        return CostOptions(self.rounds, self.limit_s, seed=self.seed)


class RaceBody(Body):
    """What the algorithms encode, with whose merges."""

    tokenizer: Annotated[str, Field(description="A byte-level BPE tokenizer.")]
    input: Input = "random_letters"
    max_bytes: MostBytes = CostOptions.max_bytes
    rounds: Rounds = CostOptions.rounds
    limit_s: Limit = CostOptions.limit_s
    seed: Seed = 0

    def options(self) -> CostOptions:
        """The same for the service."""
        return CostOptions(self.rounds, self.limit_s, self.max_bytes, self.input, self.seed)


class TrainersBody(Body):
    """The text that the algorithms of BPE training learn from."""

    source: Annotated[TrainingSourceBody, Field(description="As of a training; by default Python's documentation.")] = (
        TrainingSourceBody(kind=RACED_TEXT.kind, name=RACED_TEXT.name)
    )
    merges: Annotated[int, Field(description=f"How many each algorithm makes, at most {MAX_MERGES}.")] = MERGES
    max_bytes: MostBytes = RACED_BYTES
    rounds: Rounds = CostOptions.rounds
    limit_s: Limit = CostOptions.limit_s
    seed: Seed = 0

    def options(self) -> CostOptions:
        """The same for the service."""
        return CostOptions(self.rounds, self.limit_s, self.max_bytes, seed=self.seed)


class StagesBody(Body):
    """Tokenizers and the documents whose stages are timed."""

    tokenizers: Annotated[list[str], Field(description="Tokenizers of the engine.")]
    source: TextSourceBody
    spans: Annotated[bool, Field(description="Time `encode`, with spans and the postprocessor.")] = False
    rounds: Rounds = STAGE_ROUNDS
    max_bytes: MostBytes = 2_000_000

    def settings(self) -> BenchmarkSettings:
        """Source and limit, as `benchmarks.read_text` takes them."""
        source = TextSource(self.source.kind, self.source.name, self.source.text)
        subjects = [Subject(id, "tokenlab") for id in self.tokenizers]
        return BenchmarkSettings(subjects, source, "", max_bytes=self.max_bytes)


class ProfileBody(Body):
    """A document, and the tokenizer that encodes it."""

    tokenizer: Annotated[str, Field(description="A tokenizer of the engine.")]
    text: Annotated[str, Field(description="At most 1 MB.")]
