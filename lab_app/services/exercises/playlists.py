"""Playlists: lessons, exercises and texts with minutes, the plan of an hour. They are kept in the lab and shared as files.

A playlist may name tokenizers that are not here: it is kept all the same, and each part that cannot be shown says why.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from lab_app.errors import BadValue, LabError
from lab_app.services.exercises.boundaries import mark_boundaries
from lab_app.services.exercises.options import MAX_SEED, SheetKind, SheetOptions
from lab_app.services.exercises.sheets import sheet_of
from lab_app.services.json_files import FileModel, parsed, validated
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import LESSONS, LessonOptions, lesson_of
from lab_app.services.records import delete_record, list_records, load_record
from lab_app.services.text.encode import encode
from lab_app.services.text.trace import MAX_CHARACTERS
from lab_app.settings import DEFAULT_LEARN
from lab_app.store import records

BUNDLED = Path(__file__).with_name("lecture.json")
KINDS = ("text", "boundaries", "exercises", *LESSONS)
"""What a part can show: a text in the presenter, what learners do, and lessons with steps."""
MAX_PARTS = 50
MAX_MINUTES = 600
MAX_STEP = 65_535
"""A lesson has at most 65 536 frames."""
MAX_LEARN = 1000
MOST_SECONDS = 20
"""Of trying the parts of a playlist."""
NOT_TRIED = f"this part was not tried, since the parts before it took {MOST_SECONDS} seconds"


class PlaylistPart(FileModel):
    """One part of the hour."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)]
    show: str
    """`text`, `boundaries`, `exercises`, or the name of a lesson."""
    way: Literal["watch", "do"] = "watch"
    tokenizer: Annotated[str | None, Field(max_length=200)] = None
    """None: the one in use."""
    text: Annotated[str, Field(max_length=MAX_CHARACTERS)] = ""
    step: Annotated[int, Field(ge=0, le=MAX_STEP)] = 0
    """Of a lesson, at which it begins."""
    learn: Annotated[int | None, Field(ge=1, le=MAX_LEARN)] = None
    """Tokens that a lesson on training learns; None: as many as usual."""
    sheet: SheetKind = SheetOptions.kind
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = SheetOptions.seed
    """`sheet` and `seed` are those of exercises."""
    note: Annotated[str, Field(max_length=2000)] = ""
    """What to say and to ask."""

    @field_validator("show")
    @classmethod
    def _is_known(cls, show: str) -> str:
        if show not in KINDS:
            raise ValueError(f'"{show:.40}" is none of {", ".join(KINDS)}')
        return show


class Playlist(FileModel):
    """The fields of a file."""

    kind: Literal["playlist of the Tokenization Laboratory"]
    version: Literal[1]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    parts: Annotated[list[PlaylistPart], Field(min_length=1, max_length=MAX_PARTS)]

    @property
    def minutes(self) -> int:
        """Of all parts."""
        return sum(part.minutes for part in self.parts)


@dataclass(frozen=True)
class PartProblem:
    """Why a part of a playlist cannot be shown in this lab."""

    part: int
    """Counted from 0."""
    message: str
    hint: str


@dataclass(frozen=True)
class CheckedPlaylist:
    """A playlist that was read, and what this lab cannot show of it."""

    playlist: Playlist
    minutes: int
    problems: list[PartProblem]


@dataclass(frozen=True)
class KeptPlaylist:
    """A playlist in the list."""

    id: int | None
    """None of the one that comes with the lab."""
    saved_at: str | None
    """UTC, ISO 8601."""
    minutes: int
    playlist: Playlist


@dataclass(frozen=True)
class Playlists:
    """The one that comes with the lab, then those that were saved, the newest first."""

    playlists: list[KeptPlaylist]


def bundled() -> Playlist:
    """The plan of 45 minutes that comes with the lab (`docs/guide/lecture.md`).

    >>> bundled().minutes
    45
    """
    return read(BUNDLED.read_bytes())


def read(content: str | bytes) -> Playlist:
    """The playlist of a file, or of what a check of it says. Raises BadValue with the place of what is wrong."""
    found = parsed(content, _no_playlist)
    if isinstance(found, dict) and "kind" not in found:
        found = found.get("playlist", found)
    return validated(Playlist, found, _no_playlist)


def check(lab: Lab, playlist: Playlist) -> CheckedPlaylist:
    """Tries the parts that name their tokenizer: the lesson, the marks or the tasks are made as they would be shown.

    After 20 seconds no other part is begun; those that are left say so.
    """
    problems = []
    end = monotonic() + MOST_SECONDS
    for n, part in enumerate(playlist.parts):
        try:
            if part.tokenizer is not None:
                if monotonic() > end:
                    raise BadValue(NOT_TRIED, "check a playlist that begins with it")
                _try(lab, part.tokenizer, part)
        except LabError as error:
            problems.append(PartProblem(n, error.message, error.hint))
    return CheckedPlaylist(playlist, playlist.minutes, problems)


def save(lab: Lab, playlist: Playlist) -> KeptPlaylist:
    """Keeps a playlist in place of one of the same name."""
    id = records.replace(lab.database, "playlist", playlist.name, playlist.model_dump(), "")
    return _kept(load_record(lab, "playlist", id)[0])


def list_playlists(lab: Lab) -> Playlists:
    """All of them."""
    own = bundled()
    kept = [_kept(each) for each in list_records(lab, "playlist")]
    return Playlists([KeptPlaylist(None, None, own.minutes, own), *kept])


def load(lab: Lab, id: int) -> Playlist:
    """A playlist that was saved. Raises NotFound."""
    return _kept(load_record(lab, "playlist", id)[0]).playlist


def forget(lab: Lab, id: int) -> None:
    """Deletes a playlist. Raises NotFound."""
    delete_record(lab, "playlist", id)


def _try(lab: Lab, id: str, part: PlaylistPart) -> None:
    """Makes what a part shows, and drops it. Raises what the screen would say."""
    options = LessonOptions(learn=part.learn or DEFAULT_LEARN)
    makers: dict[str, Callable[[], Any]] = {
        "text": lambda: encode(lab, id, part.text),
        "boundaries": lambda: mark_boundaries(lab, id, part.text, []),
        "exercises": lambda: sheet_of(lab, id, SheetOptions(part.seed, part.sheet)),
    }
    makers.get(part.show, lambda: lesson_of(lab, part.show, id, part.text, options))()


def _kept(record: records.Record) -> KeptPlaylist:
    playlist = Playlist.model_validate(record.facts)
    return KeptPlaylist(record.id, record.created_at, playlist.minutes, playlist)


def _no_playlist(fault: str) -> BadValue:
    return BadValue(f"this is not a playlist: {fault}", "docs/reference/exercises.md has the fields")
