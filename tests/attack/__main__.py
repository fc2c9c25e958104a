"""`make attack`: sends a server of the lab what would fill its memory, stop its answers or open what is closed.

Each attack is a few requests to a server that this starts on 127.0.0.1, with data of its own; at most `LIMIT_S` each. Printed: what was
answered, how much memory the server took beyond what it had, the longest that `/healthz` waited meanwhile. Ends with 1 where an
answer is none of those allowed, the memory grows by more than an attack may take, or the server ends.

What needs no server that runs is in the tests; `docs/design/security.md` names them. Source of the cases: `tests/attack/cases.py`.
"""

import os
import shutil
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from urllib.parse import urlsplit

from tests.attack.cases import CASES, Case
from tests.performance.api import TOKEN, resident_mb, server

LIMIT_S = 60.0
BEAT_S = 0.1


class Nowhere:
    """Takes what is written and keeps nothing."""

    def write(self, data: bytes) -> int:
        return len(data)


class Watch(threading.Thread):
    """Looks at the server's memory and asks for `/healthz` until it is ended."""

    def __init__(self, process, origin: str) -> None:
        super().__init__(daemon=True)
        self._process, self._origin = process, origin
        self._end = threading.Event()
        self.peak_mb = self.longest_s = 0.0

    def run(self) -> None:
        while not self._end.wait(BEAT_S):
            with suppress(OSError):
                self.peak_mb = max(self.peak_mb, resident_mb(self._process))
            began = time.monotonic()
            with suppress(OSError, HTTPException), urllib.request.urlopen(f"{self._origin}/healthz", timeout=LIMIT_S):
                pass
            self.longest_s = max(self.longest_s, time.monotonic() - began)

    def end(self) -> None:
        self._end.set()
        self.join()


def main() -> None:
    failed = []
    with server(naive=False) as (process, address):
        origin = address.removesuffix("/api/v1/tokenize")
        ask(origin, "POST", "/api/v1/tokenize", b'{"tokenizer": "gpt2", "text": "warm"}')
        print(f"{'attack':58} {'answers':>12} {'memory MB':>10} {'healthz s':>10}")
        for case in CASES:
            before, watch = resident_mb(process), Watch(process, origin)
            watch.start()
            answers = attack(case, origin)
            watch.end()
            grown = max(0.0, watch.peak_mb - before)
            is_held = process.poll() is None and set(answers) <= set(case.allowed) and grown <= case.max_mb
            failed += [] if is_held else [case.name]
            shown = ",".join(map(str, sorted(set(answers))))
            print(
                f"{case.name:58} {shown:>12} {grown:10.0f} {watch.longest_s:10.2f}{'' if is_held else '  BROKE'}",
                flush=True,
            )
            if process.poll() is not None:
                break
    if failed:
        sys.exit(f"broke: {', '.join(failed)}")


def attack(case: Case, origin: str) -> list[int]:
    """The statuses of the answers; 0 where the server closed the connection or was silent."""
    if case.raw is not None:
        return [raw(origin, case.raw) for _ in range(case.times)]
    return [ask(origin, method, path, body, kind) for method, path, body, kind in case.requests()]


def ask(origin: str, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> int:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind}
    try:
        request = urllib.request.Request(origin + path, body, headers, method=method)
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            shutil.copyfileobj(answer, Nowhere())
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except (OSError, HTTPException):
        return 0


def raw(origin: str, sent: bytes) -> int:
    """What is answered to bytes that need be no HTTP, and at most a hundred times as many."""
    with socket.create_connection(("127.0.0.1", urlsplit(origin).port), LIMIT_S) as line:
        with suppress(OSError):
            for _ in range(100):
                line.sendall(sent)
        with suppress(OSError):
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(100)
            return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0
    return 0


if __name__ == "__main__":
    os.environ["PYTHONUNBUFFERED"] = "1"
    main()
