"""Bodies of answers, for the interactive pages and for who writes a client. The services make the values."""

from typing import Literal

from pydantic import BaseModel


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
