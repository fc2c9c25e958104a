"""The page tells by the name of a stage whether it may change the text: the name the engine gives must be one it knows."""

import json
import re
from pathlib import Path

import pytest

from lab_app.engine import Tokenizer
from tests.tiny import tokenizer_json

METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


@pytest.mark.parametrize("nested", [False, True])
def test_a_pretokenizer_that_puts_in_a_mark_is_known_to_the_page(root: Path, tmp_path: Path, nested: bool):
    path = tokenizer_json(tmp_path)
    definition = json.loads(path.read_text(encoding="utf-8"))
    stage = {"type": "Sequence", "pretokenizers": [METASPACE]} if nested else METASPACE
    path.write_text(json.dumps({**definition, "normalizer": None, "pre_tokenizer": stage}), encoding="utf-8")
    page = (root / "lab_ui" / "js" / "lib" / "changes_window.js").read_text(encoding="utf-8")
    known = re.search(r"\|\| /(.+?)/\.test\(entry\.stages\.pretokenizer\)", page)
    assert known, "the page tells it otherwise now: so must this test"
    assert re.search(known[1], Tokenizer.from_file(path).stages["pretokenizer"])
