"""Loads, encodes once, and never comes back."""

import time

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "hanging"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    calls = iter(range(1000))

    def ids(text: str) -> list[int]:
        while next(calls) > 0:
            time.sleep(3600)
        return list(text.encode())

    return Calls(read_from="nothing", ids=ids)
