"""`quicktok`. It has its own copies of OpenAI's newer vocabularies."""

from importlib import import_module
from itertools import pairwise

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "quicktok"
TITLE = "quicktok"
PACKAGE = "quicktok-v1"
MODULE = "quicktok"
OWN = ("cl100k_base", "o200k_base")
JOINED = " and ".join(OWN)


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.pattern in OWN and files.rank_file else f"quicktok has its own copies of {JOINED} alone"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    quicktok = import_module(MODULE)

    quicktok._CACHE.clear()
    tokenizer = quicktok.get_encoding(files.pattern)
    return Calls(
        read_from=f"its own copy of {files.pattern}",
        ids=tokenizer.encode_ordinary,
        batch=lambda texts: tokenizer.encode_batch(texts, threads=threads),
        rows=lambda answer: [answer[0][begin:end] for begin, end in pairwise(answer[1].tolist())],
    )
