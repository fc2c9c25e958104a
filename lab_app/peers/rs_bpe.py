"""`rs-bpe`. It has its own copies of two of OpenAI's vocabularies."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "rs-bpe"
TITLE = "rs-bpe"
PACKAGE = "rs-bpe"
MODULE = "rs_bpe"
OWN = ("cl100k_base", "o200k_base")
JOINED = " and ".join(OWN)


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.pattern in OWN and files.rank_file else f"rs-bpe has its own copies of {JOINED} alone"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    openai = import_module("rs_bpe.bpe").openai

    tokenizer = getattr(openai, files.pattern or "")()
    return Calls(read_from=f"its own copy of {files.pattern}", ids=tokenizer.encode)
