"""Why a tokenizer cuts a text where it does, and the smallest edit that takes a cut away."""

from typing import Any

import numpy as np

from lab_app.analysis.edits import Removal, smallest_edit
from lab_app.analysis.explain import cuts, explain
from lab_app.analysis.positions import Positions
from lab_app.engine import EncodeError, Encoding, Specials, Tokenizer
from lab_app.errors import BadValue
from lab_app.services.encode import refuse_surrogates
from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab
from lab_app.services.results import OUTSIDE
from lab_app.settings import DEFAULT_SPECIALS

MAX_PLACES = 100
MAX_CHARACTERS = 10_000
"""The longest text that the engine traces."""
"""Without a place to explain, this many cuts are: each is looked into by encoding the text again and again."""


def explain_text(
    lab: Lab, id: str, text: str, at: int | None = None, *, specials: Specials = DEFAULT_SPECIALS, edits: bool = True
) -> dict[str, Any]:
    """EXPLANATION of `docs/reference/http-api.md`: of byte `at`, or of the first cuts of the text.

    Raises as `encode` does, and BadValue for a place outside of the text and a text too long to be traced.

    >>> from lab_app.settings import Settings
    >>> found = explain_text(Lab(Settings()), "gpt2", "Hello, world", 5)
    >>> found["places"][0]["stage"], found["places"][0]["rule"]
    ('pretokenizer', 'GPT-2 pattern')
    """
    refuse_surrogates(text)
    _refuse_too_long(text, "explained")
    entry, tokenizer = lab.loaded.get(id)
    data = text.encode()
    if at is not None and not 0 <= at <= len(data):
        raise BadValue(f"byte {at} is not in the text, which has {len(data)} bytes", f"give one from 0 to {len(data)}")
    with errors_of_the_engine():
        trace = tokenizer.trace(text, specials=specials).as_dict()
    all_cuts = cuts(trace)
    places = []
    for place in all_cuts[:MAX_PLACES] if at is None else [at]:
        found = explain(trace, place, lambda token: _spelled(tokenizer, token))
        edit = (
            _removal(tokenizer, text, place, specials) if edits and found["cut"] and found["stage"] != "edge" else None
        )
        places.append({**found, "edit": edit})
    return {
        "tokenizer": entry.id,
        "text_bytes": len(data),
        "cuts": all_cuts,
        "places": places,
        "left_out": max(len(all_cuts) - MAX_PLACES, 0) if at is None else 0,
    }


def trace_of(lab: Lab, id: str, text: str, *, specials: Specials = DEFAULT_SPECIALS) -> dict[str, Any]:
    """The whole trace of a text. Raises as `explain_text` does."""
    refuse_surrogates(text)
    _refuse_too_long(text, "traced")
    _, tokenizer = lab.loaded.get(id)
    with errors_of_the_engine():
        trace: dict[str, Any] = tokenizer.trace(text, specials=specials).as_dict()
    return trace


def changes_of(lab: Lab, id: str, text: str, *, specials: Specials = DEFAULT_SPECIALS) -> dict[str, Any]:
    """List what the normalizer changes: CHANGES of `docs/reference/http-api.md`.

    Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> changes_of(Lab(Settings()), "gpt2", "Any text")["changes"]
    []
    """
    refuse_surrogates(text)
    entry, tokenizer = lab.loaded.get(id)
    with errors_of_the_engine():
        found = tokenizer.changes(text, specials=specials)
    spans = np.array([[start, end] for start, end, _ in found], np.uint32).reshape(-1, 2)
    at = Positions(text)
    units = at.utf16_of_char[at.char_of_byte[spans]].tolist()  # they start and end at characters
    return {
        "tokenizer": entry.id,
        "text_bytes": len(text.encode()),
        "changes": [
            {"span_utf8": [start, end], "span_utf16": place, "text": new}
            for (start, end, new), place in zip(found, units, strict=True)
        ],
    }


def _refuse_too_long(text: str, done: str) -> None:
    """The engine refuses such a text too, and speaks of a trace, which nobody asked for who asks for an explanation."""
    if len(text) > MAX_CHARACTERS:
        raise BadValue(
            f"the text has {len(text)} characters, more than the {MAX_CHARACTERS} that can be {done} at once",
            "give a part of it",
        )


def _spelled(tokenizer: Tokenizer, id: int) -> str:
    text = tokenizer.token_text(id)
    return f"“{text}”" if text is not None else f"<{tokenizer.token_bytes(id).hex(' ')}>"


def _own_spans(encoding: Encoding) -> list[tuple[int, int]]:
    own = encoding.span_char[(encoding.flags & OUTSIDE) == 0]
    return [(start, end) for start, end in own.tolist()]


def _removal(tokenizer: Tokenizer, text: str, at: int, specials: Specials) -> dict[str, Any] | None:
    """The smallest edit that takes the cut at byte `at` away; None where none of those tried does, or inside a character."""
    try:
        cut = len(text.encode()[:at].decode())
    except UnicodeDecodeError:
        return None

    def spans(new: str) -> list[tuple[int, int]]:
        try:
            return _own_spans(tokenizer.encode(new, specials=specials))
        except EncodeError:
            # A letter that the model does not know is no way out.
            return []

    found = smallest_edit(text, cut, spans)
    return None if found is None else _as_json(found, text)


def _as_json(found: Removal, text: str) -> dict[str, Any]:
    edit = found.edit
    start, end = (len(text[:place].encode()) for place in (edit.start, edit.end))
    old = text[edit.start : edit.end]
    token = found.text[found.token[0] : found.token[1]]
    what = {
        "delete": f"delete {_named(old)}",
        "insert": f"insert {_named(edit.by).replace('the ', 'a ', 1)}",
        "replace": f"replace {_named(old)} with {_named(edit.by)}",
        "change the case of": f"write {_named(old)} as {_named(edit.by)}",
        "write in lower case": f"write “{old}” in lower case",
    }[edit.kind]
    return {
        "kind": edit.kind,
        "span_utf8": [start, end],
        "by": edit.by,
        "text": found.text,
        "token": token,
        "summary": f"{what}: “{token}” becomes one token",
    }


def _named(character: str) -> str:
    return {" ": "the space", "\n": "the line end", "\t": "the tab"}.get(character, f"“{character}”")
