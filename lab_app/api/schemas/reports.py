"""Answers about saved sessions: `/reports`."""

from typing import Any

from pydantic import BaseModel


class ReportLine(BaseModel):
    """A saved session in the list; `counts` are tokens by tokenizer."""

    id: int
    name: str
    saved_at: str
    text_characters: int
    beginning: str
    counts: dict[str, int]


class Reports(BaseModel):
    """The saved sessions, the newest first."""

    reports: list[ReportLine]


class Saved(BaseModel):
    """The id of a session that was saved."""

    id: int


class SavedResult(BaseModel):
    """What one tokenizer made of the text of a session; `sha256` null where the tokenizer has no files."""

    tokenizer: str
    sha256: str | None
    count: int


class Report(BaseModel):
    """A saved session."""

    id: int
    name: str
    saved_at: str
    text: str
    add_special_tokens: bool
    specials: str
    view: dict[str, Any]
    results: list[SavedResult]


class Change(BaseModel):
    """One tokenizer of a session then and now."""

    tokenizer: str
    count_before: int
    count_now: int | None
    same: bool | None
    first_difference: int | None
    files_changed: bool | None
    problem: str | None


class SinceThen(BaseModel):
    """What became different since a session was saved."""

    changes: list[Change]
