"""The smallest edit of a text that takes a cut away, found by trying and proved by encoding again.

Not here: why the cut is there (`lab_app.analysis.explain`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

Spans = Callable[[str], list[tuple[int, int]]]
"""The spans of a text's tokens in characters, those that stand for no part of it left out."""

REACH = 3
"""How many characters on each side of the cut are tried."""

LETTERS = "etaoinsrhldcumfpgwybvkxjqz"
"""What is put in or put in the place of a character, after what the text itself suggests: in the order of English."""


@dataclass(frozen=True)
class Edit:
    """One edit. `start` and `end` are characters of the old text, `by` is what stands there afterwards."""

    kind: str
    start: int
    end: int
    by: str


@dataclass(frozen=True)
class Removal:
    """An edit that takes a cut away: the new text, and the token that covers the place (characters of the new text)."""

    edit: Edit
    text: str
    token: tuple[int, int]


def smallest_edit(text: str, cut: int, spans: Spans) -> Removal | None:
    """The first of all small edits near character `cut` after which one token covers what is on both sides of it.

    Deleting one character comes first, the nearest to the cut first; then another case of one, another character in its
    place, one more character, and last the lower case of everything near. None where no such edit does it.

    >>> words = lambda text: [(0, len(text))] if " " not in text else [(0, text.index(" ")), (text.index(" "), len(text))]
    >>> smallest_edit("a b", 1, words).text
    'ab'
    """
    for edit in _edits(text, cut):
        new = text[: edit.start] + edit.by + text[edit.end :]
        sides = _sides(text, cut, edit)
        if sides is None:
            continue
        left, right = sides
        for start, end in spans(new):
            if start <= left and right < end:
                return Removal(edit, new, (start, end))
    return None


def _sides(text: str, cut: int, edit: Edit) -> tuple[int, int] | None:
    """The characters of the new text nearest to the cut on both sides; None where a side has none."""
    shift = len(edit.by) - (edit.end - edit.start)
    if edit.kind == "delete":
        left, right = (cut - 2, cut - 1) if edit.start < cut else (cut - 1, cut)
    else:
        # What is put in stands between the two sides; all else keeps its length.
        left, right = cut - 1, cut + shift
    return (left, right) if left >= 0 and right < len(text) + shift else None


def _edits(text: str, cut: int) -> Iterator[Edit]:
    near = sorted(
        range(max(cut - REACH, 0), min(cut + REACH, len(text))),
        key=lambda at: (abs(at - cut + (at < cut)), at >= cut),
    )
    yield from (Edit("delete", at, at + 1, "") for at in near)
    for at in near:
        yield from (
            Edit("change the case of", at, at + 1, other)
            for other in (text[at].lower(), text[at].upper())
            if other != text[at] and len(other) == 1
        )
    beside = [at for at in near if at in (cut - 1, cut)]
    for letter in LETTERS:
        yield from (Edit("replace", at, at + 1, letter) for at in beside if text[at] != letter)
    for letter in (" ", *LETTERS):
        yield Edit("insert", cut, cut, letter)
    start, end = max(cut - 20, 0), min(cut + 20, len(text))
    lower = text[start:end].lower()
    if lower != text[start:end] and len(lower) == end - start:
        yield Edit("write in lower case", start, end, lower)
