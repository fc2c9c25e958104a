"""Names and notes of kept results: analyses, benchmarks, trainings, sessions. Lists show the name that was given."""

from dataclasses import dataclass

from lab_app.errors import BadValue, NotFound
from lab_app.services.lab import Lab
from lab_app.store import labels as store
from lab_app.store.labels import Kind, Label

MAX_NAME = 200
"""Characters."""
MAX_NOTE = 10_000
"""Characters."""


@dataclass(frozen=True)
class Labels:
    """The results that have a name or a note of their own."""

    labels: list[Label]


def list_labels(lab: Lab) -> Labels:
    """All of them.

    >>> from lab_app.settings import Settings
    >>> list_labels(Lab(Settings()))
    Labels(labels=[])
    """
    return Labels(store.stored(lab.database))


def put(lab: Lab, kind: Kind, id: int, name: str | None, note: str) -> Label:
    """Gives a result a name and a note, in place of those it had; an empty name is the lab's own again, None leaves it.

    Raises NotFound, and BadValue for a name or note that is too long.
    """
    if name is None:
        name = store.names(lab.database, kind).get(id, "")
    label = Label(kind, id, " ".join(name.split()), note.strip())
    for what, text, most in (("name", label.name, MAX_NAME), ("note", label.note, MAX_NOTE)):
        if len(text) > most:
            raise BadValue(f"a {what} of {len(text)} characters", f"give a {what} of at most {most} characters")
    if not store.put(lab.database, label):
        raise NotFound(f"there is no {kind} {id}", "list them: this one was deleted, or belongs to another data folder")
    return label
