"""Saved sessions: a text with its tokenizers and options, which can be opened and run again.

A new run is compared with the saved ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab_app.engine import Specials
from lab_app.errors import BadValue, LabError, NotFound, TooLarge
from lab_app.services.compare import MAX_TOKENIZERS
from lab_app.services.encode import encode
from lab_app.services.lab import Lab
from lab_app.services.preferences import as_json
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.store import sessions
from lab_app.store.sessions import SessionSummary, StoredResult, StoredSession

MAX_TEXT_BYTES = 10_000_000
MAX_NAME = 200


@dataclass(frozen=True)
class Sessions:
    """The saved sessions, the newest first."""

    sessions: list[SessionSummary]


@dataclass(frozen=True)
class SavedSession:
    """The id of a session that was saved."""

    id: int


@dataclass(frozen=True)
class SessionResult:
    """One tokenizer of a session: the digest of its files at that time, and its tokens."""

    tokenizer: str
    sha256: str | None
    count: int


@dataclass(frozen=True)
class Session:
    """A saved session without its ids."""

    id: int
    name: str
    saved_at: str
    """UTC, ISO 8601."""
    text: str
    add_special_tokens: bool
    specials: Specials
    view: dict[str, Any]
    results: list[SessionResult]


@dataclass(frozen=True)
class SessionChange:
    """One tokenizer of a session, then and now. `problem` is the reason why it could not run."""

    tokenizer: str
    count_before: int
    count_now: int | None
    same: bool | None
    """Whether the ids are equal; None if the tokenizer could not run."""
    first_difference: int | None
    """The index of the first token that differs."""
    files_changed: bool | None
    """Whether the tokenizer's files are others than then."""
    problem: str | None


@dataclass(frozen=True)
class SessionChanges:
    """What changed since a session was saved, per tokenizer."""

    changes: list[SessionChange]


def save(
    lab: Lab,
    name: str,
    tokenizers: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    view: dict[str, Any] | None = None,
) -> SavedSession:
    """Encodes `text` with `tokenizers` and saves text, options and ids; `view` is stored unchanged.

    Raises BadValue for a name or a number of tokenizers that cannot be, TooLarge for a text above 10 MB, and what
    `encode` raises; then nothing is saved.
    """
    if not 1 <= len(name.strip()) <= MAX_NAME:
        raise BadValue(
            f"the name has {len(name.strip())} characters, not 1 to {MAX_NAME}", "give the session a shorter name"
        )
    if not 1 <= len(tokenizers) <= MAX_TOKENIZERS:
        raise BadValue(f"a session has 1 to {MAX_TOKENIZERS} tokenizers, not {len(tokenizers)}", "name different ones")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_TEXT_BYTES:
        raise TooLarge(f"the text has {size} bytes", f"a session keeps texts up to {MAX_TEXT_BYTES} bytes")
    as_json(view or {})
    results = []
    for id in tokenizers:
        result = encode(lab, id, text, add_special_tokens=add_special_tokens, specials=specials)
        results.append(StoredResult(result.id, lab.catalog.entry(id).sha256, result.ids))
    options = {"add_special_tokens": add_special_tokens, "specials": specials, "view": view or {}}
    return SavedSession(sessions.save(lab.database, name.strip(), options, text, results))


def list_sessions(lab: Lab) -> Sessions:
    """All sessions, the newest first."""
    return Sessions(sessions.summaries(lab.database))


def load(lab: Lab, id: int) -> Session:
    """One session. Raises NotFound."""
    found = _stored(lab, id)
    results = [SessionResult(each.tokenizer, each.sha256, each.ids.size) for each in found.results]
    return Session(found.id, found.name, found.saved_at, found.text, **found.options, results=results)


def _stored(lab: Lab, id: int) -> StoredSession:
    found = sessions.load(lab.database, id)
    if found is None:
        raise NotFound(f"there is no session {id}", "it may have been deleted")
    return found


def delete(lab: Lab, id: int) -> None:
    """Deletes a session. Raises NotFound."""
    if not sessions.delete(lab.database, id):
        raise NotFound(f"there is no session {id}", "it was deleted already")


def run_again(lab: Lab, id: int) -> SessionChanges:
    """Encodes the text of a session again with the saved options. Raises NotFound for the session."""
    session = _stored(lab, id)
    return SessionChanges([_change(lab, session, result) for result in session.results])


def _change(lab: Lab, session: StoredSession, before: StoredResult) -> SessionChange:
    options = session.options
    try:
        now = encode(
            lab,
            before.tokenizer,
            session.text,
            add_special_tokens=options["add_special_tokens"],
            specials=options["specials"],
        ).ids
        sha256 = lab.catalog.entry(before.tokenizer).sha256
    except LabError as error:
        return SessionChange(before.tokenizer, before.ids.size, None, None, None, None, str(error))
    shorter = min(before.ids.size, now.size)
    differing = np.flatnonzero(before.ids[:shorter] != now[:shorter])
    same = differing.size == 0 and before.ids.size == now.size
    first = int(differing[0]) if differing.size else None if same else shorter
    return SessionChange(before.tokenizer, before.ids.size, now.size, same, first, sha256 != before.sha256, None)
