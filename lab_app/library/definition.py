"""A tokenizer as data: its tokenizer.json, parsed."""

import json
import tempfile
from pathlib import Path
from typing import Any

from lab_app import engine


def definition(tokenizer: engine.Tokenizer) -> dict[str, Any]:
    """The parsed tokenizer.json of `tokenizer`. Raises engine.SaveError where the format cannot hold it.

    >>> definition(engine.Tokenizer.builtin("gpt2"))["model"]["type"]
    'BPE'
    """
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
        file = Path(folder) / "tokenizer.json"
        tokenizer.to_file(file)
        parsed: dict[str, Any] = json.loads(file.read_bytes())
        return parsed
