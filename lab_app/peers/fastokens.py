"""`fastokens`. It reads tokenizer.json, and two of OpenAI's rank files."""

from importlib import import_module
from typing import Any

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "fastokens"
TITLE = "fastokens"
PACKAGE = "fastokens"
MODULE = "fastokens"
OWN_PATTERNS = ("cl100k_base", "o200k_base")


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer_json else "fastokens reads tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    native = import_module(MODULE)._native

    if files.rank_file and files.pattern in OWN_PATTERNS:
        path = files.rank_file
        tokenizer = native.Tokenizer.from_tiktoken(path, encoding=files.pattern)
    else:
        path = files.tokenizer_json or ""
        tokenizer = native.Tokenizer.from_file(path)

    def spans(text: str) -> tuple[Any, Any]:
        encoding = tokenizer.encode(text, split_special_tokens=True)
        return encoding.ids, encoding.offsets

    return Calls(
        read_from=files.origin(path),
        ids=lambda text: tokenizer.encode_ordinary(text).ids,
        batch=lambda texts: [one.ids for one in tokenizer.encode_batch(texts, split_special_tokens=True)],
        spans=spans,
    )
