"""An engine on a simulated clock: every call and every character has its cost. Ids are code points."""

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "costly"
MODULE = "json"
LOAD_NS, CALL_NS, CHARACTER_NS = 5_000_000, 1_000, 10
__all__ = ["misfit"]

elapsed_ns = 0
loads = 0


def load(files: TokenizerFiles, threads: int) -> Calls:
    global elapsed_ns, loads
    elapsed_ns += LOAD_NS
    loads += 1
    return Calls(read_from="nothing", ids=_ids, batch=lambda texts: _ids("\0".join(texts)), rows=_rows)


def _ids(text: str) -> list[int]:
    global elapsed_ns
    elapsed_ns += CALL_NS + CHARACTER_NS * len(text.replace("\0", ""))
    return [ord(character) for character in text]


def _rows(ids: list[int]) -> list[list[int]]:
    return [[ord(character) for character in row] for row in "".join(map(chr, ids)).split("\0")]
