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
    _check(value)
    preferences.save(lab.database, value)
    return value


def change(lab: Lab, values: dict[str, Any]) -> dict[str, Any]:
    """Replaces those values and leaves the others, which another page may have saved. Returns the whole, raises as `save`."""
    return preferences.change(lab.database, values, _check)


def _check(value: dict[str, Any]) -> None:
    size = json_bytes(value)
    if size > MAX_BYTES:
        raise TooLarge(
            f"the settings and prepared texts have {size} bytes, more than {MAX_BYTES}", "remove a prepared text"
        )


def json_bytes(value: dict[str, Any]) -> int:
    """The size of the object as the page writes it: JSON in UTF-8, without white space.

    Raises BadValue for an infinite number or NaN, which could be kept and never be sent again.

    >>> json_bytes({"theme": "dark"}), json_bytes({"a": "日本"})
    (16, 14)
    """
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError) as error:
        raise BadValue(f"the object cannot be kept as JSON: {error}", "give finite numbers and less nesting") from error
    return len(text.encode("utf-8", "surrogatepass"))
