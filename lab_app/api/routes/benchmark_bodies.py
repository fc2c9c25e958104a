"""Bodies of requests for benchmarks. Not here: all others (`requests`)."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from lab_app.api.requests import Body, with_options
from lab_app.benchmarks.options import BenchmarkOptions as Options
from lab_app.benchmarks.result import BenchmarkSettings, Subject, TextSource
from lab_app.errors import BadValue
from lab_app.options import options_of
from lab_app.services.benchmarks.benchmarks import MAX_SUBJECTS
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


@with_options(Options)
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
            **{name: getattr(self, name) for name in options_of(Options)},
        )
