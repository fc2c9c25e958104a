"""What a Unigram model weighed around a place: of a long stretch the part near it, so that an answer stays small.

Not here: the sentence about a cut (`lab_app.analysis.explain`), finding and weighing the ways (the engine).
"""

from collections.abc import Callable
from typing import Any

Spell = Callable[[int], str]
"""A token as people read it, by its id."""

Found = dict[str, Any]

AROUND = 32
"""Of a stretch of more than twice as many characters, only so many on each side of the place are told."""


def weighed(steps: Found, at: int, spell: Spell) -> Found:
    """How probable a cut at byte `at` is over all ways to cut (`probability`), and the stretch whose ways they are
    (`unit`): null where every way cuts there.
    """
    unit = next((one for one in steps["units"] if one["span"][0] < at < one["span"][1]), None)
    if unit is None:
        return {"probability": 1.0, "unit": None}
    probability = next((cut["probability"] for cut in unit["cuts"] if cut["byte"] == at), None)
    start, end, first, behind = _part(unit, steps["best"]["tokens"], at)
    cuts = [{**cut, "character": cut["character"] - first} for cut in unit["cuts"] if start < cut["byte"] < end]
    part = (start, end)
    told: Found = {
        "text": unit["text"][first:behind],
        "span": [start, end],
        "cuts": cuts,
        "n_best": [{**way, "tokens": _inside(way["tokens"], part)} for way in unit["n_best"]],
        "part_of": None,
    }
    if [start, end] != unit["span"]:
        told["part_of"] = {"span": unit["span"], "characters": len(unit["text"])}
    for way in told["n_best"]:
        way["names"] = [spell(token["id"]) for token in way["tokens"]]
    return {"probability": probability, "unit": told}


def without_cut(steps: Found, at: int, span: list[int]) -> Found | None:
    """The best path that does not cut at byte `at`, its tokens in `span` alone; None where every path cuts there."""
    detour: Found | None = next((one for byte, one in steps["without"] if byte == at), None)
    if detour is None:
        return None
    start, end = detour["span"]
    best = steps["best"]["tokens"]
    before = [token for token in best if token["span"][1] <= start]
    after = [token for token in best if token["span"][0] >= end]
    tokens = _inside([*before, *detour["tokens"], *after], (span[0], span[1]))
    return {"tokens": tokens, "score": detour["score"], "span": detour["span"]}


def near(path: Found | None, at: int) -> Found | None:
    """A path with the tokens next to byte `at` alone, at most twice `AROUND`; `left_out` counts the others."""
    if path is None:
        return None
    tokens = path["tokens"]
    before = sum(token["span"][0] < at for token in tokens)
    first = max(min(before - AROUND, len(tokens) - 2 * AROUND), 0)
    told = tokens[first : first + 2 * AROUND]
    return {**path, "tokens": told, "left_out": len(tokens) - len(told)}


def _part(unit: Found, best: list[Found], at: int) -> tuple[int, int, int, int]:
    """Start and end of what is told of a stretch, in bytes and in characters of it: whole tokens of the best path, where
    any ends on that side of the place.
    """
    (start, end), length = unit["span"], len(unit["text"])
    if length <= 2 * AROUND:
        return start, end, 0, length
    places = [(start, 0), *((cut["byte"], cut["character"]) for cut in unit["cuts"]), (end, length)]
    here = max(character for byte, character in places if byte <= at)
    ends = {token["span"][0] for token in best} | {end}
    before = [one for one in places if one[0] <= at and one[1] >= here - AROUND]
    after = [one for one in places if one[0] > at and one[1] <= here + AROUND]
    after = after or [next(one for one in places if one[0] > at)]
    first = next((one for one in before if one[0] in ends and one[0] < at), before[0])
    last = next((one for one in reversed(after) if one[0] in ends), after[-1])
    return first[0], last[0], first[1], last[1]


def _inside(tokens: list[Found], part: tuple[int, int]) -> list[Found]:
    """The tokens that stand for some of a part, or for nothing in it."""
    start, end = part
    return [one for one in tokens if one["span"][0] < end and (one["span"][1] > start or one["span"][0] >= start)]
