"""The result of an analysis: several tokenizers over one corpus. Its fields are those of its JSON.

Every number is a ratio of sums over the whole corpus (micro-average) unless its description says otherwise. Tokens are those
of the text: added special tokens are not counted. A metric that was not measured is None, with a reason in `not_measured`
of the object that lacks it. `registry` has the unit, the denominator and the traps of each metric.

Not here: the formulas (one file each in this folder), counting (`lab_app.engine.Tally`), keeping results (`lab_app.store`).
"""

from dataclasses import dataclass

from lab_app.number_words import short


@dataclass(frozen=True)
class CorpusFacts:
    """The text that was counted."""

    id: str
    title: str
    documents: int
    bytes: int
    """UTF-8 bytes of the documents that were counted, after cleaning."""
    characters: int
    """Code points of the same."""
    sha256: str
    """Of the corpus, whole, as its files are."""
    languages: list[str]
    """In the order of the corpus; empty if it names none."""
    is_parallel: bool
    """Whether line N has the same meaning in every language."""
    cleaning: dict[str, int]
    """Documents that each cleaning step changed or dropped."""
    sampled: float | None
    """Share of the bytes that were counted, in (0, 1]; None if all were."""
    empty: int
    """Lines or cells without text, which are no documents."""
    replaced_characters: int
    """Invalid in the file's encoding, and U+FFFD now."""
    skipped: int
    """Documents that could not be read."""
    skipped_documents: list["SkippedDocument"]
    """The first of them."""


@dataclass(frozen=True)
class SkippedDocument:
    """A document that could not be read."""

    place: str
    """The file, and the line, row or byte."""
    reason: str


@dataclass(frozen=True)
class AnalysisSettings:
    """Everything that changes the numbers."""

    measures: list[str]
    reference_language: str | None
    """The language that `premium` divides by; None if the text is not parallel."""
    context_lengths: list[int]
    """Document lengths in tokens for `lengths.share_above`."""
    alpha: float
    """Order of the Rényi entropy."""
    top: int
    """Rows of `frequencies`; all rows are in the Parquet file."""
    sample_bytes: int | None
    """How many bytes were asked for; None means all."""
    seed: int
    """Chooses the documents of a sample."""


@dataclass(frozen=True)
class Lengths:
    """Document lengths in tokens. A percentile is the smallest length that at least p % of the documents do not exceed."""

    mean: float
    median: int
    deviation: float
    """Standard deviation over all documents (divided by their number)."""
    min: int
    p5: int
    p25: int
    p75: int
    p95: int
    p99: int
    max: int
    share_above: dict[str, float]
    """Share of the documents longer than each context length, in [0, 1]."""


@dataclass(frozen=True)
class LengthHistogram:
    """Documents per bin of length. Bin i holds lengths from `edges[i]` up to, not including, `edges[i + 1]`."""

    edges: list[int]
    """In tokens, one more than there are bins; the same for every tokenizer of an analysis."""
    documents: list[int]
    overflow: int
    """Documents of length `edges[-1]` or more."""


@dataclass(frozen=True)
class Zipf:
    """A power law fitted to the counts of types: share of types with count c is proportional to c ** -exponent."""

    exponent: float
    """Of the distribution of counts, fitted by maximum likelihood."""
    interval: tuple[float, float]
    """95 %, from the curvature of the likelihood."""
    xmin: int
    """Smallest count that the fit uses, chosen by the Kolmogorov-Smirnov distance."""
    types: int
    """Types with at least that count."""
    distance: float
    """Kolmogorov-Smirnov distance between the counts and the fit, in [0, 1]."""
    rank_exponent: float
    """Slope of count over rank that follows from it: 1 / (exponent - 1)."""


@dataclass(frozen=True)
class RoundTrip:
    """Share of the documents, in [0, 1]."""

    exact: float
    """Decoding the ids returns the text."""
    nfc: float
    """It returns the text after Unicode normalization form C of both."""
    stable: float
    """Encoding the decoded text returns the same ids."""


@dataclass(frozen=True)
class Utf8:
    """How tokens divide the bytes of characters."""

    whole_token_rate: float
    """Tokens that are whole characters, per token."""
    crossing_token_rate: float
    """Tokens with parts of two characters, per token."""
    split_character_rate: float | None
    """Characters that several tokens hold, per character of several bytes; None without any."""


@dataclass(frozen=True)
class Digits:
    """Boundaries inside runs of digits, against groups of three from the right."""

    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True)
class LanguageResult:
    """One tokenizer on the documents of one language."""

    language: str
    script: str | None
    """Of most of its letters; None without letters."""
    documents: int
    bytes: int
    characters: int
    words: int | None
    """Stretches between white space."""
    words_unicode: int | None
    """Words of UAX 29 that hold a letter or a digit."""
    tokens: int
    bytes_per_token: float | None
    characters_per_token: float | None
    fertility: float | None
    """Tokens that overlap a word between white space, per such word."""
    continued_word_rate: float | None
    """Words of several tokens, per word, in [0, 1]."""
    fertility_unicode: float | None
    """As `fertility`, over words of UAX 29."""
    continued_word_rate_unicode: float | None
    unknown_rate: float | None
    """Unknown tokens per token, in [0, 1]."""
    unknown_character_rate: float | None
    """Characters inside unknown tokens, or in no token of a BPE model without one, per character, in [0, 1]."""
    premium: float | None
    """Tokens per token of the reference language, over the lines that both have."""
    parity: float | None
    """1 / premium: 1 is equal, below 1 this language needs more."""
    premium_lines: int | None
    """Lines that both have."""
    not_measured: dict[str, str]


