"""Sessions that are kept: saved with what they gave, opened again, run again and compared with what they gave then."""

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
from lab_app.store import reports
from lab_app.store.reports import ReportLine, SavedReport, SavedResult

MAX_TEXT_BYTES = 10_000_000
MAX_NAME = 200


@dataclass(frozen=True)
class Change:
    """One tokenizer then and now."""

    tokenizer: str
    count_before: int
    count_now: int | None
    same: bool | None
    """Whether the ids are equal; None where the tokenizer could not be run."""
    first_difference: int | None
    """The first token that differs, counted from 0."""
    files_changed: bool | None
    """Whether the tokenizer's files are others than then."""
    problem: str | None


def save(
    lab: Lab,
    name: str,
    tokenizers: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    view: dict[str, Any] | None = None,
) -> int:
    """Encodes `text` with `tokenizers` and keeps it all; `view` is the page's own and kept as it is. Returns the id.

    Raises BadValue for a name or a number of tokenizers that cannot be, TooLarge for a text above 10 MB, and what
    `encode` raises; nothing is kept then.
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
        results.append(SavedResult(result.id, lab.catalog.entry(id).sha256, result.ids))
    options = {"add_special_tokens": add_special_tokens, "specials": specials, "view": view or {}}
    return reports.save(lab.database, name.strip(), options, text, results)


def lines(lab: Lab) -> list[ReportLine]:
    """All sessions, the newest first."""
    return reports.lines(lab.database)


def load(lab: Lab, id: int) -> SavedReport:
    """One session. Raises NotFound."""
    found = reports.load(lab.database, id)
    if found is None:
        raise NotFound(f"there is no session {id}", "it may have been deleted")
    return found


def delete(lab: Lab, id: int) -> None:
    """Forgets a session. Raises NotFound."""
    if not reports.delete(lab.database, id):
        raise NotFound(f"there is no session {id}", "it was deleted already")


def run_again(lab: Lab, id: int) -> list[Change]:
    """Encodes the text of a session as then and says what became different. Raises NotFound for the session."""
    report = load(lab, id)
    return [_change(lab, report, result) for result in report.results]


def _change(lab: Lab, report: SavedReport, before: SavedResult) -> Change:
    options = report.options
    try:
        now = encode(
            lab,
            before.tokenizer,
            report.text,
            add_special_tokens=options["add_special_tokens"],
            specials=options["specials"],
        ).ids
        sha256 = lab.catalog.entry(before.tokenizer).sha256
    except LabError as error:
        return Change(before.tokenizer, before.ids.size, None, None, None, None, str(error))
    shorter = min(before.ids.size, now.size)
    differing = np.flatnonzero(before.ids[:shorter] != now[:shorter])
    same = differing.size == 0 and before.ids.size == now.size
    first = int(differing[0]) if differing.size else None if same else shorter
    return Change(before.tokenizer, before.ids.size, now.size, same, first, sha256 != before.sha256, None)
