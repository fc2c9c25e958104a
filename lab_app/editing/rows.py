"""What edits change: tokens added, removed and moved, and where each row of an embedding comes from.

Not here: the rows themselves, the files (`lab_app.services.editing`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from lab_app.editing.recipe import Step
from lab_app.editing.segments import Merging, best_score, longest_matches
from lab_app.editing.stopping import stoppable
from lab_app.editing.tables import Tables


@dataclass(frozen=True)
class Moved:
    """A token with its old and its new ID."""

    token: str
    old: int
    new: int


@dataclass(frozen=True)
class Changes:
    """Tokens by spelling, each list by ID: `added` with their new IDs, `removed` with their old ones."""

    added: list[tuple[str, int]]
    removed: list[tuple[str, int]]
    moved: list[Moved]
    kept: int
    """Tokens with the ID that they had."""


def changes(before: Tables, after: Tables, renamed: Mapping[str, str] | None = None) -> Changes:
    """What differs between two definitions. `renamed`: old names by new ones.

    >>> a = Tables.of({"model": {"vocab": {"x": 0, "y": 1, "z": 2}}})
    >>> b = Tables.of({"model": {"vocab": {"x": 0, "z": 1, "w": 2}}})
    >>> changes(a, b)
    Changes(added=[('w', 2)], removed=[('y', 1)], moved=[Moved(token='z', old=2, new=1)], kept=1)
    """
    names, old, new = renamed or {}, before.all_ids(), after.all_ids()
    other = {token: id for token, id in new.items() if old.get(token) != id or token in names}
    was = {token: old.get(names.get(token, token)) for token in other}
    staying = (new.keys() - names.keys()) | {names[token] for token in names.keys() & new.keys()}
    added = [(token, id) for token, id in other.items() if was[token] is None]
    removed = [(token, id) for token, id in old.items() if token not in staying]
    moved = [Moved(token, before_id, other[token]) for token, before_id in was.items() if before_id is not None]
    moved = sorted((each for each in moved if each.old != each.new), key=lambda each: each.new)
    added.sort(key=itemgetter(1))
    removed.sort(key=itemgetter(1))
    return Changes(added, removed, moved, len(new) - len(added) - len(moved))


def renamed_by(tables: Tables, step: Step, names: Mapping[str, str] | None = None) -> dict[str, str]:
    """The old names of tokens by their new ones after a step on `tables`. `names`: those that steps before it made."""
    renamed = dict(names or {})
    if step.on and step.kind == "rename_token":
        [token] = tables.find([step.options["token"]])
        renamed[step.options["to"]] = renamed.pop(token, token)
    return renamed


@dataclass(frozen=True)
class Row:
    """One row of an embedding: `old` is None for a new one, `new` for a dropped one.

    `parts` are the old rows that a new one is the mean of, each with its weight; empty where the old tokens do not spell it.
    """

    token: str
    old: int | None
    new: int | None
    kind: Literal["copied", "mean of parts", "without parts", "dropped"]
    parts: list[tuple[int, float]]


def rows(before: Tables, after: Tables, renamed: Mapping[str, str] | None = None) -> list[Row]:
    """The map of rows: those of the new tokenizer by ID, then the dropped ones.

    >>> a = Tables.of({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}})
    >>> b = Tables.of({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 3}, "merges": ["a b"]}})
    >>> [(row.old, row.new, row.kind, row.parts) for row in rows(a, b)][2:]
    [(None, 3, 'mean of parts', [(0, 0.5), (1, 0.5)]), (2, None, 'dropped', [])]
    """
    names, old = renamed or {}, before.all_ids()
    spell = Speller(before)
    special = {token["content"] for token in after.added}
    made = []
    for token, id in stoppable(sorted(after.all_ids().items(), key=itemgetter(1))):
        source = old.get(names.get(token, token))
        if source is not None:
            made.append(Row(token, source, id, "copied", [(source, 1.0)]))
            continue
        parts = spell.parts(before.spelled(token) if token in special else token)
        kind: Literal["mean of parts", "without parts"] = "mean of parts" if parts else "without parts"
        made.append(Row(token, None, id, kind, [(old[part], 1 / len(parts)) for part in parts]))
    dropped = changes(before, after, names).removed
    return made + [Row(token, id, None, "dropped", []) for token, id in dropped]


class Speller:
    """The tokens that a vocabulary spells another vocabulary's tokens with."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._merging = Merging(tables) if tables.kind == "BPE" else None

    def parts(self, spelling: str) -> list[str]:
        """The tokens of a spelling; none where it cannot be spelled."""
        if self._merging is not None:
            found = self._merging.tokens(spelling)
        elif self._tables.scores:
            best = best_score(self._tables, spelling)
            found = [spelling] if best is None else best[1]
        else:
            found = longest_matches(self._tables, spelling) or [spelling]
        if self._tables.model.get("byte_fallback"):
            found = [part for token in found for part in self._known(token)]
        return found if all(part in self._tables.ids for part in found) else []

    def _known(self, token: str) -> list[str]:
        return [token] if token in self._tables.ids else [f"<0x{byte:02X}>" for byte in token.encode()]
