"""Bodies of requests. A field that does not exist is refused, so that a misspelt option is not ignored."""

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, RootModel, create_model

from lab_app.analysis.options import AnalysisOptions, ConformanceOptions, RobustnessOptions
from lab_app.api.window_requests import MOST_FILES
from lab_app.corpora.options import CorpusOptions, Page, Query
from lab_app.engine import Specials
from lab_app.options import options_of
from lab_app.services.analyses.analyses import MAX_TOKENIZERS
from lab_app.services.chats.chat import Mask
from lab_app.services.chats.conversation import Conversation
from lab_app.services.corpora.language_examples import LIMIT as EXAMPLES
from lab_app.services.corpora.language_examples import MAX_LIMIT as MAX_EXAMPLES
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.exercises.task import Answer
from lab_app.services.handouts.contents import Way
from lab_app.services.json_files import Moment
from lab_app.services.text.lengths import Lengths
from lab_app.services.text.results import ResultField
from lab_app.services.text.text_options import ComparedOptions, TextOptions
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS

Options = TypeVar("Options")


class Body(BaseModel):
    """A body whose values have the types of JSON: pydantic otherwise takes false for 0, "1" for 1 and 1 for true."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def as_options(self, declared: type[Options], **others: Any) -> Options:
        """The options of a dataclass that `with_options` has added, for the services, with its other fields."""
        shared: Any = _shared  # mypy takes a class for something without a hash
        given = {name: getattr(self, name) for name in shared(type(self), declared)}
        return declared(
            **others, **{name: tuple(each) if isinstance(each, list) else each for name, each in given.items()}
        )


@cache
def _shared(body: type[BaseModel], declared: type) -> list[str]:
    """The options of a dataclass that a body has."""
    return [name for name in options_of(declared) if name in body.model_fields]


SomeBody = TypeVar("SomeBody", bound=Body)


def with_options(declared: type, *names: str) -> Callable[[type[SomeBody]], type[SomeBody]]:
    """Adds the options of a dataclass (`lab_app.options`) to a body, or only those named. A field that the body declares stays."""

    def made(body: type[SomeBody]) -> type[SomeBody]:
        wanted = [each for each in names or options_of(declared) if each not in body.model_fields]
        fields: dict[str, Any] = {name: (_json_type(declared, name), getattr(declared, name)) for name in wanted}
        more: dict[str, Any] = {"__module__": body.__module__, "__doc__": body.__doc__}
        return create_model(body.__name__, __base__=body, **more, **fields)

    return made


def _json_type(declared: type, name: str) -> Any:
    """The type of an option in JSON, which has lists in place of tuples."""
    kind = options_of(declared)[name][0]
    each_of = get_args(kind) if get_origin(kind) is UnionType else [kind]
    listed: list[Any] = [list[get_args(one)[0]] if get_origin(one) is tuple else one for one in each_of]  # type: ignore[misc]
    return Annotated[Union[*listed], option_field(declared, name)]


def option_field(declared: type, name: str) -> Any:
    """The field of a body for an option. Its bounds are said here, and checked by the service."""
    kind, option = options_of(declared)[name]
    bounds = {"minimum": option.low, "maximum": option.high}
    extra: dict[str, Any] = {key: bound for key, bound in bounds.items() if bound is not None}
    finite: dict[str, Any] = {"allow_inf_nan": False} if float in (kind, *get_args(kind)) else {}
    return Field(description=option.help, json_schema_extra=extra or None, **finite)


AddSpecialTokens = Annotated[
    bool, Field(description="Add the postprocessor's special tokens, such as [CLS] and [SEP].")
]
SpecialsField = Annotated[
    Specials,
    Field(
        description="How to treat text that looks like a special token: as that token, as ordinary text, or as an error."
    ),
]
Ids = Annotated[list[int], Field(description="IDs of this tokenizer's vocabulary.")]
SkipSpecialTokens = Annotated[bool, Field(description="Omit special tokens from the text.")]


class TextBody(Body):
    """How a text is read."""

    add_special_tokens: AddSpecialTokens = True
    specials: SpecialsField = DEFAULT_SPECIALS

    def text_options(self) -> TextOptions:
        """As keywords of the services."""
        return {"add_special_tokens": self.add_special_tokens, "specials": self.specials}


@with_options(Lengths)
class LengthsBody(TextBody):
    """How long encodings are made. Lengths are in tokens, the template's counted."""


class TokenizeBody(LengthsBody):
    """One text, or two for tokenizers whose template takes a pair."""

    tokenizer: str
    text: str
    pair: str | None = None
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


