"""Cannot load."""

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "raising"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    raise ValueError("the file has an unknown field")