@dataclass(frozen=True)
class FrequencyRow:
    """One type. `cumulative` is the share of all tokens that it and the more frequent ones cover."""

    rank: int
    """From 1; types of equal count by id."""
    id: int
    token: str
    """As the vocabulary spells it."""
    text: str | None
    """None if the bytes are not whole characters."""
    bytes: str
    """Lower-case hex."""
    count: int
    share: float
    cumulative: float
    unknown: bool
    """Whether it is the unknown token."""


@dataclass(frozen=True)
class Curve:
    """Counts at some ranks, about evenly spaced on a logarithmic axis. Each point is exact; first and last are there."""

    ranks: list[int]
    counts: list[int]
    """Occurrences of the token of that rank."""
    cumulative: list[float]
    """Share of all tokens that the types up to that rank cover, in [0, 1]."""


@dataclass(frozen=True)
class RarefactionPoint:
    """Expected number of types in a sample of that many tokens, drawn without replacement."""

    tokens: int
    types: float


@dataclass(frozen=True)
class TokenizerResult:
    """One tokenizer on the whole corpus."""

    tokenizer: str
    name: str
    sha256: str | None
    """Of its files; None for a plug-in."""
    tokens: int
    types: int
    """Different tokens that occur."""
    vocab_size: int
    never_seen: int
    """Ids that have a token, are not special, and do not occur."""
    normalised_sequence_length: float | None
    """`tokens` per token of the first tokenizer."""
    bytes_per_token: float | None
    characters_per_token: float | None
    fertility: float | None
    continued_word_rate: float | None
    fertility_unicode: float | None
    continued_word_rate_unicode: float | None
    milestones: dict[str, int]
    """The smallest number of types, most frequent first, that cover 50, 75, 90, 95 and 99 % of the tokens."""
    lengths: Lengths | None
    length_histogram: LengthHistogram | None
    zipf: Zipf | None
    renyi_entropy: float | None
    """In bits, of order `settings.alpha`."""
    renyi_efficiency: float | None
    """`renyi_entropy` divided by log2 of `vocab_size`."""
    renyi_efficiency_types: float | None
    """Of order 3, divided by log2 of `types`: the settings of the published package."""
    vocabulary_utilisation: float | None
    average_rank: float | None
    rarefaction: list[RarefactionPoint]
    unknown_tokens: int | None
    unknown_characters: int | None
    unknown_rate: float | None
    unknown_character_rate: float | None
    round_trip: RoundTrip | None
    utf8: Utf8 | None
    digits: Digits | None
    digit_f1: float | None
    """`digits.f1`."""
    space_boundary_rate: float | None
    """Runs of white space that a boundary touches, per run."""
    gini: float | None
    """Of the tokens per language on the lines that all languages have."""
    gini_languages: int | None
    """Languages in it: those of which at most 10 % of the characters are unknown."""
    languages: list[LanguageResult]
    scripts: list[LanguageResult]
    """The languages of one script taken together; `language` is the script. Without premium."""
    frequencies: list[FrequencyRow]
    curve: Curve
    not_measured: dict[str, str]


@dataclass(frozen=True)
class Versions:
    """What counted it."""

    lab: str
    commit: str | None
    engine: str
    """The build of the engine."""
    python: str
    cluster: str | None = None
    """The workers that counted it, in words; None if one process did."""


@dataclass(frozen=True)
class TokenRatio:
    """Tokens of one tokenizer per token of another on the same documents."""

    tokenizer: str
    against: str
    ratio: float
    interval: tuple[float, float]
    """Where the ratios of the drawn samples lie."""

    @property
    def is_told_apart(self) -> bool:
        """Whether the interval leaves out 1, at which both need equally many tokens."""
        return not self.interval[0] <= 1 <= self.interval[1]

    @property
    def words(self) -> str:
        """The ratio with its interval.

        >>> print(TokenRatio("b", "a", 0.95, (0.9451, 0.9549)).words, "|", TokenRatio("b", "a", 1.0, (0.99, 1.02)).words)
        0.95 (0.9451 to 0.9549) | 1 (0.99 to 1.02), not told apart
        """
        interval = " to ".join(short(each) for each in self.interval)
        return f"{short(self.ratio)} ({interval}){'' if self.is_told_apart else ', not told apart'}"


@dataclass(frozen=True)
class TokenRatios:
    """The ratio of each pair of tokenizers, later ones against earlier ones."""

    ratios: list[TokenRatio]
    level: float
    """Share of the drawn samples inside of an interval."""
    resamples: int
    groups: int
    """Groups of documents that were drawn from: one each if there are few, otherwise at most 1,024."""
    seed: int


@dataclass(frozen=True)
class CorpusResult:
    """Several tokenizers over one corpus."""

    id: int | None
    """Under which it is kept; None if it is not."""
    made_at: str
    """UTC, ISO 8601."""
    elapsed_s: float
    corpus: CorpusFacts
    settings: AnalysisSettings
    versions: Versions
    command: str
    """Repeats it, for a POSIX shell."""
    tokenizers: list[TokenizerResult]
    agreement: list[list[float | None]] | None
    """Jaccard index of the boundaries of each pair of tokenizers, in [0, 1]."""
    not_measured: dict[str, str]
    """Metrics that no tokenizer has, with the reason."""
    name: str = ""
    """The one that was given to the kept result, or the title of the corpus; empty if it is not kept."""
    token_ratios: TokenRatios | None = None
    """None if there is one tokenizer, or an earlier version of the lab made the analysis."""
