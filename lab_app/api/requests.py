"""Bodies of requests. A field that does not exist is refused, so that a misspelt option is not ignored."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from lab_app.engine import Specials
from lab_app.services.lengths import Lengths, Padding, Truncation
from lab_app.services.results import ResultField
from lab_app.settings import DEFAULT_SPECIALS


class Body(BaseModel):
    """What all bodies have in common."""

    model_config = ConfigDict(extra="forbid")


AddSpecialTokens = Annotated[
    bool, Field(description="Add the postprocessor's special tokens, such as [CLS] and [SEP].")
]
SpecialsField = Annotated[
    Specials,
    Field(
        description="How to treat text that looks like a special token: as that token, as ordinary text, or as an error."
    ),
]
Ids = Annotated[list[int], Field(description="Ids of this tokenizer's vocabulary.")]
SkipSpecialTokens = Annotated[bool, Field(description="Omit special tokens from the text.")]


class LengthsBody(Body):
    """How long encodings are made. Lengths are in tokens, the template's counted."""

    truncation: Annotated[
        Truncation | None,
        Field(description="Truncate to `max_length`, and which of two texts to shorten; `file`: as the file says."),
    ] = None
    max_length: Annotated[int | None, Field(ge=0, description="The length to truncate or pad to.")] = None
    stride: Annotated[int, Field(ge=0, description="Tokens that each truncated part repeats from the one before.")] = 0
    padding: Annotated[
        Padding | None,
        Field(description="Pad to the longest text of the request, or to `max_length`; `file`: as the file says."),
    ] = None
    pad_to_multiple_of: Annotated[int | None, Field(ge=1, description="Pad to a multiple of this.")] = None

    def lengths(self) -> Lengths:
        """The same for the services."""
        return Lengths(self.truncation, self.max_length, self.stride, self.padding, self.pad_to_multiple_of)


class TokenizeBody(LengthsBody):
    """One text, or two for tokenizers whose template takes a pair."""

    tokenizer: str
    text: str
    pair: str | None = None
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS
    fields: Annotated[
        list[ResultField] | None,
        Field(
            description="The lists to return, with `tokenizer` and `count`; the others are null. Default: everything."
        ),
    ] = None


class TokenizeBatchBody(LengthsBody):
    """Many texts."""

    tokenizer: str
    texts: list[str]
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS


class ChatBody(Body):
    """Messages for a tokenizer's chat template, or for a template of the caller's."""

    tokenizer: str
    messages: list[dict[str, Any]]
    tools: list[Any] | None = None
    add_generation_prompt: Annotated[bool, Field(description="End with the prompt for the model's answer.")] = False
    template: Annotated[str | None, Field(description="The name of one of several templates.")] = None
    template_text: Annotated[str | None, Field(description="A template of the caller's own, in Jinja.")] = None
    variables: Annotated[dict[str, Any] | None, Field(description="Further variables of the template.")] = None


class DecodeBody(Body):
    """The ids of one text."""

    tokenizer: str
    ids: Ids
    skip_special_tokens: SkipSpecialTokens = True


class DecodeBatchBody(Body):
    """The ids of many texts."""

    tokenizer: str
    batch: list[Ids]
    skip_special_tokens: SkipSpecialTokens = True


class CompareBody(Body):
    """One text under two to eight tokenizers."""

    tokenizers: list[str]
    text: str
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS
    ignore_spaces: Annotated[
        bool, Field(description="A boundary next to or inside whitespace counts at the start of it.")
    ] = True


class RetokenizeBody(Body):
    """Ids of one tokenizer, or a text for it, to convert to another."""

    source: str
    target: str
    text: str | None = None
    ids: Ids | None = None
    specials: SpecialsField = DEFAULT_SPECIALS


class TwoTokenizersBody(Body):
    """Two tokenizers, and a text for them where one is wanted."""

    a: str
    b: str
    text: str | None = None
    specials: SpecialsField = DEFAULT_SPECIALS


class ExportBody(Body):
    """One text under one tokenizer or several, as a file."""

    tokenizers: list[str]
    text: str
    format: Literal["json", "csv", "html"]
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS
    ignore_spaces: bool = True


class SessionBody(Body):
    """A session to save; `view` is stored unchanged for the page."""

    name: str
    tokenizers: list[str]
    text: str
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS
    view: dict[str, Any] = {}


class DocumentBody(Body):
    """A text to edit, under one to eight tokenizers; compared where `ignore_spaces` says how."""

    tokenizers: list[str]
    text: str
    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS
    ignore_spaces: Annotated[
        bool | None,
        Field(description="As in /compare; null without a comparison."),
    ] = None


class ExcerptBody(DocumentBody):
    """Whole characters cut out of a long text, and whether that starts and ends there."""

    starts: bool
    ends: bool


class EditBody(Body):
    """A range of UTF-16 units of version `version` and what takes its place."""

    version: int
    start_utf16: Annotated[int, Field(ge=0, lt=2**32)]
    end_utf16: Annotated[int, Field(ge=0, lt=2**32)]
    text: str


class TextbookBody(Body):
    """One text for the textbook algorithms of byte-pair encoding: those named, or all."""

    tokenizer: str
    text: str
    algorithms: list[str] = []


class ChangesBody(Body):
    """One text."""

    tokenizer: str
    text: str
    specials: SpecialsField = DEFAULT_SPECIALS


class TraceBody(ChangesBody):
    """One text of at most 10 000 characters."""


class ExplainBody(TraceBody):
    """One text, and a place in it."""

    at: Annotated[
        int | None,
        Field(description="The byte to explain, whether or not it is a boundary; without it the first 100 boundaries."),
    ] = None
    edits: Annotated[bool, Field(description="Search for the smallest edit that removes a boundary.")] = True


class ComposeBody(Body):
    """A recipe, see docs/guide/library.md, and a text to try it on."""

    recipe: dict[str, Any]
    text: str


class AddBody(Body):
    """A file or folder of this machine, the id of a known tokenizer to fetch, a repository of a Hub, or a recipe."""

    path: str | None = None
    known: str | None = None
    hub: Annotated[str | None, Field(description="OWNER/NAME, OWNER/NAME@REVISION or OWNER/NAME:FILE.")] = None
    recipe: Annotated[dict[str, Any] | None, Field(description="A recipe; needs an id.")] = None
    wait: Annotated[bool, Field(description="Wait for the download; otherwise answer at once with its job.")] = True
    id: str | None = None
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None


class PreferencesBody(RootModel[dict[str, Any]]):
    """Any object."""


class TruncateBody(Body):
    """A text, and the size to truncate the vocabulary to."""

    size: Annotated[int | None, Field(ge=0, description="The size, added tokens included; default all.")] = None
    text: str
