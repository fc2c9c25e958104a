"""`make bench-api`: how many texts of 1 kB the server encodes per second for 200 clients.

The server is `tokenlab serve` in a process of its own, the clients are another. In the same run, in turns:

* `before`: the same route as a naive twin, which makes a Python object per token and writes them with `json`, in a
  thread, under uvicorn's own Python parser and event loop;
* `tokens`: the whole answer; `ids`: the answer to `"fields": ["ids"]`.

Figures are medians of the rounds, with the lowest and highest. `cpu ms` is the server's processor time per answer, which
other programs on the machine hardly change, and its ratio to that of `before`. Memory is the server's resident set, before and after each
round. The text has eight scripts, so that most characters are several bytes.

`--soak 180` asks for whole answers for that many seconds instead, and prints the server's memory at ten times.
"""

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.performance.ui import text_of

TOKEN = "T" * 16
MODES = {"before": {}, "tokens": {}, "ids": {"fields": ["ids"]}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds per mode (default 5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a round (default 4)")
    parser.add_argument("--clients", type=int, default=200, help="connections at the same time (default 200)")
    parser.add_argument("--tokenizer", default="gpt2")
    parser.add_argument("--soak", type=float, help="seconds of load under which memory is measured")
    parser.add_argument("--serve-naive", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve_naive:
        serve_naive()
    elif options.soak:
        soak(options.soak, options.clients, options.tokenizer)
    else:
        run(options.rounds, options.seconds, options.clients, options.tokenizer)


def run(rounds: int, seconds: float, clients: int, tokenizer: str) -> None:
    """Measures the modes in turns and prints a table."""
    text = kilobyte()
    found: dict[str, list[dict[str, Any]]] = {mode: [] for mode in MODES}
    with server(naive=True) as naive, server(naive=False) as real:
        for number in range(-1, rounds):
            for mode, options in MODES.items():
                process, address = naive if mode == "before" else real
                body = json.dumps({"tokenizer": tokenizer, "text": text, **options}).encode()
                memory, cpu = resident_mb(process), cpu_s(process)
                answer = load(address, body, clients, seconds if number >= 0 else 1.0)
                if number >= 0:  # the first round warms up
                    used = (cpu_s(process) - cpu) / answer["answers"]
                    found[mode].append({**answer, "cpu_s": used, "memory_mb": (memory, resident_mb(process))})
    print(f"{clients} clients, {len(text.encode())} bytes, {tokenizer}; {rounds} rounds of {seconds:g} s")
    print(
        f"{'':8} {'answers/s':>24} {'ratio':>18} {'median ms':>10} {'p95 ms':>8} {'cpu ms':>7} {'ratio':>6} {'errors':>7}  resident MB"
    )
    base = [each["answers_per_s"] for each in found["before"]]
    for mode, each in found.items():
        rates = [one["answers_per_s"] for one in each]
        ratios = [rate / floor for rate, floor in zip(rates, base, strict=True)]
        memory = " ".join(f"{one['memory_mb'][1]:.0f}" for one in each)
        print(
            f"{mode:8} {spread(rates, 0):>24} {spread(ratios, 1):>18} "
            f"{statistics.median(one['median_ms'] for one in each):10.1f} "
            f"{statistics.median(one['p95_ms'] for one in each):8.1f} "
            f"{statistics.median(one['cpu_s'] for one in each) * 1e3:7.2f} "
            f"{statistics.median(a['cpu_s'] / b['cpu_s'] for a, b in zip(found['before'], each, strict=True)):6.1f} "
            f"{sum(len(one['faults']) for one in each):7}  {each[0]['memory_mb'][0]:.0f} -> {memory}"
        )
        for one in each:
            if one["faults"]:
                print(f"    {one['faults'][0]!r}")


def soak(seconds: float, clients: int, tokenizer: str) -> None:
    """Prints the server's memory after each tenth of a long load."""
    body = json.dumps({"tokenizer": tokenizer, "text": kilobyte()}).encode()
    answers = 0
    with server(naive=False) as (process, address):
        print(f"{clients} clients, {tokenizer}, {seconds:g} s\n{'answers':>10} {'faults':>7}  resident MB")
        for _ in range(10):
            done = load(address, body, clients, seconds / 10)
            answers += done["answers"]
            print(f"{answers:10} {len(done['faults']):7}  {resident_mb(process):.1f}", flush=True)


def kilobyte() -> str:
    """The text of all requests."""
    return text_of(10_000).encode()[:1000].decode(errors="ignore")


def spread(values: list[float], digits: int) -> str:
    """Median (lowest to highest)."""
    low, high = min(values), max(values)
    return f"{statistics.median(values):.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def load(address: str, body: bytes, clients: int, seconds: float) -> dict[str, Any]:
    """One round of the load generator."""
    command = [sys.executable, "-m", "tests.performance.api_load", address, TOKEN, str(clients), str(seconds)]
    done = subprocess.run(command, input=body, stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def cpu_s(process: subprocess.Popen[str]) -> float:
    """The processor time a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: subprocess.Popen[str]) -> float:
    """The resident set of a process, in 10^6 bytes."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def server(*, naive: bool) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A serving process and the address of its route."""
    command = (
        ["-m", "tests.performance.api", "--serve-naive"] if naive else ["-m", "lab_app.cli.main", "serve", "--port=0"]
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TOKENLAB_TOKEN": TOKEN, "TOKENLAB_DATA_DIR": folder, "TOKENLAB_OFFLINE": "1"}
        process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("the server did not start; its errors are above")
            yield process, line.partition("?")[0] + "api/v1/tokenize"
        finally:
            process.terminate()
            process.wait()


def serve_naive() -> None:
    """Serves `/api/v1/tokenize` as the plain way would: FastAPI in a thread, an object per token, `json`."""
    import uvicorn
    from fastapi import Depends, Request, Response

    from lab_app.api.app import create_app
    from lab_app.api.quick_start.quick import QuickCallsMiddleware
    from lab_app.api.server import address, bind
    from lab_app.json_text import json_text
    from lab_app.services.text.encode import encode
    from lab_app.settings import load

    settings = dataclasses.replace(load(), port=0)
    app = create_app(settings)
    app.router.routes[:] = [route for route in app.router.routes if getattr(route, "path", "") == "/healthz"]
    app.user_middleware[:] = [each for each in app.user_middleware if each.cls is not QuickCallsMiddleware]

    async def body(request: Request) -> bytes:
        return await request.body()

    @app.post("/api/v1/tokenize")
    def tokenize(data: bytes = Depends(body)) -> Response:
        asked = json.loads(data)
        result = encode(app.state.lab, asked["tokenizer"], asked["text"])
        return Response(json_text(result.whole()), media_type="application/json")

    listening = bind(settings)
    print(address(listening, TOKEN), flush=True)
    config = uvicorn.Config(app, http="h11", loop="asyncio", access_log=False, lifespan="off", log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
