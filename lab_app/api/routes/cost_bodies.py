"""Bodies of requests for measurements of cost. Not here: benchmarks (`benchmark_bodies`)."""

from typing import Annotated

from pydantic import Field

from lab_app.api.requests import Body, option_field, with_options
from lab_app.api.routes.benchmark_bodies import SubjectBody, TextSourceBody
from lab_app.api.routes.training_bodies import TrainingSourceBody
from lab_app.benchmarks.cost.pathological import BYTES, LIMIT_MB_PER_S
from lab_app.benchmarks.cost.trainers import MAX_MERGES, MERGES
from lab_app.benchmarks.options import MAX_COST_BYTES, CostOptions
from lab_app.benchmarks.result import BenchmarkSettings, Subject, TextSource
from lab_app.benchmarks.stages import ROUNDS as STAGE_ROUNDS
from lab_app.services.benchmarks.costs import MAX_SUBJECTS, RACED_BYTES, RACED_TEXT, Axis

Subjects = Annotated[list[SubjectBody], Field(max_length=MAX_SUBJECTS, description="What to measure.")]


@with_options(CostOptions)
class GrowthBody(Body):
    """What to measure against what."""

    subjects: Subjects
    axis: Annotated[Axis, Field(description="What time is measured against.")] = "bytes"


@with_options(CostOptions, "rounds", "limit_s", "seed")
class PathologicalBody(Body):
    """What to run the inputs that break encoders on."""

    subjects: Subjects
    bytes: Annotated[int, Field(description=f"Size of each input, at most {MAX_COST_BYTES}.")] = BYTES
    limit_mb_per_s: Annotated[
        float, Field(allow_inf_nan=False, description="The speed that each input is compared with.")
    ] = LIMIT_MB_PER_S


@with_options(CostOptions)
class RaceBody(Body):
    """What the algorithms encode, with whose merges."""

    tokenizer: Annotated[str, Field(description="A byte-level BPE tokenizer.")]
    input: Annotated[str, option_field(CostOptions, "input")] = "random_letters"


@with_options(CostOptions, "rounds", "limit_s", "seed")
class TrainersBody(Body):
    """The text that the algorithms of BPE training learn from."""

    source: Annotated[TrainingSourceBody, Field(description="As of a training; by default Python's documentation.")] = (
        TrainingSourceBody(kind=RACED_TEXT.kind, name=RACED_TEXT.name)
    )
    merges: Annotated[int, Field(description=f"How many each algorithm makes, at most {MAX_MERGES}.")] = MERGES
    max_bytes: Annotated[int, option_field(CostOptions, "max_bytes")] = RACED_BYTES


class StagesBody(Body):
    """Tokenizers and the documents whose stages are timed."""

    tokenizers: Annotated[list[str], Field(description="Tokenizers of the engine.")]
    source: TextSourceBody
    spans: Annotated[bool, Field(description="Time `encode`, with spans and the postprocessor.")] = False
    rounds: Annotated[int, option_field(CostOptions, "rounds")] = STAGE_ROUNDS
    max_bytes: Annotated[int, option_field(CostOptions, "max_bytes")] = 2_000_000

    def settings(self) -> BenchmarkSettings:
        """Source and limit, as `benchmarks.read_text` takes them."""
        source = TextSource(self.source.kind, self.source.name, self.source.text)
        subjects = [Subject(id, "tokenlab") for id in self.tokenizers]
        return BenchmarkSettings(subjects, source, "", max_bytes=self.max_bytes)


class ProfileBody(Body):
    """A document, and the tokenizer that encodes it."""

    tokenizer: Annotated[str, Field(description="A tokenizer of the engine.")]
    text: Annotated[str, Field(description="At most 1 MB.")]
