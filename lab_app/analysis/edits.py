"""The smallest edit of a text that removes a boundary: one that leaves what a person would write.

Each edit is verified by encoding the new text. An edit is natural if it removes a doubled space, changes the case of a
whole word, changes a digit, or changes one letter so that the word is another word of the vocabulary. "Tokeization"
has one boundary less than "Tokenization" in some vocabularies, but nobody learns from it.

Not here: why the boundary is there (`lab_app.analysis.explain`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

Spans = Callable[[str], list[tuple[int, int]]]
"""The spans of a text's tokens in characters, without tokens that the postprocessor adds."""

REACH = 3
"""Characters on each side of the boundary in which a letter or a digit is changed."""
LONGEST_WORD = 40
SHORTEST_WORD = 3
LETTERS = "etaoinsrhldcumfpgwybvkxjqz"
"""The letters that are tried, the most frequent of English first."""
DIGITS = "0123456789"


@dataclass(frozen=True)
class Edit:
    """One edit. `start` and `end` are characters of the old text, `by` replaces what is between them."""

    kind: str
    start: int
    end: int
    by: str


@dataclass(frozen=True)
class Removal:
    """An edit that removes a boundary: the new text, and the token that covers the place (characters of the new text)."""

    edit: Edit
    text: str
    token: tuple[int, int]


def smallest_edit(text: str, boundary: int, spans: Spans) -> Removal | None:
    """Returns the first natural edit near character `boundary` after which one token covers both sides of it.

    Order: a doubled space, the case of the word, a digit, a letter. None if no natural edit removes the boundary.

    >>> words = lambda text: [(0, len(text))] if text.islower() else [(0, 1), (1, len(text))]
    >>> smallest_edit("Hello", 1, words).text
    'hello'
    """
    for edit in _edits(text, boundary, spans):
        new = text[: edit.start] + edit.by + text[edit.end :]
        sides = _sides(text, boundary, edit)
        if sides is None:
            continue
        left, right = sides
        for start, end in spans(new):
            if start <= left and right < end:
                return Removal(edit, new, (start, end))
    return None


def _sides(text: str, boundary: int, edit: Edit) -> tuple[int, int] | None:
    """The characters of the new text nearest to the boundary on both sides; None if a side has none."""
    shift = len(edit.by) - (edit.end - edit.start)
    if edit.kind == "delete":
        left, right = (boundary - 2, boundary - 1) if edit.start < boundary else (boundary - 1, boundary)
    else:
        # An insertion is between the two sides; all else keeps its length.
        left, right = boundary - 1, boundary + shift
    return (left, right) if left >= 0 and right < len(text) + shift else None


def _edits(text: str, boundary: int, spans: Spans) -> Iterator[Edit]:
    near = sorted(
        range(max(boundary - REACH, 0), min(boundary + REACH, len(text))),
        key=lambda at: (abs(at - boundary + (at < boundary)), at >= boundary),
    )
    yield from (
        Edit("delete", at, at + 1, "")
        for at in near
        if text[at] == " " and " " in text[at - 1 : at] + text[at + 1 : at + 2]
    )
    start, end = _word(text, boundary)
    word = text[start:end]
    if not start < boundary < end or len(word) > LONGEST_WORD:
        return
    for other in dict.fromkeys((word.lower(), word.capitalize(), word.upper())):
        if other != word and len(other) == len(word):
            kind = "write in lower case" if other == word.lower() else "change the case of"
            yield Edit(kind, start, end, other)
    inside = [at for at in near if start <= at < end]
    for at in inside:
        if text[at] in DIGITS:
            yield from (Edit("replace", at, at + 1, digit) for digit in DIGITS if digit != text[at])
    for edit in _letters(text, boundary, inside):
        new = word[: edit.start - start] + edit.by + word[edit.end - start :]
        if _is_word(new, spans):
            yield edit


def _letters(text: str, boundary: int, inside: list[int]) -> Iterator[Edit]:
    yield from (Edit("delete", at, at + 1, "") for at in inside)
    nearest = [at for at in inside if at in (boundary - 1, boundary)]
    for letter in LETTERS:
        yield from (Edit("replace", at, at + 1, letter) for at in nearest if text[at] != letter)
    yield from (Edit("insert", boundary, boundary, letter) for letter in LETTERS)


def _word(text: str, boundary: int) -> tuple[int, int]:
    """The letters and digits around the boundary."""
    before = sum(1 for _ in takewhile(str.isalnum, reversed(text[max(boundary - LONGEST_WORD, 0) : boundary])))
    after = sum(1 for _ in takewhile(str.isalnum, text[boundary : boundary + LONGEST_WORD]))
    return boundary - before, boundary + after


def _is_word(word: str, spans: Spans) -> bool:
    """Whether the vocabulary has the word as one token after a space, as in running text."""
    if len(word) < SHORTEST_WORD or not word.isalpha():
        return False
    found = spans(f" {word}")
    return len(found) == 1 and found[0][0] <= 1 and found[0][1] == len(word) + 1
