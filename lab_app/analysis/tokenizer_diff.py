"""List the differences between two tokenizers as tokenizer.json describes them: entries, merges, special tokens, stages.

Works on the parsed JSON. Not here: what the differences do to a text (`divergence`).
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
"""The stages around the model, as the format calls them."""


@dataclass(frozen=True)
class Changes(Generic[Key]):
    """What it takes to get from one mapping to another, each list in the order of the mapping it comes from."""

    removed: list[Key]
    added: list[Key]
    changed: list[Key]
    """In both, with different values."""
    kept: int
    """In both, with equal values."""


def changes(a: Mapping[Key, object], b: Mapping[Key, object]) -> Changes[Key]:
    """What to remove from `a`, add to it and change in it to get `b`.

    >>> changes({"x": 1, "y": 2, "z": 3}, {"y": 2, "z": 4, "w": 5})
    Changes(removed=['x'], added=['w'], changed=['z'], kept=1)
    """
    shared = [key for key in a if key in b]
    changed = [key for key in shared if a[key] != b[key]]
    return Changes(
        [key for key in a if key not in b], [key for key in b if key not in a], changed, len(shared) - len(changed)
    )


@dataclass(frozen=True)
class Merges:
    """Two lists of merges, a and b."""

    removed: list[tuple[str, str]]
    added: list[tuple[str, str]]
    kept: int
    first_difference: int | None
    """The first rank at which the lists differ; None where they are equal."""


def merges(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> Merges:
    """What differs between two lists of merges, in the order of the lists.

    >>> merges([("a", "b"), ("ab", "c")], [("a", "b"), ("b", "c")])
    Merges(removed=[('ab', 'c')], added=[('b', 'c')], kept=1, first_difference=1)
    """
    in_a, in_b = set(a), set(b)
    unequal = (rank for rank, (left, right) in enumerate(zip(a, b, strict=False)) if left != right)
    end = None if len(a) == len(b) else min(len(a), len(b))
    return Merges(
        [pair for pair in a if pair not in in_b],
        [pair for pair in b if pair not in in_a],
        len(in_a & in_b),
        next(unequal, end),
    )


def merges_of(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The merges of a parsed tokenizer.json in either of the two spellings; none where the model has none."""
    found: Iterable[Any] = definition["model"].get("merges") or []
    return [pair if type(pair) is tuple else _pair(pair) for pair in found]


def _pair(written: Any) -> tuple[str, str]:
    left, right = written.split(" ", 1) if isinstance(written, str) else written
    return left, right


def entries_of(definition: Mapping[str, Any]) -> dict[str, object]:
    """Tokens of the model as the file spells them: their ids, or where the model has scores id and score.

    >>> entries_of({"model": {"vocab": [["a", -1.5], ["b", -2.0]]}})
    {'a': (0, -1.5), 'b': (1, -2.0)}
    """
    vocab = definition["model"]["vocab"]
    if isinstance(vocab, Mapping):
        return dict(vocab)
    return {token: (id, score) for id, (token, score) in enumerate(vocab)}


def settings_of(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The model without its vocabulary and merges."""
    return {key: value for key, value in definition["model"].items() if key not in ("vocab", "merges")}


def added_tokens_of(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The added tokens by their text: id and flags."""
    return {token["content"]: token for token in definition.get("added_tokens") or []}
