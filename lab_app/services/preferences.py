"""The page's preferences: one object that only the page reads (theme, chosen tokenizers, switches).

They are in the store, since a browser keeps a page's own storage by port, and the port changes from run to run.
"""

import json
from typing import Any

from lab_app.errors import TooLarge
from lab_app.services.lab import Lab
from lab_app.store import preferences

MAX_BYTES = 64_000


def load(lab: Lab) -> dict[str, Any]:
    """The object saved last, {} before the first."""
    return preferences.load(lab.database)


def save(lab: Lab, value: dict[str, Any]) -> dict[str, Any]:
    """Replaces the object. Raises TooLarge above 64 kB of JSON."""
    size = len(json.dumps(value))
    if size > MAX_BYTES:
        raise TooLarge(f"the preferences have {size} bytes", f"keep them below {MAX_BYTES} bytes")
    preferences.save(lab.database, value)
    return value
