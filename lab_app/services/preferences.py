"""The page's preferences: one object that only the page reads (theme, chosen tokenizers, switches).

They are in the store, since a browser keeps a page's own storage by port, and the port changes from run to run.
"""

import json
from typing import Any

from lab_app.errors import BadValue, TooLarge
from lab_app.services.lab import Lab
from lab_app.store import preferences

MAX_BYTES = 64_000


def load(lab: Lab) -> dict[str, Any]:
    """The object saved last, {} before the first."""
    return preferences.load(lab.database)


def save(lab: Lab, value: dict[str, Any]) -> dict[str, Any]:
    """Replaces the object. Raises TooLarge above 64 kB of JSON, BadValue for numbers that JSON does not have."""
    size = len(as_json(value))
    if size > MAX_BYTES:
        raise TooLarge(f"the preferences have {size} bytes", f"keep them below {MAX_BYTES} bytes")
    preferences.save(lab.database, value)
    return value


def as_json(value: dict[str, Any]) -> str:
    """The object as JSON. Raises BadValue for an infinite number or NaN, which could be kept and never be sent again.

    >>> as_json({"theme": "dark"})
    '{"theme": "dark"}'
    """
    try:
        return json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"the object cannot be kept as JSON: {error}", "give finite numbers and less nesting") from error
