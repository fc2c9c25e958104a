"""A session as a file: text, tokenizers, options and ids, so that a colleague runs it in a lab of their own.

The file is one JSON object. It is somebody else's file: every field is checked before it is used.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Unpack

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lab_app.engine import Specials
from lab_app.errors import BadValue, TooLarge
from lab_app.json_text import json_text
from lab_app.services import json_files
from lab_app.services.json_files import FileModel, Short
from lab_app.services.lab import Lab
from lab_app.services.sessions import sessions
from lab_app.services.sessions.sessions import SavedSession, SessionChanges
from lab_app.services.text.compare import MAX_TOKENIZERS
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.text_options import TextOptions
from lab_app.store.sessions import StoredResult, StoredSession

KIND = "session of the Tokenization Laboratory"
VERSION = 1
POWERS_OF_TEN = np.array([10**digits for digits in range(1, 10)], np.uint32)
"""Each begins numbers of one more digit."""


Command = Annotated[str, Field(max_length=4000)]
"""Of a text of 300 characters, each of which may need five for a shell, and of eight tokenizers."""


class _FileResult(FileModel):
    tokenizer: Short
    sha256: Short | None
    ids: list[int]


class _Kept(BaseModel):
    """A part of the provenance: what a lab writes is kept, other fields are dropped."""

    model_config = ConfigDict(strict=True, extra="ignore")


class _FileTokenizer(_Kept):
    id: Short
    name: Short | None = None
    source: Short | None = None
    sha256: Short | None = None
    origin: Short | None = None
    repository: Short | None = None
    revision: Short | None = None


class _FileSettings(_Kept):
    add_special_tokens: bool | None = None
    specials: Specials | None = None
    ignore_spaces: bool | None = None


class _FileText(_Kept):
    bytes: int | None = None
    characters: int | None = None
    sha256: Short | None = None


class _FileProvenance(_Kept):
    lab: Short | None = None
    lab_version: Short
    commit: Short | None = None
    made_at: Short | None = None
    tokenizers: Annotated[list[_FileTokenizer], Field(max_length=MAX_TOKENIZERS)]
    settings: _FileSettings | None = None
    text: _FileText | None = None
    command: Command | None = None
    command_file: Short | None = None


class SessionContent(FileModel):
    """The fields of a file."""

    kind: Literal["session of the Tokenization Laboratory"]
    version: Literal[1]
    name: str
    saved_at: str
    text: str
    text_sha256: str
    add_special_tokens: bool
    specials: Specials
    view: dict[str, Any]
    provenance: _FileProvenance | None
    results: list[_FileResult]


@dataclass(frozen=True)
class SessionFile:
    """A file in parts, and its name."""

    name: str
    chunks: Iterator[str]


def export(lab: Lab, id: int) -> SessionFile:
    """A saved session as a file. Raises NotFound, TooLarge for a file that no lab with these settings opens."""
    session = sessions.stored(lab, id)
    size, most = file_bytes(session), round(lab.settings.max_request_mb * 1e6)
    if size > most:
        raise TooLarge(
            f"the file would have {size / 1e6:.1f} MB, and the lab opens files up to {most / 1e6:g} MB",
            "save the session with fewer tokenizers or a part of the text, or raise TOKENLAB_MAX_REQUEST_MB here and where "
            "the file is opened",
        )
    return SessionFile(f"session-{id}.json", chunks_of(session))


def make(lab: Lab, name: str, tokenizers: Sequence[str], text: str, **options: Unpack[TextOptions]) -> Iterator[str]:
    """The file of a session that this lab does not save. Raises as `sessions.encoded` does."""
    return chunks_of(sessions.encoded(lab, name, tokenizers, text, view={}, **options))


def chunks_of(session: StoredSession) -> Iterator[str]:
    """The JSON of a session, in parts: ids may be millions."""
    yield f'{_head(session)[:-1]}, "results": ['
    for number, result in enumerate(session.results):
        yield ", " if number else ""
        yield json_text({"tokenizer": result.tokenizer, "sha256": result.sha256, "ids": result.ids.tolist()})
    yield "]}\n"


def file_bytes(session: StoredSession) -> int:
    """The size of the file that `chunks_of` writes, without writing the ids."""
    without_ids = replace(session, results=tuple(replace(each, ids=each.ids[:0]) for each in session.results))
    size = sum(len(chunk.encode()) for chunk in chunks_of(without_ids))
    for result in session.results:
        digits = np.searchsorted(POWERS_OF_TEN, result.ids, side="right") + 1
        size += int(digits.sum()) + len(", ") * max(result.ids.size - 1, 0)
    return size


def _head(session: StoredSession) -> str:
    options = session.options
    head = {
        "kind": KIND,
        "version": VERSION,
        "name": session.name,
        "saved_at": session.saved_at,
        "text": session.text,
        "text_sha256": _digest(session.text),
        "add_special_tokens": options["add_special_tokens"],
        "specials": options["specials"],
        "view": options["view"],
        "provenance": options.get("provenance"),
    }
    return json_text(head)


def parsed(content: str | bytes) -> object:
    """The JSON of a file, for `read`. Raises BadValue."""
    return json_files.parsed(content, _no_session)


def read(value: object) -> StoredSession:
    """The session of a file's JSON; its id is 0. Raises BadValue with the place of what is wrong."""
    try:
        found = SessionContent.model_validate(value)
        saved_at = datetime.fromisoformat(found.saved_at).astimezone(UTC).isoformat(timespec="seconds")
        results = tuple(
            StoredResult(each.tokenizer, each.sha256, np.array(each.ids, np.uint32)) for each in found.results
        )
    except (ValidationError, ValueError, OverflowError) as error:
        raise _no_session(json_files.faults(error)) from None
    refuse_surrogates(found.text, "text: ")
    refuse_surrogates(found.name, "name: ")
    if _digest(found.text) != found.text_sha256:
        raise BadValue("text_sha256 is not the digest of the text", "ask for the file again: this one was changed")
    sessions.check(found.name, [each.tokenizer for each in found.results], found.text, found.view)
    options: dict[str, Any] = {
        "add_special_tokens": found.add_special_tokens,
        "specials": found.specials,
        "view": found.view,
    }
    if found.provenance:
        options["provenance"] = found.provenance.model_dump(exclude_unset=True)
        sessions.check_size("provenance", options["provenance"])
    return StoredSession(0, found.name.strip(), saved_at, options, found.text, results)


def save(lab: Lab, value: object) -> SavedSession:
    """Saves the session of a file's JSON. Raises as `read` does."""
    return sessions.keep(lab, read(value))


def run(lab: Lab, value: object) -> SessionChanges:
    """Encodes the text of a file's session with the tokenizers of this lab. Raises as `read` does."""
    return sessions.changes(lab, read(value))


def _no_session(fault: str) -> BadValue:
    return BadValue(
        f"this is not a session: {fault}",
        "choose a file that Reports wrote",
        on_terminal="give a file that Reports or `tokenlab report save` wrote",
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
