"""What use cases ask of a tokenizer's tokenizer.json. Not here: making it (`lab_app.library.definition`)."""

from typing import Any

from lab_app import engine
from lab_app.library.definition import definition as definition_of


def definition(tokenizer: engine.Tokenizer) -> dict[str, Any] | None:
    """The parsed tokenizer.json of `tokenizer`; None where the format cannot hold it."""
    try:
        return definition_of(tokenizer)
    except engine.SaveError:
        return None


def continuing_prefix(tokenizer: engine.Tokenizer) -> bytes | None:
    """What marks a token inside of a word, for vocabularies that mark those and not the beginnings of words."""
    # Only these do: the others are not written out, vocabulary and all, to learn that.
    if not tokenizer.stages["model"].startswith("WordPiece"):
        return None
    prefix = ((definition(tokenizer) or {}).get("model", {})).get("continuing_subword_prefix")
    return prefix.encode() if prefix else None
