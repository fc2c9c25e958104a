"""How far one edit of a text changes its tokens. Pure functions over texts, edits and boundaries; defined here.

A boundary is a place between two tokens, in bytes of UTF-8, the ends of the text excluded. A position is compared if it
does not touch the edit: those before it keep their offset, those after it are shifted by what the edit adds. A boundary
moves if only one of the two texts has it at a compared position. All shares and means are over edits: one edit per sentence
and kind, so means of sentences and not ratios of sums over tokens.
Not here: the edits (`perturbations`), encoding (`lab_app.services.analyses.robustness`).
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from lab_app.analysis.perturbations import Edit


@dataclass(frozen=True)
class Change:
    """What one edit changed."""

    moved: int
    """Boundaries that moved, in the edited word and outside of it."""
    moved_outside: int
    """Of these, at or outside the ends of the edited word."""
    reach_bytes: int
    """UTF-8 bytes of the original text between the edit and the farthest moved boundary; 0 if none moved."""
    reach_characters: int
    """The same in code points; a part of a character counts as one."""
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True)
class Reach:
    """How far changes reach, over all edits of a kind, in one unit. A percentile is the smallest value that at least that
    share of the edits does not exceed."""

    mean: float
    p95: int
    max: int


@dataclass(frozen=True)
class KindRobustness:
    """One kind of edit over many sentences. What is None was not measured, since no sentence has a place for the edit."""

    kind: str
    edits: int
    """Sentences that were edited: the denominator."""
    without_place: int
    """Sentences without a place for this edit."""
    moved_outside: float | None
    """Moved boundaries outside of the edited word, per edit."""
    moved_outside_share: float | None
    """Edits that move at least one of them, of all edits, in [0, 1]."""
    reach_bytes: Reach | None
    reach_characters: Reach | None
    count_changed_share: float | None
    """Edits after which the sentence has another number of tokens, of all edits, in [0, 1]."""
    relative_tokens: float | None
    """Tokens of all sentences after the edits, divided by their tokens before: a ratio of sums."""


@dataclass(frozen=True)
class NoiseRobustness:
    """All sentences with typos."""

    level: float
    """Probability that a letter is the place of a typo."""
    typos: int
    tokens: int
    bytes: int
    """UTF-8 bytes of the sentences with their typos."""
    tokens_per_byte: float | None
    """`tokens` / `bytes`, a ratio of sums; None without text."""
    relative_tokens: float | None
    """`tokens` divided by the tokens at level 0; None without tokens there."""


def change(text: str, edit: Edit, before: Set[int], after: Set[int], counts: tuple[int, int]) -> Change:
    """What `edit` of `text` changes: `before` and `after` are the boundaries in bytes, `counts` the tokens.

    "ab| cd| ef" becomes "ab| c| e|f" by deleting the d. Compared are the boundaries before byte 4 and after byte 5: the one
    at 2 stays, the new one at 6 is at 7 in the original text, outside of the edited word and 2 bytes from the edit.

    >>> change("ab cd ef", Edit(4, 5, "", 3, 5), {2, 5}, {2, 4, 6}, (3, 4))
    Change(moved=1, moved_outside=1, reach_bytes=2, reach_characters=2, tokens_before=3, tokens_after=4)
    """
    start, end = len(text[: edit.start].encode()), len(text[: edit.end].encode())
    word_start, word_end = len(text[: edit.word_start].encode()), len(text[: edit.word_end].encode())
    new_end = start + len(edit.replacement.encode())
    here = {at for at in before if at < start or at > end}
    there = {at if at < start else at + end - new_end for at in after if at < start or at > new_end}
    moved = here ^ there
    reach = max((_distance(at, start, end) for at in moved), default=0)
    data = text.encode()
    return Change(
        moved=len(moved),
        moved_outside=sum(at <= word_start or at >= word_end for at in moved),
        reach_bytes=reach,
        reach_characters=max((_characters(data, at, start, end) for at in moved), default=0),
        tokens_before=counts[0],
        tokens_after=counts[1],
    )


def of_kind(kind: str, changes: Sequence[Change], without_place: int) -> KindRobustness:
    """The figures of one kind of edit.

    >>> one, two = Change(2, 1, 6, 6, 5, 6), Change(0, 0, 0, 0, 5, 5)
    >>> found = of_kind("swap", [one, two], 0)
    >>> found.moved_outside, found.moved_outside_share, found.reach_bytes.mean, found.relative_tokens
    (0.5, 0.5, 3.0, 1.1)
    """
    count = len(changes)
    if count == 0:
        return KindRobustness(kind, 0, without_place, None, None, None, None, None, None)
    tokens = sum(each.tokens_before for each in changes)
    return KindRobustness(
        kind=kind,
        edits=count,
        without_place=without_place,
        moved_outside=sum(each.moved_outside for each in changes) / count,
        moved_outside_share=sum(each.moved_outside > 0 for each in changes) / count,
        reach_bytes=reach([each.reach_bytes for each in changes]),
        reach_characters=reach([each.reach_characters for each in changes]),
        count_changed_share=sum(each.tokens_before != each.tokens_after for each in changes) / count,
        relative_tokens=sum(each.tokens_after for each in changes) / tokens if tokens else None,
    )


def reach(values: Sequence[int]) -> Reach:
    """Mean, 95th percentile and maximum of one or more values.

    >>> reach([0] * 19 + [40])
    Reach(mean=2.0, p95=0, max=40)
    """
    ordered = sorted(values)
    return Reach(sum(ordered) / len(ordered), ordered[-(-len(ordered) * 95 // 100) - 1], ordered[-1])


def of_noise(levels: Sequence[tuple[float, int, int, int]]) -> list[NoiseRobustness]:
    """The figures of each noise level from (level, typos, tokens, bytes); the first level is 0.

    >>> [each.relative_tokens for each in of_noise([(0.0, 0, 100, 400), (0.1, 9, 125, 402)])]
    [1.0, 1.25]
    """
    clean = levels[0][2] if levels else 0
    return [
        NoiseRobustness(level, typos, tokens, size, tokens / size if size else None, tokens / clean if clean else None)
        for level, typos, tokens, size in levels
    ]


def _distance(at: int, start: int, end: int) -> int:
    return start - at if at < start else at - end


def _characters(data: bytes, at: int, start: int, end: int) -> int:
    """Characters of which some bytes lie between a byte position and the edit."""
    between = data[at:start] if at < start else data[end:at]
    inside = at < len(data) and data[at] & 0xC0 == 0x80 and at < start
    return sum(each & 0xC0 != 0x80 for each in between) + inside
