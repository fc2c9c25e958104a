"""List the differences between two tokenizers, part by part, and what that does to a text."""

from dataclasses import dataclass
from typing import Any

from lab_app.analysis import difference as parts
from lab_app.engine import Specials, Tokenizer
from lab_app.library.definition import definition
from lab_app.services.compare import Comparison, compare
from lab_app.services.lab import Lab
from lab_app.settings import DEFAULT_SPECIALS

# Entries named in an answer; the counts are of all.
SHOWN = 200


@dataclass(frozen=True)
class Difference:
    """Two tokenizers a and b as data, and on a text where one was given."""

    a: str
    b: str
    stages: dict[str, tuple[Any, Any]]
    """The parts around the vocabulary that differ, as tokenizer.json writes them."""
    vocabulary: parts.Changes[Any]
    merges: parts.Merges | None
    """None where neither has merges, or the format cannot say them."""
    added_tokens: parts.Changes[str]
    effect: Comparison | None

    @property
    def same(self) -> bool:
        """Whether the two are one tokenizer as far as the format can say."""
        vocabulary, added = self.vocabulary, self.added_tokens
        return not (
            self.stages
            or vocabulary.removed
            or vocabulary.added
            or vocabulary.changed
            or added.removed
            or added.added
            or added.changed
            or (self.merges and self.merges.first_difference is not None)
        )

    def as_json(self) -> dict[str, Any]:
        """Counts of all, and the first entries of each kind."""
        return {
            "a": self.a,
            "b": self.b,
            "same": self.same,
            "stages": [{"stage": stage, "a": a, "b": b} for stage, (a, b) in self.stages.items()],
            "vocabulary": _changes(self.vocabulary),
            "merges": None
            if self.merges is None
            else {
                "kept": self.merges.kept,
                "removed_count": len(self.merges.removed),
                "added_count": len(self.merges.added),
                "first_difference": self.merges.first_difference,
                "removed": [list(pair) for pair in self.merges.removed[:SHOWN]],
                "added": [list(pair) for pair in self.merges.added[:SHOWN]],
            },
            "added_tokens": _changes(self.added_tokens),
            "effect": None
            if self.effect is None
            else {
                "counts": [result.ids.size for result in self.effect.results],
                "agreement": float(self.effect.agreement[0, 1]),
                "divergences": len(self.effect.divergences),
            },
        }


def _changes(found: parts.Changes[Any]) -> dict[str, Any]:
    return {
        "kept": found.kept,
        "removed_count": len(found.removed),
        "added_count": len(found.added),
        "changed_count": len(found.changed),
        "removed": found.removed[:SHOWN],
        "added": found.added[:SHOWN],
        "changed": found.changed[:SHOWN],
    }


def difference(
    lab: Lab, a: str, b: str, text: str | None = None, *, specials: Specials = DEFAULT_SPECIALS
) -> Difference:
    """What it takes to turn `a` into `b`. Raises what `compare` does.

    Where tokenizer.json cannot hold one of them, tokens are compared by their bytes and stages by their names.

    >>> from lab_app.settings import Settings
    >>> found = difference(Lab(Settings()), "gpt2", "cl100k_base", "a 2048-token window")
    >>> len(found.effect.divergences), found.same
    (2, False)
    """
    effect = None if text is None else compare(lab, [a, b], text, add_special_tokens=False, specials=specials)
    (first, mine), (second, theirs) = lab.loaded.get(a), lab.loaded.get(b)
    left, right = definition(mine), definition(theirs)
    if left is None or right is None:
        return _by_name(first.id, second.id, mine, theirs, effect)
    stages = {stage: (left.get(stage), right.get(stage)) for stage in parts.STAGES}
    stages["model"] = (parts.settings_of(left), parts.settings_of(right))
    merges = parts.merges(parts.merges_of(left), parts.merges_of(right))
    return Difference(
        first.id,
        second.id,
        {stage: (of_a, of_b) for stage, (of_a, of_b) in stages.items() if of_a != of_b},
        parts.changes(parts.entries_of(left), parts.entries_of(right)),
        merges if "merges" in left["model"] or "merges" in right["model"] else None,
        parts.changes(parts.added_tokens_of(left), parts.added_tokens_of(right)),
        effect,
    )


def _by_name(a: str, b: str, mine: Tokenizer, theirs: Tokenizer, effect: Comparison | None) -> Difference:
    stages = {stage: (mine.stages[stage], theirs.stages[stage]) for stage in mine.stages}
    tokens = [{_name(token): id for token, id in each.vocab().items()} for each in (mine, theirs)]
    return Difference(
        a,
        b,
        {stage: (of_a, of_b) for stage, (of_a, of_b) in stages.items() if of_a != of_b},
        parts.changes(*tokens),
        None,
        parts.changes(mine.special_tokens, theirs.special_tokens),
        effect,
    )


def _name(token: bytes) -> str:
    """A token as text, or its bytes in hex where it is no text."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return f"<{token.hex()}>"
