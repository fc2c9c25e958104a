"""Saved sessions: a text with its tokenizers and options, which can be opened and run again.

A new run is compared with the saved ids. Not here: sessions as files (`files`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Unpack

import numpy as np

from lab_app.engine import Specials
from lab_app.errors import BadValue, LabError, TooLarge
from lab_app.services.lab import Lab
from lab_app.services.preferences import json_bytes
from lab_app.services.records import unknown
from lab_app.services.sessions.provenance import provenance
from lab_app.services.text.compare import check_tokenizers
from lab_app.services.text.encode import encode
from lab_app.services.text.text_options import TextOptions
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.store import labels, sessions
from lab_app.store.sessions import StoredResult, StoredSession
from lab_app.version import lab_version

MAX_TEXT_BYTES = 10_000_000
MAX_NAME = 200
MAX_OBJECT_BYTES = 64_000
"""Of the view, and of the provenance."""


@dataclass(frozen=True)
class SessionResult:
    """One tokenizer of a session: the digest and the source of its files at that time, and its tokens."""

    tokenizer: str
    sha256: str | None
    origin: str | None
    """Who published the files, or their repository; None if that was not known."""
    revision: str | None
    """The commit of the repository."""
    count: int


@dataclass(frozen=True)
class SessionSummary:
    """A saved session in a list, without its text and ids."""

    id: int
    name: str
    saved_at: str
    """UTC, ISO 8601."""
    text_characters: int
    beginning: str
    """The first characters of the text."""
    add_special_tokens: bool
    specials: Specials
    lab_version: str | None
    """Of the lab that encoded the text; None if it was not recorded."""
    results: list[SessionResult]


@dataclass(frozen=True)
class Sessions:
    """The saved sessions, the newest first."""

    sessions: list[SessionSummary]


@dataclass(frozen=True)
class SavedSession:
    """The id of a session that was saved."""

    id: int


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
    lab_version_before: str | None
    lab_version_now: str

    @property
    def are_none(self) -> bool:
        """Whether every tokenizer gives the same ids."""
        return all(each.same for each in self.changes)


def save(
    lab: Lab,
    name: str,
    tokenizers: Sequence[str],
    text: str,
    *,
    view: dict[str, Any] | None = None,
    **options: Unpack[TextOptions],
) -> SavedSession:
    """Encodes `text` with `tokenizers` and saves text, options and ids; `view` is stored unchanged.

    Raises as `encoded` does; then nothing is saved.
    """
    return keep(lab, encoded(lab, name, tokenizers, text, view=view or {}, **options))


def encoded(
    lab: Lab,
    name: str,
    tokenizers: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    view: dict[str, Any],
) -> StoredSession:
    """A session that is not saved yet; its id is 0.

    Raises BadValue for a name or a number of tokenizers that cannot be, TooLarge for a text above 10 MB, and what
    `encode` raises.
    """
    check(name, tokenizers, text, view)
    results = []
    for id in tokenizers:
        result = encode(lab, id, text, add_special_tokens=add_special_tokens, specials=specials)
        results.append(StoredResult(result.id, lab.catalog.entry(id).sha256, result.ids))
    made = provenance(
        lab, tokenizers, text, add_special_tokens=add_special_tokens, specials=specials, ignore_spaces=None
    )
    options = {
        "add_special_tokens": add_special_tokens,
        "specials": specials,
        "view": view,
        "provenance": asdict(made),
    }
    return StoredSession(0, name.strip(), made.made_at, options, text, tuple(results))


def check(name: str, tokenizers: Sequence[str], text: str, view: dict[str, Any]) -> None:
    """Raises BadValue or TooLarge for what no session holds."""
    if not 1 <= len(name.strip()) <= MAX_NAME:
        raise BadValue(
            f"the name has {len(name.strip())} characters, not 1 to {MAX_NAME}", "give the session a shorter name"
        )
    check_tokenizers("a session", tokenizers)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_TEXT_BYTES:
        raise TooLarge(f"the text has {size} bytes", f"shorten it: a session keeps texts up to {MAX_TEXT_BYTES} bytes")
    check_size("view", view)


def check_size(field: str, value: dict[str, Any]) -> None:
    """Raises TooLarge for an object above 64 kB, which no page writes, and BadValue for what is no JSON."""
    size = json_bytes(value)
    if size > MAX_OBJECT_BYTES:
        raise TooLarge(f"{field} has {size} bytes", f"save less of it: a session keeps up to {MAX_OBJECT_BYTES} bytes")


def keep(lab: Lab, session: StoredSession) -> SavedSession:
    """Saves a session, whatever its id, under a new one."""
    id = sessions.save(
        lab.database, session.name, session.options, session.text, session.results, saved_at=session.saved_at
    )
    return SavedSession(id)


def list_sessions(lab: Lab) -> Sessions:
    """All sessions, the newest first."""
    names = labels.names(lab.database, "session")
    return Sessions(
        [
            SessionSummary(
                each.id,
                names.get(each.id, each.name),
                each.saved_at,
                each.text_characters,
                each.beginning,
                each.options["add_special_tokens"],
                each.options["specials"],
                _lab_version(each.options),
                [_result(each.options, one.tokenizer, one.sha256, one.count) for one in each.results],
            )
            for each in sessions.summaries(lab.database)
        ]
    )


def load(lab: Lab, id: int) -> Session:
    """One session. Raises NotFound."""
    found = stored(lab, id)
    return Session(
        found.id,
        labels.names(lab.database, "session").get(id, found.name),
        found.saved_at,
        found.text,
        found.options["add_special_tokens"],
        found.options["specials"],
        found.options["view"],
        [_result(found.options, each.tokenizer, each.sha256, each.ids.size) for each in found.results],
    )


def stored(lab: Lab, id: int) -> StoredSession:
    """One session with its ids. Raises NotFound."""
    found = sessions.load(lab.database, id)
    if found is None:
        raise unknown("session", id)
    return found


def delete(lab: Lab, id: int) -> None:
    """Deletes a session. Raises NotFound."""
    if not sessions.delete(lab.database, id):
        raise unknown("session", id)


def run_again(lab: Lab, id: int) -> SessionChanges:
    """Encodes the text of a session again with the saved options. Raises NotFound for the session."""
    return changes(lab, stored(lab, id))


def changes(lab: Lab, session: StoredSession) -> SessionChanges:
    """What the tokenizers of this lab make of a session's text, compared with its ids."""
    return SessionChanges(
        [_change(lab, session, result) for result in session.results], _lab_version(session.options), lab_version()
    )


def _lab_version(options: dict[str, Any]) -> str | None:
    version = options.get("provenance", {}).get("lab_version")
    return version if isinstance(version, str) else None


def _result(options: dict[str, Any], tokenizer: str, sha256: str | None, count: int) -> SessionResult:
    """A session that was saved by an older lab has no provenance."""
    used = options.get("provenance", {}).get("tokenizers", [])
    source: dict[str, Any] = next((each for each in used if each["id"] == tokenizer), {})
    return SessionResult(
        tokenizer, sha256, source.get("repository") or source.get("origin"), source.get("revision"), count
    )


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
