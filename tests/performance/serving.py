"""`make bench-serving`: whether a server of a team stays quick and small: many clients, and one large request beside small ones.

1. 200 clients ask for the tokens of 1 kB for `--seconds`. Printed: answers, errors, median, p99 and their ratio, and the server's
   memory at the beginning and the end.
2. Four clients do so while one asks for the IDs of 10 MB, again and again, as JSON and as lines. Printed: the longest wait of a small
   request without and with it. The difference is what a large request delays.

The load goes to a server that this starts on 127.0.0.1, and ends with it.
"""

import argparse
import json
import threading
import urllib.request

from tests.performance.api import TOKEN, kilobyte, load, resident_mb, server

LARGE_BYTES = 10_000_000
SMALL_CLIENTS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0, help="length of the load (default 300)")
    parser.add_argument("--clients", type=int, default=200, help="connections at the same time (default 200)")
    parser.add_argument("--tokenizer", default="gpt2")
    options = parser.parse_args()
    small = json.dumps({"tokenizer": options.tokenizer, "text": kilobyte()}).encode()
    with server(naive=False) as (process, address):
        load(address, small, options.clients, 2.0)
        before = resident_mb(process)
        done = load(address, small, options.clients, options.seconds)
        print(
            f"{options.clients} clients, {options.seconds:g} s: {done['answers']} answers, {len(done['faults'])} errors; "
            f"median {done['median_ms']:.1f} ms, p99 {done['p99_ms']:.1f} ms, ratio {done['p99_ms'] / done['median_ms']:.1f}; "
            f"memory {before:.0f} -> {resident_mb(process):.0f} MB"
        )
        seconds = min(10.0, options.seconds)
        alone = load(address, small, SMALL_CLIENTS, seconds)
        for name, large in larges(address, options.tokenizer).items():
            beside = load_beside(address, small, large, seconds)
            print(
                f"10 MB as {name} beside {SMALL_CLIENTS} small clients: longest wait {alone['max_ms']:.0f} ms without, "
                f"{beside['max_ms']:.0f} ms with it; {beside['large']} large answers, {len(beside['faults'])} errors"
            )


def larges(address: str, tokenizer: str) -> dict[str, urllib.request.Request]:
    """The requests for 10 MB by their form."""
    text = kilobyte()
    text *= LARGE_BYTES // len(text.encode())
    secret = {"Authorization": f"Bearer {TOKEN}"}
    body = json.dumps({"tokenizer": tokenizer, "text": text, "fields": ["ids"]}, ensure_ascii=False).encode()
    rows = f"{address}_rows?tokenizer={tokenizer}"
    return {
        "JSON": urllib.request.Request(address, body, {**secret, "Content-Type": "application/json"}),
        "lines": urllib.request.Request(rows, text.encode(), {**secret, "Content-Type": "text/plain"}),
    }


def load_beside(address: str, small: bytes, large: urllib.request.Request, seconds: float) -> dict:
    """Small requests while `large` is asked for without a pause."""
    end = threading.Event()
    answers = 0

    def ask() -> None:
        nonlocal answers
        while not end.is_set():
            with urllib.request.urlopen(large, timeout=60) as answer:
                while answer.read(1 << 20):
                    pass
            answers += 1

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        found = load(address, small, SMALL_CLIENTS, seconds)
    finally:
        end.set()
        asking.join()
    return {**found, "large": answers}


if __name__ == "__main__":
    main()
