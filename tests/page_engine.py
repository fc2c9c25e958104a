"""What tests of handouts share: the engine for pages, and what a file holds."""

import json
import re
from typing import Any

import pytest

from lab_app.paths import packed

MODULE = packed() / "engine.wasm.gz"
needs_engine = pytest.mark.skipif(not MODULE.is_file(), reason=f"{MODULE.name} is not built: make wasm")


def held(page: str) -> dict[str, Any]:
    """What a handout says of its one subject and its tokenizers."""
    found = re.search(r'<script type="application/json" id="handout">(.*?)</script>', page, re.S)
    assert found
    contents = json.loads(found[1])
    [subject] = contents["subjects"]
    return subject | {"tokenizers": contents["tokenizers"]}
