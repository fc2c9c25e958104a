"""What every stage did with a text. The engine writes it; `docs/reference/trace.md` explains it.

Spans are half-open, in bytes of the original text. Not here: the reason for one boundary (`explain`).
"""

from dataclasses import dataclass
from typing import Any, Literal

from lab_app.engine import Specials
from lab_app.errors import BadValue
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import Span
from lab_app.settings import DEFAULT_SPECIALS

MAX_CHARACTERS = 10_000
"""The longest text that the engine traces."""


@dataclass(frozen=True)
class TracedToken:
    """A token; `span` is None if the postprocessor added it."""

    id: int
    span: Span | None


@dataclass(frozen=True)
class TracedPretoken:
    """A piece of the text after a step; `added` is the id of an added token."""

    text: str
    span: Span
    added: int | None


@dataclass(frozen=True)
class TracedStep:
    """A step of the normalizer or the pretokenizer, and the text after it."""

    step: str
    pretokens: list[TracedPretoken]


@dataclass(frozen=True)
class TracedMerge:
    """A merge that was done. `score` is that of the new token if merges are ordered by scores."""

    rank: int
    pair: tuple[int, int]
    id: int
    span: Span
    score: float | None


@dataclass(frozen=True)
class BlockedMerge:
    """A merge across a boundary that another merge blocked: the one at index `by`."""

    rank: int
    pair: tuple[int, int]
    by: int
    score: float | None


@dataclass(frozen=True)
class MergeBoundary:
    """A boundary that is left, between the two tokens `pair`."""

    byte: int
    pair: tuple[int, int]
    blocked: list[BlockedMerge]


@dataclass(frozen=True)
class BpeSteps:
    """Byte-pair encoding: the symbols, and the merges in order. With `whole` the pretoken is one token without a merge."""

    model: Literal["bpe"]
    whole: bool
    symbols: list[TracedToken]
    merges: list[TracedMerge]
    boundaries: list[MergeBoundary]


@dataclass(frozen=True)
class LatticeNode:
    """A token that could be there; `id` is None for an unknown character."""

    id: int | None
    span: Span
    score: float


@dataclass(frozen=True)
class LatticePath:
    """A segmentation of the pretoken and the sum of its scores."""

    tokens: list[TracedToken]
    score: float


@dataclass(frozen=True)
class AlternativePath:
    """The part of a path that differs from the best one; `left_out` counts the tokens of it that are not listed."""

    tokens: list[TracedToken]
    score: float
    span: Span
    left_out: int


@dataclass(frozen=True)
class WeighedSegmentation:
    """A segmentation of a unit, the sum of its scores, and its probability among all."""

    tokens: list[TracedToken]
    score: float
    probability: float


@dataclass(frozen=True)
class PossibleBoundary:
    """A place inside a unit, after `character` characters of it, and the probability that a boundary is there."""

    byte: int
    character: int
    probability: float


@dataclass(frozen=True)
class LatticeUnit:
    """A span between two boundaries that every segmentation has."""

    text: str
    span: Span
    n_best: list[WeighedSegmentation]
    boundaries: list[PossibleBoundary]


@dataclass(frozen=True)
class UnigramSteps:
    """The most probable path through the lattice. `without` has, for each boundary, the best path without it."""

    model: Literal["unigram"]
    nodes: list[LatticeNode]
    best: LatticePath
    runner_up: LatticePath | None
    without: list[tuple[int, AlternativePath | None]]
    units: list[LatticeUnit]


@dataclass(frozen=True)
class Tries:
    """The first lookups for one token, longest first, the number of lookups, and the token found."""

    byte: int
    candidates: list[str]
    tried: int
    found: int | None


@dataclass(frozen=True)
class WordPieceSteps:
    """Greedy longest match. `too_long`: the word is longer than the model takes."""

    model: Literal["word_piece"]
    tries: list[Tries]
    too_long: bool


@dataclass(frozen=True)
class PlainSteps:
    """A model without steps, or an added token that no model saw."""

    model: Literal["added", "word_level", "words", "characters"]


@dataclass(frozen=True)
class Pretoken:
    """A piece of the text as the model sees it. `alignment` has the span of each of its characters."""

    text: str
    span: Span
    alignment: list[Span]
    split_by: str | None
    """The step that made the boundary before it; None at the start of the text."""
    branch: str | None
    """The branch of a known pattern that matched."""
    user_defined: list[Span]
    steps: BpeSteps | UnigramSteps | WordPieceSteps | PlainSteps
    tokens: list[TracedToken]


@dataclass(frozen=True)
class Trace:
    """What every stage did; `tokens` are those after the postprocessor."""

    text_bytes: int
    normalizer: list[TracedStep]
    pretokenizer: list[TracedStep]
    pretokens: list[Pretoken]
    tokens: list[TracedToken]


def trace_of(lab: Lab, id: str, text: str, *, specials: Specials = DEFAULT_SPECIALS) -> dict[str, Any]:
    """A `Trace` as plain data. Raises as `encode` does, and BadValue for a text too long to be traced.

    >>> from lab_app.settings import Settings
    >>> trace_of(Lab(Settings()), "gpt2", "a b")["pretokens"][1]["split_by"]
    'GPT-2 pattern'
    """
    refuse_surrogates(text)
    refuse_too_long(text, "traced")
    _, tokenizer = lab.loaded.get(id)
    with translate_engine_errors():
        trace: dict[str, Any] = tokenizer.trace(text, specials=specials).as_dict()
    return trace


def refuse_too_long(text: str, done: str) -> None:
    """Raises BadValue for a text that the engine does not trace. The engine does so too, and always speaks of a trace."""
    if len(text) > MAX_CHARACTERS:
        raise BadValue(
            f"the text has {len(text)} characters, more than the {MAX_CHARACTERS} that can be {done} at once",
            "give a part of it",
        )
