"""`tokie`. It reads tokenizer.json."""

from importlib import import_module
from typing import Any

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "tokie"
TITLE = "tokie"
PACKAGE = "tokie"
MODULE = "tokie"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer_json else "tokie reads tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    import numpy as np

    tokie = import_module(MODULE)

    tokenizer = tokie.Tokenizer.from_json(files.tokenizer_json)

    def spans(text: str) -> tuple[Any, Any]:
        encoding = tokenizer.encode_with_offsets(text, add_special_tokens=False)
        return encoding.ids, encoding.offsets

    return Calls(
        read_from=files.origin(files.tokenizer_json or ""),
        ids=lambda text: tokenizer.encode(text, add_special_tokens=False).ids,
        batch=lambda texts: tokenizer.encode_batch_flat(texts, add_special_tokens=False),
        rows=lambda answer: np.split(answer[0], np.cumsum(answer[1])[:-1].astype(np.int64)),
        spans=spans,
    )
