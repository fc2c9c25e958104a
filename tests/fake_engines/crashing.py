"""Ends its process with a signal."""

import faulthandler
import os
import signal
import sys

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "crashing"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    def ids(text: str) -> list[int]:
        faulthandler.disable()
        sys.stderr.write("the last words\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
        return []

    return Calls(read_from="nothing", ids=ids)
