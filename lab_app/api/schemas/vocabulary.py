"""Answers about vocabularies: `/vocabulary`."""

from typing import Literal

from pydantic import BaseModel

from lab_app.api.schemas.answers import Span


class VocabularyToken(BaseModel):
    """One token of a vocabulary."""

    id: int
    text: str | None
    bytes: str
    special: bool
    rank: int | None
    score: float | None


class Vocabulary(BaseModel):
    """The tokens asked for."""

    tokens: list[VocabularyToken]


class TokenHead(BaseModel):
    """A token in short."""

    id: int
    text: str | None
    bytes: str


class VocabularyRow(TokenHead):
    """The facts of one token; `length` is in bytes, `parts` are what its last merge joins."""

    length: int
    characters: int | None
    kind: str
    script: str
    special: bool
    rank: int | None
    score: float | None
    part_of: int
    reachable: Literal["reachable", "unreachable", "undecided"] | None
    parts: tuple[TokenHead, TokenHead] | None


class FacetCount(BaseModel):
    """How many tokens choosing this would leave."""

    name: str
    count: int


class Facets(BaseModel):
    """Counts of what was found; `verdicts` is null before the audit."""

    kinds: list[FacetCount]
    scripts: list[FacetCount]
    verdicts: list[FacetCount] | None


class VocabularyPage(BaseModel):
    """One page of a search; `lengths` are counts per length in bytes, the last of 32 and more."""

    tokenizer: str
    count: int
    total: int
    offset: int
    tokens: list[VocabularyRow]
    facets: Facets
    lengths: list[int]
    elapsed_ns: int


class Reachability(BaseModel):
    """Whether any text gives a token, why, and such a text."""

    verdict: Literal["reachable", "unreachable", "undecided"]
    reason: str
    words: str
    text: str | None


class MergeNode(TokenHead):
    """A node of a merge tree; `left` and `right` are places in the list, null for a symbol."""

    rank: int | None
    left: int | None
    right: int | None


class Origin(BaseModel):
    """How a token came about; the last node is the token, `others` are what merges make in its place."""

    how: str
    words: str
    nodes: list[MergeNode]
    others: list[TokenHead]


class Without(BaseModel):
    """The best segmentation without the token; null stands for an unknown character."""

    tokens: list[TokenHead | None]
    score: float


class Merge(BaseModel):
    """Two tokens and what they make."""

    rank: int
    left: TokenHead
    right: TokenHead
    made: TokenHead


class MergedInto(BaseModel):
    """Merges that take the token, by rank, the first 200."""

    count: int
    merges: list[Merge]


class Inside(BaseModel):
    """Tokens that hold its bytes, the shortest first, the first 200."""

    count: int
    tokens: list[TokenHead]


class VocabularyDetail(BaseModel):
    """All there is to know of one token."""

    tokenizer: str
    token: VocabularyRow
    merge_count: int | None
    reachability: Reachability
    origin: Origin
    without: Without | None
    merged_into: MergedInto
    inside: Inside
    variants: list[TokenHead]


class AuditReason(BaseModel):
    """How many tokens a reason decided."""

    reason: str
    verdict: str
    words: str
    count: int


class Audit(BaseModel):
    """Audit which tokens a text can produce."""

    tokenizer: str
    count: int
    verdicts: dict[str, int]
    reasons: list[AuditReason]
    elapsed_ns: int


class CutToken(TokenHead):
    """A token of the text under the smaller vocabulary."""

    span_utf16: Span


class Cut(BaseModel):
    """A text under a vocabulary cut to `size`; `kept_count` of the `whole_count` tokens are still in it."""

    tokenizer: str
    sizes: tuple[int, int]
    size: int
    token_count: int
    whole_count: int
    kept_count: int
    unknown_count: int
    text_bytes: int
    built_ns: int
    tokens: list[CutToken]
