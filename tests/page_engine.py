"""What tests of handouts share: the engine for pages, and what a file holds."""

import json
import re
from typing import Any

import pytest

from lab_app.paths import packed
from tools.build_wasm import TARGET, is_installed

MODULE = packed() / "engine.wasm.gz"
needs_engine = pytest.mark.skipif(
    not MODULE.is_file() and not is_installed(), reason=f"the compiler lacks {TARGET}, so there are no handouts here"
)
"""Set-up builds the engine where it can: there, a test without it fails."""


def held(page: str) -> dict[str, Any]:
    """What a handout says of its one subject and its tokenizers."""
    found = re.search(r'<script type="application/json" id="handout">(.*?)</script>', page, re.S)
    assert found
    contents = json.loads(found[1])
    [subject] = contents["subjects"]
    return subject | {"tokenizers": contents["tokenizers"]}
