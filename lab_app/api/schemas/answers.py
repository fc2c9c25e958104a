"""Bodies of answers, for the interactive pages and for who writes a client. The services make the values."""

from typing import Any, Literal

from pydantic import BaseModel

Span = tuple[int, int]


class SpecialToken(BaseModel):
    """A special token and its id."""

    text: str
    id: int


class Stages(BaseModel):
    """The stages of a tokenizer in a few words each, "none" where absent."""

    normalizer: str
    pretokenizer: str
    model: str
    postprocessor: str
    decoder: str


class Problem(BaseModel):
    """Why an entry cannot be loaded."""

    message: str
    hint: str


class FileTruncation(BaseModel):
    """What the file says of truncation; applied only if asked for."""

    max_length: int
    stride: int
    strategy: Literal["longest_first", "only_first", "only_second"]
    direction: Literal["left", "right"]


class FilePadding(BaseModel):
    """What the file says of padding; applied only if asked for."""

    length: int | None
    pad_to_multiple_of: int | None
    pad_id: int
    pad_type_id: int
    pad_token: str
    direction: Literal["left", "right"]


class IgnoredField(BaseModel):
    """A field of the file that has no effect."""

    place: str
    value: str


class Entry(BaseModel):
    """One tokenizer of the catalog."""

    id: str
    name: str
    family: str | None
    available: bool
    source: Literal["built in", "downloaded", "added", "composed", "plug-in"]
    vocab_size: int | None
    base_vocab_size: int | None
    merge_count: int | None
    licence: str | None
    origin: str | None
    sha256: str | None
    size_bytes: int | None
    special_tokens: list[SpecialToken]
    stages: Stages | None
    changing_stages: list[Literal["normalizer", "pretokenizer"]] | None
    lossy: str | None
    truncation: FileTruncation | None
    padding: FilePadding | None
    ignored_fields: list[IgnoredField]
    repository: str | None
    revision: str | None
    gated: bool
    checked: bool | None
    needs: str | None
    problem: Problem | None


class Tokenizers(BaseModel):
    """The catalog, in its order, and the names of the split patterns that a rank file may be given."""

    tokenizers: list[Entry]
    patterns: list[str]


class Blocks(BaseModel):
    """Names of what stages are put together from."""

    normalizers: list[str]
    pretokenizers: list[str]


class Job(BaseModel):
    """Long work: `done` of `total`, in `unit`; `total` is null where nobody knows it."""

    id: str
    kind: str
    title: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    done: int
    total: int | None
    unit: str
    words: str
    result: Any
    error: dict[str, str] | None


class Jobs(BaseModel):
    """The jobs of this run, oldest first."""

    jobs: list[Job]


class Token(BaseModel):
    """One token of a text. Spans are half-open, in the original text."""

    id: int
    text: str | None
    bytes: str
    span_utf8: Span | None
    span_char: Span | None
    span_utf16: Span | None
    special: bool
    sequence: int | None


class Result(BaseModel):
    """One text under one tokenizer."""

    tokenizer: str
    text_bytes: int
    text_characters: int
    count: int
    text_token_count: int | None
    template_count: int | None
    padding_count: int
    unknown_count: int
    bytes_per_token: float | None
    characters_per_token: float | None
    unknown_rate: float | None
    pretoken_count: int | None
    split_character_count: int | None
    has_spans: bool
    round_trip: bool
    elapsed_ns: int
    ids: list[int]
    type_ids: list[int]
    attention_mask: list[int]
    overflowing: list[list[int]]
    tokens: list[Token]


class Chat(BaseModel):
    """Messages as a text and its tokens."""

    tokenizer: str
    template: str
    text: str
    spelled_by_messages: list[str]
    result: Result


class ChatTemplates(BaseModel):
    """The names of a tokenizer's chat templates."""

    templates: list[str]


class Batch(BaseModel):
    """The ids of many texts."""

    tokenizer: str
    counts: list[int]
    ids: list[list[int]]
    attention_mask: list[list[int]]


class Decoded(BaseModel):
    """What ids stand for; `text` is null where the bytes are not UTF-8, `bytes` is lower-case hex."""

    text: str | None
    bytes: str


class DecodedBatch(BaseModel):
    """One text per row; bytes that are not UTF-8 become U+FFFD."""

    texts: list[str]


class Divergence(BaseModel):
    """A stretch on which tokenizers differ."""

    span_utf8: Span
    span_utf16: Span
    kind: str
    counts: dict[str, int]
    boundaries: dict[str, list[int]]


class Comparison(BaseModel):
    """One text under several tokenizers."""

    text_bytes: int
    text_characters: int
    tokenizers: list[Result]
    agreement: list[list[float]]
    divergences: list[Divergence]


class Classic(BaseModel):
    """What one textbook encoder made of a text; null where it did not run, and `problem` says why."""

    algorithm: str
    description: str
    count: int | None
    ids: list[int] | None
    ends_utf8: list[int] | None
    steps: dict[str, int] | None
    same_ids: bool | None
    problem: str | None


class Classics(BaseModel):
    """One text under the textbook encoders."""

    tokenizer: str
    encoders: list[Classic]


class RemovingEdit(BaseModel):
    """An edit after which one token covers what was on both sides of a cut."""

    kind: Literal["delete", "insert", "replace", "change the case of", "write in lower case"]
    span_utf8: Span
    by: str
    text: str
    token: str
    summary: str


class Place(BaseModel):
    """Why a text is cut at a place, or why not."""

    at: int
    cut: bool
    stage: Literal["edge", "added token", "normalizer", "pretokenizer", "model"]
    rule: str | None
    details: dict[str, Any] | None
    summary: str
    edit: RemovingEdit | None


class Explanation(BaseModel):
    """Explain the boundaries of a text."""

    tokenizer: str
    text_bytes: int
    cuts: list[int]
    places: list[Place]
    left_out: int


class RoundTrip(BaseModel):
    """Whether decoding gives the text of that version back, per tokenizer."""

    version: int
    round_trip: list[bool]


class TextChange(BaseModel):
    """A stretch of the text, and what the model sees in its place."""

    span_utf8: list[int]
    span_utf16: list[int]
    text: str


class Changes(BaseModel):
    """List what the normalizer changes."""

    tokenizer: str
    text_bytes: int
    changes: list[TextChange]


Preferences = dict[str, Any]
