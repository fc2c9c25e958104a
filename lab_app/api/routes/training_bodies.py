"""Bodies of requests for trainings. Not here: all others (`requests`)."""

from typing import Annotated, Any

from pydantic import Field

from lab_app.api.requests import Body, with_options
from lab_app.api.uploads import full_path
from lab_app.services.trainings.results import SourceKind, TrainingHeldOut, TrainingRequest, TrainingSource
from lab_app.services.trainings.trainings import MAX_SHARE


class TrainingSourceBody(Body):
    """A text to train on."""

    kind: Annotated[SourceKind, Field(description="`practice`, `corpus`, `path` or `text`.")]
    name: Annotated[str | None, Field(description="Of a practice corpus or a corpus; a title for a text.")] = None
    path: Annotated[str | None, Field(description="A file, a folder or a pattern on this machine.")] = None
    text: Annotated[str | None, Field(description="The text, if `kind` is `text`.")] = None
    column: Annotated[str | None, Field(description="The text column of a table; null: by the names of columns.")] = (
        None
    )

    def source(self) -> TrainingSource:
        """The same for the services. Raises BadValue for a path that does not start at a root."""
        path = self.path if self.path is None else str(full_path(self.path))
        return TrainingSource(self.kind, self.name, path, self.text, self.column)


class TrainingHeldOutBody(Body):
    """The text that measures compression: a share of the training text, or another source."""

    share: Annotated[float | None, Field(ge=0, le=MAX_SHARE, description="Such as 0.05.")] = None
    source: TrainingSourceBody | None = None


@with_options(TrainingRequest)
class TrainingBody(Body):
    """What to train, and how."""

    sources: Annotated[list[TrainingSourceBody], Field(max_length=1000)]
    name: Annotated[str | None, Field(max_length=200, description="Null: made from the algorithm and the text.")] = None
    held_out: TrainingHeldOutBody | None = None
    options: Annotated[dict[str, Any], Field(default_factory=dict, description="Options that differ from the preset.")]

    def request(self) -> TrainingRequest:
        """The same for the services."""
        held = self.held_out
        source = None if held is None or held.source is None else held.source.source()
        return self.as_options(
            TrainingRequest,
            sources=[each.source() for each in self.sources],
            name=self.name,
            held_out=None if held is None else TrainingHeldOut(held.share, source),
            options=self.options,
        )


class TrainedTokenizerBody(Body):
    """The id of a trained tokenizer in the catalog."""

    name: Annotated[str | None, Field(description="Null: made from the name of the training.")] = None
