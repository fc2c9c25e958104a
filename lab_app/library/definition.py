"""A tokenizer as data: its tokenizer.json, parsed."""

import json
from typing import Any

from lab_app import engine
from lab_app.errors import BadValue
from lab_app.files import temporary_folder
from lab_app.library.entry import Entry
from lab_app.library.importing import TOKENIZER_JSON
from lab_app.library.tokenizer import AnyTokenizer


def definition(tokenizer: engine.Tokenizer) -> dict[str, Any] | None:
    """The parsed tokenizer.json of `tokenizer`; None if the format cannot hold it.

    >>> definition(engine.Tokenizer.builtin("gpt2"))["model"]["type"]
    'BPE'
    """
    try:
        return _written(tokenizer)
    except engine.SaveError:
        return None


def base_definition(entry: Entry, tokenizer: AnyTokenizer) -> dict[str, Any]:
    """The tokenizer.json of a recipe's base: its own file if that is its only file, else what the engine writes.

    Raises BadValue for a plug-in and for a tokenizer that the format cannot hold.
    """
    if not isinstance(tokenizer, engine.Tokenizer):
        raise BadValue(f"{entry.id} is a plug-in, and only engine tokenizers can be a base", "choose another base")
    # Sidecar files may change what it says, so only a file without them is the whole definition.
    if [file.name for file in entry.files] == [TOKENIZER_JSON]:
        own: dict[str, Any] = json.loads(entry.files[0].read_text("utf-8"))
        return own
    try:
        return _written(tokenizer)
    except engine.SaveError as error:
        raise BadValue(f"{entry.id} cannot be a base: {error}", "choose another base") from error


def continuing_prefix(tokenizer: engine.Tokenizer) -> bytes | None:
    """The mark of tokens that continue a word, such as `##`; None for vocabularies that mark the start of words."""
    # Only WordPiece has one: no other tokenizer is written out, with its vocabulary, to look for it.
    if not tokenizer.stages["model"].startswith("WordPiece"):
        return None
    prefix = ((definition(tokenizer) or {}).get("model", {})).get("continuing_subword_prefix")
    return prefix.encode() if prefix else None


def _written(tokenizer: engine.Tokenizer) -> dict[str, Any]:
    with temporary_folder() as folder:
        file = folder / TOKENIZER_JSON
        tokenizer.to_file(file)
        parsed: dict[str, Any] = json.loads(file.read_bytes())
        return parsed
