"""The segmentations of a Unigram model around a byte: only the part near it of a long segment, so that answers stay small.

Not here: the sentence about a boundary (`lab_app.analysis.explain`), the lattice and its probabilities (the engine's trace).
"""

from collections.abc import Callable
from typing import Any

Spell = Callable[[int], str]
"""A readable form of a token, by its id."""

Facts = dict[str, Any]

REACH = 32
"""Characters on each side of the byte that are kept of a segment of more than twice as many."""


def around(steps: Facts, at: int, spell: Spell) -> Facts:
    """The marginal probability of a boundary at byte `at` (`probability`), and its segment with the most probable
    segmentations (`segment`); null if every segmentation has this boundary.
    """
    unit = next((one for one in steps["units"] if one["span"][0] < at < one["span"][1]), None)
    if unit is None:
        return {"probability": 1.0, "segment": None}
    probability = next((place["probability"] for place in unit["boundaries"] if place["byte"] == at), None)
    start, end, first, after = _excerpt(unit, steps["best"]["tokens"], at)
    inside = [
        {**place, "character": place["character"] - first}
        for place in unit["boundaries"]
        if start < place["byte"] < end
    ]
    segmentations = [{**one, "tokens": _inside(one["tokens"], (start, end))} for one in unit["n_best"]]
    for each in segmentations:
        each["names"] = [spell(token["id"]) for token in each["tokens"]]
    whole = [start, end] == unit["span"]
    segment = {
        "text": unit["text"][first:after],
        "span": [start, end],
        "boundaries": inside,
        "segmentations": segmentations,
        "excerpt_of": None if whole else {"span": unit["span"], "characters": len(unit["text"])},
    }
    return {"probability": probability, "segment": segment}


def segmentation_without(steps: Facts, at: int, span: list[int]) -> Facts | None:
    """The best path without a boundary at byte `at`, with its tokens in `span`; None if every path has the boundary."""
    path: Facts | None = next((one for byte, one in steps["without"] if byte == at), None)
    if path is None:
        return None
    start, end = path["span"]
    best = steps["best"]["tokens"]
    before = [token for token in best if token["span"][1] <= start]
    after = [token for token in best if token["span"][0] >= end]
    tokens = _inside([*before, *path["tokens"], *after], (span[0], span[1]))
    return {"tokens": tokens, "score": path["score"], "span": path["span"]}


def next_to(path: Facts | None, at: int) -> Facts | None:
    """A path with only the tokens next to byte `at`, at most twice `REACH`; `left_out` counts the others."""
    if path is None:
        return None
    tokens = path["tokens"]
    before = sum(token["span"][0] < at for token in tokens)
    first = max(min(before - REACH, len(tokens) - 2 * REACH), 0)
    kept = tokens[first : first + 2 * REACH]
    return {**path, "tokens": kept, "left_out": len(tokens) - len(kept)}


def _excerpt(unit: Facts, best: list[Facts], at: int) -> tuple[int, int, int, int]:
    """Start and end of the excerpt around byte `at`, in bytes and in characters of the unit. It ends at tokens of the best
    path if there are any on that side.
    """
    (start, end), length = unit["span"], len(unit["text"])
    if length <= 2 * REACH:
        return start, end, 0, length
    places = [(start, 0), *((place["byte"], place["character"]) for place in unit["boundaries"]), (end, length)]
    here = max(character for byte, character in places if byte <= at)
    ends = {token["span"][0] for token in best} | {end}
    before = [one for one in places if one[0] <= at and one[1] >= here - REACH]
    after = [one for one in places if one[0] > at and one[1] <= here + REACH]
    after = after or [next(one for one in places if one[0] > at)]
    first = next((one for one in before if one[0] in ends and one[0] < at), before[0])
    last = next((one for one in reversed(after) if one[0] in ends), after[-1])
    return first[0], last[0], first[1], last[1]


def _inside(tokens: list[Facts], part: tuple[int, int]) -> list[Facts]:
    """The tokens that overlap a part, or are empty and in it."""
    start, end = part
    return [one for one in tokens if one["span"][0] < end and (one["span"][1] > start or one["span"][0] >= start)]