class ChatTemplateBody(Body):
    """Messages for a tokenizer's chat template, for one that is built in, or for a template of the caller's."""

    tokenizer: str
    messages: list[dict[str, Any]]
    tools: list[Any] | None = None
    documents: list[Any] | None = None
    add_generation_prompt: Annotated[bool, Field(description="End with the prompt for the model's answer.")] = False
    template: Annotated[
        str | None, Field(description="The name of a template of the tokenizer, `chatml` or `harmony`.")
    ] = None
    template_text: Annotated[str | None, Field(description="A template of the caller's own, in Jinja.")] = None
    variables: Annotated[dict[str, Any] | None, Field(description="Further variables of the template.")] = None
    now: Annotated[Moment | None, Field(description="The moment that the template writes, as ISO 8601.")] = None

    def conversation(self) -> Conversation:
        """What the template is given."""
        variables = self.variables or {}
        return Conversation(self.messages, self.tools, self.documents, self.add_generation_prompt, variables)


class ChatBody(ChatTemplateBody):
    """Messages to see as tokens."""

    mask: Annotated[
        Mask, Field(description="Who says what a model is trained on: the template's `generation` blocks, or roles.")
    ] = "template"
    as_text: Annotated[
        list[int], Field(description="Messages, from 0, whose control tokens are encoded as ordinary text.")
    ] = []
    context: Annotated[int | None, Field(description="Tokens of the context, for the budget.")] = None
    reserve: Annotated[int, Field(description="Tokens of the context kept for the answer.")] = 0


class ChatCountBody(Body):
    """Messages to count by a published rule."""

    tokenizer: str
    messages: list[dict[str, Any]]


class DecodeBody(Body):
    """The IDs of one text."""

    tokenizer: str
    ids: Ids
    skip_special_tokens: SkipSpecialTokens = True


class DriftBody(Body):
    """IDs that a model sampled."""

    tokenizer: str
    ids: Ids


class PromptEndBody(Body):
    """A prompt, or the end of one."""

    tokenizer: str
    text: str


class DecodeBatchBody(Body):
    """The IDs of many texts."""

    tokenizer: str
    batch: list[Ids]
    skip_special_tokens: SkipSpecialTokens = True


class CompareBody(TextBody):
    """One text under two to eight tokenizers."""

    tokenizers: list[str]
    text: str
    ignore_spaces: Annotated[
        bool, Field(description="A boundary next to or inside whitespace counts at the start of it.")
    ] = True

    def text_options(self) -> ComparedOptions:
        """As keywords of the services."""
        return {**super().text_options(), "ignore_spaces": self.ignore_spaces}


class RetokenizeBody(Body):
    """IDs of one tokenizer, or a text for it, to convert to another."""

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


class CitationBody(CompareBody):
    """One text under one tokenizer or several."""


class ExportBody(CitationBody):
    """One text under one tokenizer or several, as a file."""

    format: Literal["json", "csv", "html", "tex"]


class SessionBody(TextBody):
    """A session to save; `view` is stored unchanged for the page."""

    name: str
    tokenizers: list[str]
    text: str
    view: dict[str, Any] = {}


class SessionFileBody(RootModel[dict[str, Any]]):
    """A session's file."""


class DocumentBody(TextBody):
    """A text to edit, under one to eight tokenizers; compared where `ignore_spaces` says how."""

    tokenizers: list[str]
    text: str
    ignore_spaces: Annotated[
        bool | None,
        Field(description="As in /compare; null without a comparison."),
    ] = None


class ExcerptBody(DocumentBody):
    """Whole characters taken out of a long text, and whether that starts and ends there."""

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


class GuessBody(TraceBody):
    """One text, and where somebody thinks that its tokens end."""

    guess: Annotated[
        list[int], Field(description="Bytes of the text between two characters, each once; without its two ends.")
    ]


@with_options(SheetOptions)
class AnswersBody(Body):
    """A sheet of exercises, and what was answered."""

    tokenizer: str
    answers: Annotated[
        list[Answer],
        Field(description="Of each task the number of a choice, a list of boundaries in bytes, or null: not answered."),
    ]


class MarksBody(AnswersBody):
    """Answers to mark."""

    keep: Annotated[bool, Field(description="Keep them as the progress on this sheet.")] = True


class SaveAnswersBody(AnswersBody):
    """Answers to save as a file."""

    name: Annotated[str, Field(max_length=200, description="The name of the learner; may be empty.")] = ""


class LessonBody(TraceBody):
    """One text of at most 10 000 characters, how many tokens a lesson on training learns from it, 1 to 1000, and the seed."""

    learn: int = DEFAULT_LEARN
    seed: Annotated[
        int, Field(description="Of the paths that unigram-encode draws, 0 to 2**64 - 1: the same seed draws the same.")
    ] = 0
    add_special_tokens: AddSpecialTokens = True


class HandoutLesson(Body):
    """A lesson of a handout, and where it begins."""

    name: str
    way: Annotated[Way, Field(description="Whether it begins as a task.")] = "watch"
    at: Annotated[int, Field(description="The step at which it begins.")] = 0
    learn: int = DEFAULT_LEARN
    seed: int = 0


@with_options(SheetOptions)
class HandoutSheet(Body):
    """A sheet of exercises."""


