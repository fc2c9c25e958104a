"""Has a known cost, which the id of its tokenizer says: `turns:N` of a loop, `sleep:NS` or `spin:NS`."""

import time

from lab_app.peers.peer import Calls, TokenizerFiles
from tests.fake_engines.honest import misfit

NAME = TITLE = PACKAGE = "working"
MODULE = "json"
__all__ = ["misfit"]


def load(files: TokenizerFiles, threads: int) -> Calls:
    kind, _, cost = files.tokenizer.partition(":")
    work = {"turns": _turns, "sleep": _sleep, "spin": _spin}[kind]

    def ids(text: str) -> list[int]:
        work(int(cost))
        return list(text.encode())

    return Calls(read_from="nothing", ids=ids)


def _turns(count: int) -> None:
    total = 0
    for number in range(count):
        total += number & 7


def _sleep(cost_ns: int) -> None:
    time.sleep(cost_ns / 1e9)


def _spin(cost_ns: int) -> None:
    end = time.perf_counter_ns() + cost_ns
    while time.perf_counter_ns() < end:
        pass
