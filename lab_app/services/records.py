"""What every kind of kept result shares: lists with the names that people gave, "there is no such", deleting, liveness, what differs.

Not here: what a result holds (`analyses`, `benchmarks`, `trainings`), names and notes (`labels`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from lab_app.errors import NotFound
from lab_app.services.lab import Lab
from lab_app.store import labels, records
from lab_app.store.records import IsAlive, Record

NAMES: dict[str, tuple[str, str]] = {
    "analysis": ("analysis", "analyses"),
    "benchmark": ("benchmark", "benchmarks"),
    "training": ("training", "trainings"),
    "session": ("session", "sessions"),
    "cost": ("kept measurement", "measurements"),
    "playlist": ("playlist", "playlists"),
    "exercise": ("kept sheet", "sheets that were worked on"),
}


Result = Literal["analysis", "benchmark", "training", "cost", "exercise", "playlist"]


@dataclass(frozen=True)
class SettingChange:
    """A setting, or a fact of the text, the machine or the software, that differs between two results."""

    name: str
    before: str
    after: str


def setting_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[SettingChange]:
    """Those that differ, of the circumstances of two results.

    >>> setting_changes({"seed": "0", "alpha": "1"}, {"seed": "7", "alpha": "1"})
    [SettingChange(name='seed', before='0', after='7')]
    """
    return [SettingChange(name, value, after[name]) for name, value in before.items() if after[name] != value]


def list_records(lab: Lab, kind: Result, is_alive: IsAlive | None = None) -> list[Record]:
    """All of a kind, the newest first, each with the title that it was given. `is_alive`: default that its program runs.

    >>> from lab_app.settings import Settings
    >>> list_records(Lab(Settings()), "cost")
    []
    """
    names = labels.names(lab.database, kind)
    found = records.stored(lab.database, kind, is_alive or lab.is_alive)
    return [replace(each, title=names.get(each.id, each.title)) for each in found]


def load_record(lab: Lab, kind: Result, id: int, is_alive: IsAlive | None = None) -> tuple[Record, str]:
    """A record and its result, with the title that it was given. Raises NotFound."""
    found = records.load(lab.database, kind, id, is_alive or lab.is_alive)
    if found is None:
        raise unknown(kind, id)
    record, result = found
    return replace(record, title=labels.names(lab.database, kind).get(id, record.title)), result


def delete_record(lab: Lab, kind: Result, id: int) -> None:
    """Deletes a record. Raises NotFound."""
    if not records.delete(lab.database, kind, id):
        raise unknown(kind, id)


def unknown(kind: str, id: int) -> NotFound:
    """The error for an id that no kept result has."""
    one, all_of_them = NAMES[kind]
    return NotFound(
        f"there is no {one} {id}", f"list the {all_of_them}: this one was deleted, or belongs to another data folder"
    )
