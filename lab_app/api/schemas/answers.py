"""Bodies of answers, for the interactive pages and for who writes a client. The services make the values."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

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


class Entry(BaseModel):
    """One tokenizer of the catalog."""

    id: str
    name: str
    family: str | None
    available: bool
    source: Literal["built in", "downloaded", "added", "composed", "plug-in"]
    vocab_size: int | None
    base_vocab_size: int | None
    licence: str | None
    origin: str | None
    sha256: str | None
    size_bytes: int | None
    special_tokens: list[SpecialToken]
    stages: Stages | None
    lossy: str | None
    repository: str | None
    revision: str | None
    gated: bool
    needs: str | None
    problem: Problem | None


class Tokenizers(BaseModel):
    """The catalog, in its order."""

    tokenizers: list[Entry]


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
    template_count: int | None
    padding_count: int
    unknown_count: int
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


class Compatibility(BaseModel):
    """How far b can stand in for a; shares are in 0 to 1, null where they are not measured."""

    a: str
    b: str
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
    """Why a text is cut where it is."""

    tokenizer: str
    text_bytes: int
    cuts: list[int]
    places: list[Place]
    left_out: int


class ReportLine(BaseModel):
    """A saved session in the list; `counts` are tokens by tokenizer."""

    id: int
    name: str
    saved_at: str
    text_characters: int
    beginning: str
    counts: dict[str, int]


class Reports(BaseModel):
    """The saved sessions, the newest first."""

    reports: list[ReportLine]


class Saved(BaseModel):
    """The id of a session that was saved."""

    id: int


class SavedResult(BaseModel):
    """What one tokenizer made of the text of a session; `sha256` null where the tokenizer has no files."""

    tokenizer: str
    sha256: str | None
    count: int


class Report(BaseModel):
    """A saved session."""

    id: int
    name: str
    saved_at: str
    text: str
    add_special_tokens: bool
    specials: str
    view: dict[str, Any]
    results: list[SavedResult]


class Change(BaseModel):
    """One tokenizer of a session then and now."""

    tokenizer: str
    count_before: int
    count_now: int | None
    same: bool | None
    first_difference: int | None
    files_changed: bool | None
    problem: str | None


class SinceThen(BaseModel):
    """What became different since a session was saved."""

    changes: list[Change]


class VocabularyToken(BaseModel):
    """One token of a vocabulary."""

    id: int
    text: str | None
    bytes: str
    special: bool
    rank: int | None


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
    """Which tokens any text gives."""

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


Preferences = dict[str, Any]
