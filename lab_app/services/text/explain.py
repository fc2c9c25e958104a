"""Explains the boundaries of a text, and finds the smallest edit that removes one."""

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from lab_app.analysis.edits import Removal, smallest_edit
from lab_app.analysis.explain import boundaries, explain
from lab_app.analysis.positions import Positions
from lab_app.engine import EncodeError, Encoding, Specials, Tokenizer
from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import OUTSIDE, Span
from lab_app.services.text.trace import refuse_too_long
from lab_app.settings import DEFAULT_SPECIALS

MAX_PLACES = 100
"""Boundaries that are explained if no byte is named: each takes many encodings."""

EditKind = Literal["delete", "insert", "replace", "change the case of", "write in lower case"]
Stage = Literal["edge", "added token", "normalizer", "pretokenizer", "model"]


@dataclass(frozen=True)
class RemovingEdit:
    """An edit after which one token covers both sides of a boundary, verified by encoding the new text."""

    kind: EditKind
    span_utf8: Span
    by: str
    """The text that replaces the span."""
    text: str
    """The whole new text."""
    token: str
    summary: str


@dataclass(frozen=True)
class Place:
    """Why there is a boundary at a byte, or why there is none."""

    at: int
    boundary: bool
    stage: Stage
    """The stage that decided."""
    rule: str | None
    details: dict[str, Any] | None
    """The facts, which differ from model to model (`docs/reference/http-api.md`)."""
    reason: str
    """A plain sentence, for someone who has never seen a tokenizer."""
    summary: str
    """The mechanism."""
    edit: RemovingEdit | None


@dataclass(frozen=True)
class Explanation:
    """The boundaries of a text, without its two ends, and explanations of some."""

    tokenizer: str
    text_bytes: int
    boundaries: list[int]
    places: list[Place]
    left_out: int
    """Boundaries that are not among the places."""


@dataclass(frozen=True)
class TextChange:
    """A range of the text, and what the model sees instead. An empty span is an insertion, an empty text a deletion."""

    span_utf8: Span
    span_utf16: Span
    text: str


@dataclass(frozen=True)
class NormalizationChanges:
    """The differences between a text and what the model sees, in the order of the text."""

    tokenizer: str
    text_bytes: int
    changes: list[TextChange]


def explain_text(
    lab: Lab, id: str, text: str, at: int | None = None, *, specials: Specials = DEFAULT_SPECIALS, edits: bool = True
) -> Explanation:
    """Explains byte `at`, or the first boundaries of the text.

    Raises as `encode` does, and BadValue for a byte outside of the text and a text too long to be traced.

    >>> from lab_app.settings import Settings
    >>> found = explain_text(Lab(Settings()), "gpt2", "Hello, world", 5)
    >>> found.places[0].stage, found.places[0].rule
    ('pretokenizer', 'GPT-2 pattern')
    """
    refuse_surrogates(text)
    refuse_too_long(text, "explained")
    entry, tokenizer = lab.loaded.get(id)
    data = text.encode()
    if at is not None and not 0 <= at <= len(data):
        raise BadValue(
            f"byte {at} is not in the text, which has {number_of(len(data), 'byte')}", f"give one from 0 to {len(data)}"
        )
    with translate_engine_errors():
        trace = tokenizer.trace(text, specials=specials).as_dict()
    found_boundaries = boundaries(trace)
    vocabulary = TokenWords(tokenizer)
    places = []
    for place in found_boundaries[:MAX_PLACES] if at is None else [at]:
        found = explain(trace, place, vocabulary)
        removable = edits and found["boundary"] and found["stage"] != "edge"
        places.append(Place(**found, edit=_removal(tokenizer, text, place, specials) if removable else None))
    left_out = max(len(found_boundaries) - MAX_PLACES, 0) if at is None else 0
    return Explanation(entry.id, len(data), found_boundaries, places, left_out)


def changes_of(lab: Lab, id: str, text: str, *, specials: Specials = DEFAULT_SPECIALS) -> NormalizationChanges:
    """Lists what the stages before the model change. Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> changes_of(Lab(Settings()), "gpt2", "Any text").changes
    []
    """
    refuse_surrogates(text)
    entry, tokenizer = lab.loaded.get(id)
    with translate_engine_errors():
        found = tokenizer.changes(text, specials=specials)
    spans = np.array([[start, end] for start, end, _ in found], np.uint32).reshape(-1, 2)
    at = Positions(text)
    units = at.utf16_of_char[at.char_of_byte[spans]].tolist()  # they start and end at characters
    changes = [
        TextChange((start, end), (first, last), new)
        for (start, end, new), (first, last) in zip(found, units, strict=True)
    ]
    return NormalizationChanges(entry.id, len(text.encode()), changes)


class TokenWords:
    """Names the tokens of a tokenizer in explanations."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def spell(self, id: int) -> str:
        """The text of the token in quotes, or its bytes in hex if they are a part of a character."""
        text = self._tokenizer.token_text(id)
        return f"“{text}”" if text is not None else f"<{self._tokenizer.token_bytes(id).hex(' ')}>"

    def joined(self, left: int, right: int) -> tuple[str, bool]:
        """Two tokens as one text, in quotes, and whether the vocabulary has a token of these bytes."""
        data = self._tokenizer.token_bytes(left) + self._tokenizer.token_bytes(right)
        try:
            name = f"“{data.decode()}”"
        except UnicodeDecodeError:
            name = f"<{data.hex(' ')}>"
        return name, self._tokenizer.token_to_id(data) is not None


def _own_spans(encoding: Encoding) -> list[tuple[int, int]]:
    own = encoding.span_char[(encoding.flags & OUTSIDE) == 0]
    return [(start, end) for start, end in own.tolist()]


def _removal(tokenizer: Tokenizer, text: str, at: int, specials: Specials) -> RemovingEdit | None:
    """The smallest edit that removes the boundary at byte `at`; None if none of those tried does, or inside a character."""
    try:
        boundary = len(text.encode()[:at].decode())
    except UnicodeDecodeError:
        return None

    def spans(new: str) -> list[tuple[int, int]]:
        try:
            return _own_spans(tokenizer.encode(new, specials=specials))
        except EncodeError:
            # A letter that the model does not know is no way out.
            return []

    found = smallest_edit(text, boundary, spans)
    return None if found is None else _described(found, text)


def _described(found: Removal, text: str) -> RemovingEdit:
    edit = found.edit
    start, end = (len(text[:place].encode()) for place in (edit.start, edit.end))
    old = text[edit.start : edit.end]
    token = found.text[found.token[0] : found.token[1]]
    action = {
        "delete": f"delete {_named(old)}",
        "insert": f"insert {_named(edit.by).replace('the ', 'a ', 1)}",
        "replace": f"replace {_named(old)} with {_named(edit.by)}",
        "change the case of": f"write {_named(old)} as {_named(edit.by)}",
        "write in lower case": f"write “{old}” in lower case",
    }[edit.kind]
    summary = f"{action}: “{token}” becomes one token"
    return RemovingEdit(cast(EditKind, edit.kind), (start, end), edit.by, found.text, token, summary)


def _named(character: str) -> str:
    return {" ": "the space", "\n": "the line end", "\t": "the tab"}.get(character, f"“{character}”")
