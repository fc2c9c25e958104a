"""`splintr`. It reads tokenizer.json."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "splintr"
TITLE = "splintr"
PACKAGE = "splintr-rs"
MODULE = "splintr"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer_json else "splintr reads tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    tokenizer = import_module(MODULE).from_json(files.tokenizer_json)
    return Calls(read_from=files.origin(files.tokenizer_json or ""), ids=tokenizer.encode_raw)
