"""Gives other ids for one letter, and quickly."""

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "wrong"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    return Calls(
        read_from="nothing",
        ids=lambda text: list(text.replace("w", "v").encode()),
        batch=lambda texts: [list(text.replace("w", "v").encode()) for text in texts],
    )
