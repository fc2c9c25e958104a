"""Marks a guess of the boundaries of a text against those that a tokenizer makes, and names the kind of each reason.

Text that no token stands for, such as the space of BERT, makes a gap instead of a place: the whole gap is one boundary.
Not here: the reason in words (`lab_app.analysis.explain`), the trace (`lab_app.engine`).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, pairwise
from typing import Any, Literal

MarkName = Literal["found", "missing", "extra", "ignored"]
Kind = Literal[
    "added token",
    "dropped text",
    "contraction",
    "digits",
    "leading space",
    "space",
    "split",
    "missing merge",
    "merge",
    "longest match",
    "best path",
    "unknown",
    "token",
]
"""What decided about a place. The page and `docs/reference/exercises.md` have a line for each."""
BY_MODEL: dict[str, tuple[Kind, Kind]] = {
    "bpe": ("missing merge", "merge"),
    "word_piece": ("longest match", "longest match"),
    "unigram": ("best path", "best path"),
    "words": ("leading space", "token"),
    "characters": ("split", "token"),
    "word_level": ("token", "token"),
}
"""Of each model: the kind of a boundary that it made, and of a place where it made none."""

Gap = tuple[int, int]
"""From the end of a token to the start of the next one, in bytes; mostly the same place."""


@dataclass(frozen=True)
class PlaceMark:
    """A boundary, a guess, or both."""

    at: int
    """The byte of the boundary, or of a guess that is no boundary."""
    guess: int | None
    """Where the learner put it: elsewhere in the gap of a boundary, or at `at`. None if it is missing."""
    mark: MarkName
    number: int | None
    """Counts the misses in the order of the text. A boundary and a guess that was put in its place share one."""


def gaps(trace: dict[str, Any]) -> tuple[list[Gap], Gap]:
    """The boundaries of a traced text, in order, and where its first token starts and its last one ends.

    >>> token = lambda start, end: {"span": [start, end]}
    >>> gaps({"text_bytes": 9, "pretokens": [{"tokens": [token(1, 3), token(3, 4)]}, {"tokens": [token(5, 9)]}]})
    ([(3, 3), (4, 5)], (1, 9))
    """
    spans = [token["span"] for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
    spans = [(start, end) for start, end in spans if start < end]
    if not spans:
        return [], (trace["text_bytes"], 0)
    found, done = [], spans[0][1]
    for start, end in spans[1:]:
        if start >= done:
            found.append((done, start))
        done = max(done, end)
    return found, (spans[0][0], done)


def letter_ends(text: str) -> set[int]:
    """The bytes at which letters end, as readers count them: grapheme clusters (UAX 29).

    >>> sorted(letter_ends("né")), sorted(letter_ends("👍🏽!"))
    ([1, 3], [8, 9])
    """
    import regex

    return set(accumulate(len(each.encode()) for each in regex.findall(r"\X", text)))


def marks(boundaries: Sequence[Gap], around: Gap, guess: Iterable[int]) -> list[PlaceMark]:
    """Each boundary and each guess with its mark, in the order of the text.

    A guess is `ignored` where it separates no two tokens: outside of `around`, or in a gap that another guess has found.

    >>> for each in marks([(3, 3), (8, 9)], (0, 12), [4, 9]):
    ...     print(each.at, each.guess, each.mark, each.number)
    3 None missing 1
    4 4 extra 1
    8 9 found None
    """
    found: list[PlaceMark] = []
    taken: dict[Gap, int] = {}
    for place in sorted(guess):
        n = bisect_left(boundaries, place, key=lambda gap: gap[1])
        gap = boundaries[n] if n < len(boundaries) and boundaries[n][0] <= place else None
        if gap is not None and gap not in taken:
            taken[gap] = place
        else:
            is_ignored = gap is not None or not around[0] < place < around[1]
            found.append(PlaceMark(place, place, "ignored" if is_ignored else "extra", None))
    for gap in boundaries:
        found.append(PlaceMark(gap[0], taken.get(gap), "found" if gap in taken else "missing", None))
    return _numbered(sorted(found, key=lambda each: each.at))


def _numbered(places: list[PlaceMark]) -> list[PlaceMark]:
    """Gives each miss its number. Of neighbours between two found boundaries the nearest are a pair."""
    misses = [n for n, each in enumerate(places) if each.mark != "ignored"]
    near = [
        (places[b].at - places[a].at, a, b)
        for a, b in pairwise(misses)
        if {places[a].mark, places[b].mark} == {"missing", "extra"}
    ]
    first: dict[int, int] = {}
    paired: set[int] = set()
    for _, a, b in sorted(near):
        if paired.isdisjoint((a, b)):
            first[b] = a
            paired |= {a, b}
    counter = count(1)
    numbers: dict[int, int] = {}
    for n in misses:
        if places[n].mark != "found":
            numbers[n] = numbers[first[n]] if n in first else next(counter)
    return [replace(each, number=numbers.get(n)) for n, each in enumerate(places)]


def kind_of(found: dict[str, Any], trace: dict[str, Any], text: bytes, unknown_id: int | None) -> Kind | None:
    """The kind of the reason that `explain` has found in a trace of `text`; None where the trace has no reason."""
    at, stage, is_boundary = found["at"], found["stage"], found["boundary"]
    if stage == "model" and unknown_id is not None:
        tokens = (token for pretoken in trace["pretokens"] for token in pretoken["tokens"])
        if any(token["id"] == unknown_id and token["span"][0] <= at <= token["span"][1] for token in tokens):
            return "unknown"
    if stage == "added token":
        return "added token"
    if stage == "normalizer":
        return "dropped text"
    before, after = text[:at].decode()[-1:], text[at:].decode()[:1]
    if stage == "pretokenizer":
        if found["details"]["branches"][1] == "contraction":
            return "contraction"
        if before.isdecimal() and after.isdecimal():
            return "digits"
        if after.isspace() and found["details"]["right"].startswith((after, "▁")):
            return "leading space"
        return "space" if before.isspace() or after.isspace() else "split"
    if stage == "edge" or (is_boundary and found["rule"] in ("bpe", "word_piece") and not found["details"]):
        return None
    return BY_MODEL[found["rule"]][not is_boundary]
