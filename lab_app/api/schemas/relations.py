"""Answers about two tokenizers beside each other: `/transfer`, `/compatibility`, `/difference`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field


class Loss(BaseModel):
    """What did not come across from one tokenizer to another; `where` is an index among the ids given."""

    kind: Literal["special", "bytes", "unknown", "text", "source"]
    what: str
    where: int | None


class Transfer(BaseModel):
    """Ids of one tokenizer re-expressed in another."""

    source: Annotated[str, Field(alias="from")]
    target: Annotated[str, Field(alias="to")]
    text: str
    from_count: int
    to_count: int
    from_ids: list[int]
    to_ids: list[int]
    lossless: bool
    losses: list[Loss]


class SpecialInTwo(BaseModel):
    """The ids of a special token in two tokenizers, null where it is not there."""

    text: str
    a: int | None
    b: int | None


class EmbeddingRows(BaseModel):
    """Where the rows of an embedding table for b could come from in that of a."""

    copied: int
    composed: int
    mean_parts: float | None
    fresh: int


class VocabularyParts(BaseModel):
    """Tokens only in a, in both, and only in b."""

    only_a: int
    both: int
    only_b: int


class TwoVocabularies(BaseModel):
    """How the tokens of two vocabularies add up."""

    ordinary: VocabularyParts
    special: VocabularyParts
    all: VocabularyParts


class Compatibility(BaseModel):
    """How far b can stand in for a; shares are in 0 to 1, null where they are not measured."""

    a: str
    b: str
    vocabularies: TwoVocabularies
    size_a: int
    size_b: int
    shared_tokens: int
    same_ids: int
    jaccard: float | None
    share_of_a: float | None
    share_of_b: float | None
    specials: list[SpecialInTwo]
    rows: EmbeddingRows
    agreement: float | None
    counts: list[int] | None
    divergences: int | None


class StageDifference(BaseModel):
    """A stage that differs, as tokenizer.json writes it."""

    stage: str
    a: Any
    b: Any


class Changes(BaseModel):
    """Counts of all entries, and the first of each kind."""

    kept: int
    removed_count: int
    added_count: int
    changed_count: int
    removed: list[str]
    added: list[str]
    changed: list[str]


class MergeChanges(BaseModel):
    """The same for merges, pairs of tokens; `first_difference` is a rank."""

    kept: int
    removed_count: int
    added_count: int
    first_difference: int | None
    removed: list[list[str]]
    added: list[list[str]]


class Effect(BaseModel):
    """What the differences do to a text."""

    counts: list[int]
    agreement: float
    divergences: int


class Difference(BaseModel):
    """What it takes to turn a into b."""

    a: str
    b: str
    same: bool
    stages: list[StageDifference]
    vocabulary: Changes
    merges: MergeChanges | None
    added_tokens: Changes
    effect: Effect | None
