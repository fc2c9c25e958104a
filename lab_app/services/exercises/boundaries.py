"""Place the boundaries: marks a guess of the boundaries of a text, and says the reason of each miss.

Not here: the marks themselves (`lab_app.analysis.boundary_marks`), explanations without a guess (`lab_app.services.text.explain`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab_app.analysis.boundary_marks import Gap, Kind, MarkName, gaps, kind_of, letter_ends, marks
from lab_app.analysis.corpus.counts import ratio
from lab_app.analysis.explain import explain
from lab_app.engine import Specials
from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.explain import MAX_PLACES, Place, TokenWords
from lab_app.services.text.results import Span
from lab_app.services.text.trace import refuse_too_long
from lab_app.settings import DEFAULT_SPECIALS


@dataclass(frozen=True)
class MarkedPlace:
    """A boundary, a guess, or both. `docs/reference/exercises.md` says what marks and kinds mean."""

    at: int
    """The byte of the boundary, or of a guess that is no boundary."""
    until: int
    """Where the next token starts: behind `at` where no token stands for the text between two."""
    guess: int | None
    mark: MarkName
    number: int | None
    """Counts the misses; a boundary and the guess that was put in its place share one."""
    kind: Kind | None
    """None where nothing was missed, and where the trace has no reason."""
    reason: Place | None
    """As `/explain` answers, without an edit. None where nothing was missed, and where `number` is above 100."""


@dataclass(frozen=True)
class MarkedBoundaries:
    """A guess beside the boundaries that a tokenizer makes."""

    tokenizer: str
    text_bytes: int
    ids: list[int]
    tokens: list[Span]
    """The span of each."""
    found: int
    missing: int
    extra: int
    precision: float | None
    """Found in all that were guessed; None without a guess."""
    recall: float | None
    """Found in all that there are; None without a boundary."""
    f1: float | None
    """2 found / (guessed + real); None if there is neither."""
    inside_letters: int
    """Boundaries inside of one letter, as readers count them: nobody can see them, so they count only where they were guessed."""
    places: list[MarkedPlace]
    left_out: int
    """Misses with a number above 100, which have no reason."""


def mark_boundaries(
    lab: Lab, id: str, text: str, guess: Sequence[int], *, specials: Specials = DEFAULT_SPECIALS
) -> MarkedBoundaries:
    """Marks a guess, which is a list of bytes of the text, in any order.

    Raises as `encode` does, and BadValue for a byte that cannot be a boundary and a text too long to be traced.

    >>> from lab_app.settings import Settings
    >>> marked = mark_boundaries(Lab(Settings()), "gpt2", "Hello world", [6])
    >>> marked.f1, [(each.at, each.mark, each.number, each.kind) for each in marked.places]
    (0.0, [(5, 'missing', 1, 'leading space'), (6, 'extra', 1, 'merge')])
    """
    refuse_surrogates(text)
    refuse_too_long(text, "marked")
    entry, tokenizer = lab.loaded.get(id)
    data = text.encode()
    _check(data, guess)
    with translate_engine_errors():
        trace = tokenizer.trace(text, specials=specials).as_dict()
    tokens = [token for pretoken in trace["pretokens"] for token in pretoken["tokens"]]
    boundaries, inside_letters, around = placeable(trace, data, guess)
    until = dict(boundaries)
    words = TokenWords(tokenizer)
    places, left_out = [], 0
    for each in marks(boundaries, around, guess):
        kind = reason = None
        if each.number is not None:
            left_out += each.number > MAX_PLACES
            if each.number <= MAX_PLACES:
                found = explain(trace, each.at, words)
                kind = kind_of(found, trace, data, tokenizer.unknown_id)
                reason = Place(**found, edit=None)
        places.append(MarkedPlace(**vars(each), until=until.get(each.at, each.at), kind=kind, reason=reason))
    found_count, missing, extra = (sum(each.mark == mark for each in places) for mark in ("found", "missing", "extra"))
    return MarkedBoundaries(
        tokenizer=entry.id,
        text_bytes=len(data),
        ids=[token["id"] for token in tokens],
        tokens=[tuple(token["span"]) for token in tokens],
        found=found_count,
        missing=missing,
        extra=extra,
        precision=ratio(found_count, found_count + extra),
        recall=ratio(found_count, found_count + missing),
        f1=ratio(2 * found_count, 2 * found_count + extra + missing),
        inside_letters=inside_letters,
        places=places,
        left_out=left_out,
    )


def placeable(trace: dict[str, Any], data: bytes, guess: Sequence[int] = ()) -> tuple[list[Gap], int, Gap]:
    """The boundaries of a traced text that can be placed, how many cannot, and where its tokens start and end.

    Those inside of a letter, such as an emoji of several characters, can only be placed by who knows its bytes: `guess`.
    """
    every, around = gaps(trace)
    places = letter_ends(data.decode()).union(guess)
    found = [gap for gap in every if any(at in places for at in range(gap[0], gap[1] + 1))]
    return found, len(every) - len(found), around


def _check(data: bytes, guess: Sequence[int]) -> None:
    """Refuses bytes that are no place between two characters of the text."""
    seen: set[int] = set()
    for at in guess:
        if not 0 < at < len(data):
            inside = f"give bytes from 1 to {len(data) - 1}" if len(data) > 1 else "give an empty list for this text"
            raise BadValue(f"byte {at} is not inside the text, which has {number_of(len(data), 'byte')}", inside)
        if _is_inside_character(data, at):
            raise BadValue(
                f"byte {at} is inside the character “{_character(data, at)}”",
                "put boundaries between characters, counted in bytes of UTF-8",
            )
        if at in seen:
            raise BadValue(f"the guess has byte {at} twice", "give each boundary once")
        seen.add(at)


def _character(data: bytes, at: int) -> str:
    """The character that byte `at` goes on."""
    while _is_inside_character(data, at):
        at -= 1
    return data[at : at + 4].decode(errors="ignore")[0]


def _is_inside_character(data: bytes, at: int) -> bool:
    """Whether a byte goes on with the character of the one before it."""
    return data[at] & 0xC0 == 0x80


def guess_of(text: str, marked: str, mark: str = "|") -> list[int]:
    """The guess that a text with a mark at each boundary stands for. Raises BadValue if it is another text.

    >>> guess_of("naïve", "na|ïve"), guess_of("a|b", "a|#b", "#")
    ([2], [2])
    """
    if not mark:
        raise BadValue("the mark is empty", "give a sign that the text does not have")
    if mark in text:
        raise BadValue(
            f"the text has {mark} itself", "mark boundaries by another sign", on_terminal="give another --mark"
        )
    parts = marked.split(mark)
    if (plain := "".join(parts)) != text:
        same = next(
            (n for n, (a, b) in enumerate(zip(plain, text, strict=False)) if a != b), min(len(plain), len(text))
        )
        raise BadValue(
            f"the guess is not the text with marks: they differ after “{text[max(same - 12, 0) : same]}”",
            f"write the same text, with {mark} at each boundary",
        )
    done, guess = 0, []
    for part in parts[:-1]:
        done += len(part.encode())
        guess.append(done)
    return guess
