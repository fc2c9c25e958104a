"""A tokenizer as data: its tokenizer.json, parsed."""

import json
import tempfile
from pathlib import Path
from typing import Any

from lab_app import engine


def definition(tokenizer: engine.Tokenizer) -> dict[str, Any] | None:
    """The parsed tokenizer.json of `tokenizer`; None where the format cannot hold it."""
    with tempfile.TemporaryDirectory(prefix="tokenlab-") as folder:
        file = Path(folder) / "tokenizer.json"
        try:
            tokenizer.to_file(file)
        except engine.SaveError:
            return None
        parsed: dict[str, Any] = json.loads(file.read_bytes())
        return parsed


def continuing_prefix(definition: dict[str, Any] | None) -> bytes | None:
    """What marks a token inside of a word, for vocabularies that mark those and not the beginnings of words."""
    model = (definition or {}).get("model", {})
    prefix = model.get("continuing_subword_prefix") if model.get("type", "WordPiece") == "WordPiece" else None
    return prefix.encode() if prefix else None
