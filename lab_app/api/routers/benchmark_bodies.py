"""Bodies of requests for benchmarks. Not here: all others (`requests`)."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from lab_app.api.requests import Body
from lab_app.benchmarks.result import (
    ROUNDS,
    BenchmarkSettings,
    Output,
    Shape,
    Subject,
    Temperature,
    TextSource,
)
from lab_app.benchmarks.speed.statistics import FEWEST
from lab_app.errors import BadValue
from lab_app.services.benchmarks.benchmarks import MAX_BYTES, MAX_ROUNDS, MAX_SUBJECTS, MAX_TIME_LIMIT_S
from lab_app.services.benchmarks.presets import USUAL_TOKENIZER, BenchmarkPreset


class SubjectBody(Body):
    """A tokenizer in an engine."""

    tokenizer: Annotated[str, Field(description="The id of a tokenizer.")]
    engine: Annotated[str, Field(description="`tokenlab`, `tiktoken` ...; `GET /benchmarks/engines` lists them.")]


class TextSourceBody(Body):
    """The text of a benchmark."""

    kind: Annotated[Literal["corpus", "file", "text"], Field(description="`file`: a path on this machine.")]
    name: Annotated[str, Field(description="The id of the corpus, the path, or a title for the text.")] = ""
    text: Annotated[str | None, Field(description="The text, if `kind` is `text`.")] = None


class BenchmarkBody(Body):
    """What to measure, and how."""

    source: TextSourceBody
    subjects: Annotated[
        list[SubjectBody] | None, Field(max_length=MAX_SUBJECTS, description="What to compare; null: as `preset` says.")
    ] = None
    preset: Annotated[
        str | None, Field(description="`bert-gpt2`, `reference` or `installed`, instead of `subjects`.")
    ] = None
    tokenizer: Annotated[str, Field(description="The tokenizer of the preset.")] = USUAL_TOKENIZER
    baseline: Annotated[
        str | None, Field(description="`tokenizer/engine` that ratios divide by; null: the first subject.")
    ] = None
    temperature: Annotated[Temperature, Field(description="State of the tokenizer before a sample.")] = "warm"
    shape: Annotated[Shape, Field(description="What one call encodes.")] = "whole"
    output: Annotated[Output, Field(description="What a call returns.")] = "ids"
    threads: Annotated[int, Field(ge=1, description="Threads of the engine, and CPUs that it is bound to.")] = 1
    rounds: Annotated[int, Field(ge=FEWEST, le=MAX_ROUNDS, description="Samples of each subject.")] = ROUNDS
    max_bytes: Annotated[int, Field(ge=1, le=MAX_BYTES, description="Text above this is left out.")] = 2_000_000
    time_limit_s: Annotated[
        float, Field(ge=0.1, le=MAX_TIME_LIMIT_S, description="The most that one sample may take.")
    ] = 60.0
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Chooses the order in each round.")] = 0
    title: Annotated[str, Field(max_length=200, description="Empty: made from what is compared.")] = ""

    def settings(self, preset: Callable[[str, str], BenchmarkPreset]) -> BenchmarkSettings:
        """The same for the services. Raises BadValue unless there is either a list of subjects or a preset."""
        if (self.subjects is None) == (self.preset is None):
            raise BadValue("give subjects or a preset", "give one of the two: it says what to compare")
        if self.preset is not None:
            chosen = preset(self.preset, self.tokenizer)
            subjects, baseline = chosen.subjects, self.baseline or chosen.baseline
        else:
            subjects = [Subject(each.tokenizer, each.engine) for each in self.subjects or []]
            baseline = self.baseline or (subjects[0].key if subjects else "")
        return BenchmarkSettings(
            subjects=subjects,
            source=TextSource(self.source.kind, self.source.name, self.source.text),
            baseline=baseline,
            temperature=self.temperature,
            shape=self.shape,
            output=self.output,
            threads=self.threads,
            rounds=self.rounds,
            max_bytes=self.max_bytes,
            time_limit_s=self.time_limit_s,
            seed=self.seed,
        )
