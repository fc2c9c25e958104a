"""The engine of the lab."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lab_app.peers.peer import Calls, TokenizerFiles

if TYPE_CHECKING:
    from lab_app.engine import Tokenizer

NAME = "tokenlab"
TITLE = "Tokenization Lab"
PACKAGE = "tokenization-lab"
MODULE = "lab_app.engine"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`: it reads every tokenizer of the library but plug-ins."""
    return None if files.file or files.builtin else "the engine of the lab runs no plug-ins"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    tokenizer = tokenizer_of(files)

    def spans(text: str) -> tuple[Any, Any]:
        encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
        return encoding.ids, encoding.span_char

    def batch_spans(texts: list[str]) -> list[tuple[Any, Any]]:
        found = tokenizer.encode_batch(texts, threads=threads, add_special_tokens=False, specials="text")
        return [(encoding.ids, encoding.span_char) for encoding in found]

    return Calls(
        read_from="the tokenizer inside the engine" if files.builtin else files.origin(files.file or ""),
        ids=tokenizer.encode_ids,
        lists=tokenizer.encode_list,
        batch=lambda texts: tokenizer.encode_ids_batch(texts, threads=threads),
        rows=lambda answer: np.split(answer[0], answer[1][1:-1].astype(np.int64)),
        spans=spans,
        batch_spans=batch_spans,
        timed=tokenizer,
    )


def tokenizer_of(files: TokenizerFiles) -> "Tokenizer":
    """The tokenizer itself."""
    from lab_app.engine import Tokenizer

    if files.builtin:
        return Tokenizer.builtin(files.builtin)
    assert files.file is not None
    special_tokens = files.special_tokens if files.pattern else None
    return Tokenizer.from_file(files.file, pattern=files.pattern, special_tokens=special_tokens)
