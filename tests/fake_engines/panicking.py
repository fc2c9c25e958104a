"""Raises what is no Exception, as a panic of a library in Rust does, from the second call on."""

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "panicking"
MODULE = "json"
__all__ = ["misfit"]


class PanicException(BaseException):
    pass


def load(files: TokenizerFiles, threads: int) -> Calls:
    calls = iter(range(1_000_000))

    def ids(text: str) -> list[int]:
        if next(calls) > 0:
            raise PanicException("index out of bounds")
        return list(text.encode())

    return Calls(read_from="nothing", ids=ids)
