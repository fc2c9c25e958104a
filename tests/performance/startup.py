"""`make bench-startup`: from starting `tokenlab` to the first tokens, in the real window without a display.

In the same run, in turns:

* `bare`: a pywebview page of its own with one request to a server in the same process: the floor (`bare_window`);
* `first`: the lab with a new data folder;
* `second`: the lab with a data folder that an earlier start has filled.

Two moments of each start: `tokens`, when the first tokens are drawn over the text, and `ready`, when the page has all that
it asked for by itself. A bare page has one moment, its answer, and both are compared with it.

Figures are medians with the lowest and highest, the medians of the ratios to `bare` of the same round, and the seconds
of processor time that all processes of a start have used until then. The window is watched over its debugging protocol by
a client of few lines, which takes next to no time from what it measures.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from websockets.sync.client import connect

GIVE_UP_S = 60.0
LOOK_S = 0.01  # time between two looks at the page
LAB = [str(Path(sys.executable).with_name("tokenlab"))]
BARE = [sys.executable, "-m", "tests.performance.bare_window"]
READY = "document.documentElement.dataset.state === 'ready'"
TOKENS = "Number(document.querySelector('[data-role=lane]')?.dataset.pieces) > 0"
MOMENTS = {"tokens": TOKENS, "ready": READY}
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Moment(NamedTuple):
    """What a start has taken until then."""

    elapsed_s: float
    cpu_s: float


Start = dict[str, Moment]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="starts of each kind (default 5)")
    run(parser.parse_args().rounds)


def run(rounds: int = 5) -> None:
    """Measures the three kinds of start in turns and prints a table."""
    found: dict[str, list[Start]] = {"bare": [], "first": [], "second": []}
    bare = {"ready": READY}
    with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as kept:
        start(BARE, bare, kept)  # reads the programs from the disk
        start(LAB, MOMENTS, kept)
        for _ in range(rounds):
            found["bare"].append(start(BARE, bare, kept))
            with tempfile.TemporaryDirectory(prefix="tokenlab-bench-") as fresh:
                found["first"].append(start(LAB, MOMENTS, fresh))
            found["second"].append(start(LAB, MOMENTS, kept))
    print(f"From starting the program, {rounds} rounds")
    for name, starts in found.items():
        for moment in starts[0]:
            _print_moment(name, moment, [each[moment] for each in starts], [each["ready"] for each in found["bare"]])


def _print_moment(name: str, moment: str, starts: list[Moment], floors: list[Moment]) -> None:
    times = [each.elapsed_s for each in starts]
    cpu_s = statistics.median(each.cpu_s for each in starts)
    ratio = statistics.median(each.elapsed_s / floor.elapsed_s for each, floor in zip(starts, floors, strict=True))
    print(
        f"{name:8} {moment:8} {statistics.median(times):5.2f} s ({min(times):.2f}-{max(times):.2f})   {ratio:.2f} x bare"
        f"   {cpu_s:5.2f} s of processor time"
    )


def start(command: list[str], moments: dict[str, str], data_dir: str) -> Start:
    """Starts `command`, waits until each of the expressions has become true in the page of its window, and ends it."""
    port = free_port()
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}",
        "TOKENLAB_DATA_DIR": data_dir,
    }
    begun = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found: Start = {}
    try:
        while time.perf_counter() - begun < GIVE_UP_S:
            # The page may be gone between two looks: the first is empty.
            with suppress(OSError, ValueError, LookupError):
                for moment in _moments(port, {name: moments[name] for name in moments if name not in found}):
                    found[moment] = Moment(time.perf_counter() - begun, _cpu_s(process.pid))
                if len(found) == len(moments):
                    return found
            time.sleep(LOOK_S)
        raise SystemExit(f"{command[0]} was not ready within {GIVE_UP_S:g} s of its start")
    finally:
        process.terminate()
        process.wait(timeout=20)


def _moments(port: int, moments: dict[str, str]) -> Iterator[str]:
    """Watches the page in the window at this debugging port: each moment when its expression has become true.

    Raises OSError or LookupError if there is no page.
    """
    with socket.create_connection(("127.0.0.1", port), 1):
        pass  # asked first: a refused connection costs least
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=GIVE_UP_S) as answer:
        address = next(each for each in json.load(answer) if each["type"] == "page")["webSocketDebuggerUrl"]
    with connect(address, max_size=None) as page:
        for number in range(int(GIVE_UP_S / LOOK_S)):
            expression = f"[{', '.join(f'Boolean({each})' for each in moments.values())}]"
            parameters = {"expression": expression, "returnByValue": True}
            page.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": parameters}))
            reached = json.loads(page.recv(GIVE_UP_S))["result"]["result"]["value"]
            yield from (name for name, is_reached in zip(moments, reached, strict=True) if is_reached)
            moments = {name: each for (name, each), done in zip(moments.items(), reached, strict=True) if not done}
            if not moments:
                return
            time.sleep(LOOK_S)


def _cpu_s(pid: int) -> float:
    """Processor seconds of a process and of all that descend from it, those that have ended included."""
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
                ticks[int(entry.name)] = sum(map(int, fields[11:15]))  # own and of ended children, user and system
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(each, 0) for each in family) / TICKS_PER_S


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