class HandoutBody(TextBody):
    """A text, its tokenizers, and the lesson on it; without a lesson the handout shows the tokens. Exercises have no text."""

    tokenizers: Annotated[list[str], Field(description="One for a lesson and for exercises, one to four for a text.")]
    text: str = ""
    lesson: HandoutLesson | None = None
    exercises: HandoutSheet | None = None
    folder: Annotated[
        bool,
        Field(description="A folder for a web server, with whole vocabularies, as a ZIP file in place of one page."),
    ] = False


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


class EditsRecipeBody(Body):
    """A list of edits, see docs/guide/workshop.md."""

    edits: list[dict[str, Any]]


class EditsReadBody(Body):
    """A recipe's TOML."""

    toml: str


class EditsBody(EditsRecipeBody):
    """A tokenizer, and the edits that are applied to it from top to bottom."""

    base: str


class EditsTextBody(EditsBody):
    """The same, and a text that must come back as it did. `run`: a name by which others ask how far it is."""

    text: str = ""
    run: str = ""


class EditsCorpusBody(EditsBody):
    """The same, and a corpus to measure them on. `run`: a name by which others ask how far it is."""

    corpus: str
    run: str = ""


class DiffCorpusBody(Body):
    """Two tokenizers and a corpus. `run`: a name by which others ask how far it is."""

    a: str
    b: str
    corpus: str
    run: str = ""


class EditsRowsBody(EditsBody):
    """The same, and the format of the file."""

    format: Literal["json", "csv", "npz", "parquet"]


class EditsTokenizerBody(EditsBody):
    """The same, and the id of the new tokenizer."""

    id: str


class AddBody(Body):
    """A file or folder of this machine, the id of a known tokenizer to fetch, a repository of a Hub, or a recipe."""

    path: str | None = None
    known: str | None = None
    hub: Annotated[str | None, Field(description="OWNER/NAME, OWNER/NAME@REVISION or OWNER/NAME:FILE.")] = None
    token: Annotated[
        str | None, Field(description="A token of the Hub, for this download alone; with `known` or `hub`.", repr=False)
    ] = None
    recipe: Annotated[dict[str, Any] | None, Field(description="A recipe; needs an id.")] = None
    wait: Annotated[bool, Field(description="Wait for the download; otherwise answer at once with its job.")] = True
    id: str | None = None
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None


class RenameBody(Body):
    """The name to show for a tokenizer."""

    name: str


class LabelBody(Body):
    """A name and a note for a kept result."""

    name: Annotated[str | None, Field(description="Empty: the lab's own; null: as it was.")] = None
    note: str = ""


@with_options(CorpusOptions)
class CorpusFields(Body):
    """How files become a corpus."""


class CorpusBody(CorpusFields):
    """Files, folders and patterns of this machine, by their full paths; or a corpus, to clean it in another way."""

    paths: Annotated[list[str] | None, Field(min_length=1)] = None
    corpus: Annotated[str | None, Field(description="A corpus whose files are read with `cleaning`.")] = None
    wait: Annotated[bool, Field(description="Wait until it is added; otherwise answer at once with the job.")] = True


class FilesBody(Body):
    """Files and folders of this machine, by their full paths."""

    paths: Annotated[list[str], Field(min_length=1, max_length=MOST_FILES)]


class CleaningBody(Body):
    """Steps of cleaning to try on a corpus, or on files that need not be one."""

    corpus: str | None = None
    paths: Annotated[list[str] | None, Field(min_length=1)] = None
    text_column: str | None = None
    cleaning: list[str]


class LanguageExamplesBody(Body):
    """A language of a corpus, and the tokenizers that count its documents."""

    corpus: str
    language: str
    tokenizers: Annotated[list[str], Field(min_length=1, max_length=MAX_TOKENIZERS)]
    limit: Annotated[int, Field(ge=1, le=MAX_EXAMPLES, description="Documents.")] = EXAMPLES


class PreferencesBody(RootModel[dict[str, Any]]):
    """Any object."""


class TruncateBody(Body):
    """A text, and the size to truncate the vocabulary to."""

    size: Annotated[int | None, Field(ge=0, description="The size, added tokens included; default all.")] = None
    text: str


@with_options(ConformanceOptions)
class ConformanceBody(Body):
    """A tokenizer, and the texts to compare."""

    tokenizer: str


@with_options(RobustnessOptions)
class RobustnessBody(Body):
    """Tokenizers, and the corpus whose sentences are edited."""

    tokenizers: list[str]
    corpus: str


@with_options(AnalysisOptions)
class AnalysisBody(Body):
    """A corpus, tokenizers, and what to measure."""

    corpus: Annotated[str, Field(description="The id of a corpus.")]
    tokenizers: Annotated[list[str], Field(description="1 to 16 tokenizers.")]


@with_options(Page)
@with_options(Query)
class ConcordanceBody(Body):
    """A token or a word, the corpus to find it in, and the page of the answer."""

    tokenizer: str
    corpus: str


@with_options(Page, "max_bytes")
class SegmentationsBody(Body):
    """A word, and the corpus to find it in."""

    tokenizer: str
    corpus: str
    word: str
