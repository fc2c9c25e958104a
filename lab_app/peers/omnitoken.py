"""`omnitoken`. It reads tokenizer.json."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "omnitoken"
TITLE = "omnitoken"
PACKAGE = "omnitoken"
MODULE = "omnitoken"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer_json else "omnitoken reads tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    omnitoken = import_module(MODULE)

    tokenizer = omnitoken.Tokenizer(files.tokenizer_json)
    return Calls(read_from=files.origin(files.tokenizer_json or ""), ids=tokenizer.encode)
