"""The reference libraries, given the same vocabularies as the engine."""

import base64
from pathlib import Path
from unittest.mock import patch

import tiktoken
from tiktoken_ext import openai_public


def tiktoken_encoding(name: str, ranks: dict[bytes, int]) -> tiktoken.Encoding:
    """tiktoken's own encoding of a name (its pattern, its special tokens) over ranks given here: no download."""
    with patch.object(openai_public, "load_tiktoken_bpe", lambda *args, **kwargs: ranks):
        return tiktoken.Encoding(**getattr(openai_public, name)())


def ranks_of(path: Path) -> dict[bytes, int]:
    """A rank file read the simplest way."""
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}
