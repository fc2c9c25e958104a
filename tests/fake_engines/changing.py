"""Gives right ids when it is checked, and fewer when it is timed: the third pass and later ones."""

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "changing"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    calls = iter(range(1_000_000))
    return Calls(read_from="nothing", ids=lambda text: list(text.encode())[: None if next(calls) < 3 else 1])
