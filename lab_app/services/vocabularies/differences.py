"""Lists the differences between two tokenizers, part by part, and their effect on a text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab_app.analysis import tokenizer_diff as parts
from lab_app.engine import Specials, Tokenizer
from lab_app.library.definition import definition
from lab_app.services.lab import Lab
from lab_app.services.text.compare import Comparison, compare
from lab_app.settings import DEFAULT_SPECIALS

MAX_LISTED = 200
"""Entries named in a result; the counts are of all."""


@dataclass(frozen=True)
class StageDifference:
    """A stage that differs, as tokenizer.json writes it; None in a tokenizer that lacks it."""

    stage: str
    a: Any
    b: Any


@dataclass(frozen=True)
class EntryChanges:
    """Entries to remove from a, to add and to change to get b: counts of all, and the first of each kind."""

    kept: int
    removed_count: int
    added_count: int
    changed_count: int
    removed: list[str]
    added: list[str]
    changed: list[str]

    @property
    def any(self) -> bool:
        """Whether an entry differs."""
        return bool(self.removed_count or self.added_count or self.changed_count)


@dataclass(frozen=True)
class MergeChanges:
    """Likewise for merges, each a pair of tokens."""

    kept: int
    removed_count: int
    added_count: int
    first_difference: int | None
    """The first rank at which the lists differ; None if they are equal."""
    removed: list[tuple[str, str]]
    added: list[tuple[str, str]]


@dataclass(frozen=True)
class Effect:
    """What the differences do to a text: tokens per tokenizer, Jaccard index of the boundaries, stretches that differ."""

    counts: tuple[int, int]
    agreement: float
    divergences: int


@dataclass(frozen=True)
class TokenizerDiff:
    """What it takes to turn tokenizer a into b."""

    a: str
    b: str
    same: bool
    """Whether the two are one tokenizer, as far as the format can tell."""
    stages: list[StageDifference]
    vocabulary: EntryChanges
    merges: MergeChanges | None
    """None if neither has merges, or the format cannot hold them."""
    added_tokens: EntryChanges
    effect: Effect | None
    """None without a text."""


def tokenizer_diff(
    lab: Lab, a: str, b: str, text: str | None = None, *, specials: Specials = DEFAULT_SPECIALS
) -> TokenizerDiff:
    """Lists what it takes to turn `a` into `b`. Raises what `compare` raises.

    If tokenizer.json cannot hold one of them, tokens are compared by their bytes and stages by their descriptions.

    >>> from lab_app.settings import Settings
    >>> found = tokenizer_diff(Lab(Settings()), "gpt2", "cl100k_base", "a 2048-token window")
    >>> found.effect.divergences, found.same
    (2, False)
    """
    effect = None if text is None else compare(lab, [a, b], text, add_special_tokens=False, specials=specials)
    (first, mine), (second, theirs) = lab.loaded.get(a), lab.loaded.get(b)
    left, right = definition(mine), definition(theirs)
    if left is None or right is None:
        return _by_name(first.id, second.id, mine, theirs, effect)
    stages = {stage: (left.get(stage), right.get(stage)) for stage in parts.STAGES}
    stages["model"] = (parts.settings_of(left), parts.settings_of(right))
    has_merges = "merges" in left["model"] or "merges" in right["model"]
    return _diff(
        (first.id, second.id),
        stages,
        _entries(parts.entries_of(left), parts.entries_of(right)),
        _merges(left, right) if has_merges else None,
        _entries(parts.added_tokens_of(left), parts.added_tokens_of(right)),
        effect,
    )


def _by_name(a: str, b: str, mine: Tokenizer, theirs: Tokenizer, effect: Comparison | None) -> TokenizerDiff:
    stages = {stage: (mine.stages[stage], theirs.stages[stage]) for stage in mine.stages}
    tokens = [{_name(token): id for token, id in each.vocab().items()} for each in (mine, theirs)]
    added = _entries(mine.special_tokens, theirs.special_tokens)
    return _diff((a, b), stages, _entries(*tokens), None, added, effect)


def _diff(
    ids: tuple[str, str],
    stages: Mapping[str, tuple[Any, Any]],
    vocabulary: EntryChanges,
    merges: MergeChanges | None,
    added_tokens: EntryChanges,
    effect: Comparison | None,
) -> TokenizerDiff:
    differing = [StageDifference(stage, a, b) for stage, (a, b) in stages.items() if a != b]
    other_merges = merges is not None and merges.first_difference is not None
    return TokenizerDiff(
        *ids,
        not (differing or vocabulary.any or added_tokens.any or other_merges),
        differing,
        vocabulary,
        merges,
        added_tokens,
        None if effect is None else _effect(effect),
    )


def _effect(found: Comparison) -> Effect:
    a, b = (result.ids.size for result in found.results)
    return Effect((a, b), float(found.agreement[0, 1]), len(found.divergences))


def _entries(a: Mapping[Any, object], b: Mapping[Any, object]) -> EntryChanges:
    found: parts.Changes[str] = parts.changes(a, b)
    return EntryChanges(
        kept=found.kept,
        removed_count=len(found.removed),
        added_count=len(found.added),
        changed_count=len(found.changed),
        removed=found.removed[:MAX_LISTED],
        added=found.added[:MAX_LISTED],
        changed=found.changed[:MAX_LISTED],
    )


def _merges(left: Mapping[str, Any], right: Mapping[str, Any]) -> MergeChanges:
    found = parts.merges(parts.merges_of(left), parts.merges_of(right))
    return MergeChanges(
        kept=found.kept,
        removed_count=len(found.removed),
        added_count=len(found.added),
        first_difference=found.first_difference,
        removed=found.removed[:MAX_LISTED],
        added=found.added[:MAX_LISTED],
    )


def _name(token: bytes) -> str:
    """A token as text, or its bytes in hex if they are not whole characters."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return f"<{token.hex()}>"
