"""`flash-tokenizer`. It reads the vocab.txt of BERT."""

import json
from importlib import import_module
from pathlib import Path

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "flash-tokenizer"
TITLE = "flash-tokenizer"
PACKAGE = "flash-tokenizer"
MODULE = "flash_tokenizer"
LONGEST = 1 << 30


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.vocab_txt else "flash-tokenizer reads the vocab.txt of BERT, and this tokenizer has none"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    flash_tokenizer = import_module(MODULE)

    # Its call adds [CLS] and [SEP], which belong to the time and are taken off here.
    tokenizer = flash_tokenizer._core.FlashBertTokenizer(files.vocab_txt, _lowercases(files), LONGEST, True)

    def batch(texts: list[str]) -> list[list[int]]:
        found = tokenizer.batch_encode(texts, "longest", LONGEST, threads > 1)
        return [ids[1:-1] for ids in found]

    return Calls(
        read_from=files.origin(files.vocab_txt or ""),
        ids=lambda text: tokenizer.encode(text, "longest", LONGEST)[1:-1],
        batch=batch,
    )


def _lowercases(files: TokenizerFiles) -> bool:
    """What vocab.txt does not hold; a tokenizer.json of the same tokenizer does."""
    if files.tokenizer_json is None:
        return True
    definition = json.loads(Path(files.tokenizer_json).read_text(encoding="utf-8"))
    return bool((definition.get("normalizer") or {}).get("lowercase", False))
