"""Gives the bytes of the text, as it should."""

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = TITLE = PACKAGE = "honest"
MODULE = "json"


def misfit(files: TokenizerFiles) -> str | None:
    return None


def load(files: TokenizerFiles, threads: int) -> Calls:
    return Calls(
        read_from="nothing",
        ids=lambda text: list(text.encode()),
        batch=lambda texts: [list(text.encode()) for text in texts],
        spans=lambda text: (list(text.encode()), [(n, n + 1) for n in range(len(text.encode()))]),
    )
