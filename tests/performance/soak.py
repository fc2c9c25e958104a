"""`make soak`: a server in mixed use for a long time: does its memory stay?

`--clients` at a time do one thing after the other, chosen by chance from a seed: encode, compare, decode, explain, search a
vocabulary, open and edit a text, encode rows; every fiftieth thing is an analysis of a small corpus or a short training, waited for.
Prints things done, failures, memory, open files and threads of the server at ten times; memory grows by `--most` per cent at most between
the second and the last, or the program ends with 1. The load goes to 127.0.0.1 and ends after `--minutes`.
"""

import argparse
import json
import random
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab_app.api.frame import unpack
from tests.performance.api import TOKEN, resident_mb, server
from tests.performance.ui import text_of

TOKENIZERS = ("gpt2", "cl100k_base", "bert-base-uncased", "o200k_base")


class User:
    """One client: `act` does one thing."""

    def __init__(self, base: str, seed: int) -> None:
        self._base, self._random = base, random.Random(seed)
        self._text = text_of(50_000)
        usual: list[Callable[[], object]] = [
            self.encode,
            self.compare,
            self.decode,
            self.explain,
            self.search,
            self.edit,
            self.rows,
        ]
        self._things = usual * 14 + [self.analyze, self.train]

    def act(self) -> str:
        """Does one thing and returns its name."""
        thing = self._random.choice(self._things)
        thing()
        return thing.__name__

    def call(
        self, method: str, path: str, body: Any = None, *, accept: str = "*/*", kind: str = "application/json"
    ) -> bytes:
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {TOKEN}", "Accept": accept, "Content-Type": kind}
        request = urllib.request.Request(f"{self._base}/{path}", content, headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read()

    def _some(self, longest: int) -> str:
        start, size = self._random.randrange(len(self._text)), self._random.randrange(1, longest)
        return self._text[start : start + size]

    def _one(self) -> str:
        return self._random.choice(TOKENIZERS)

    def encode(self) -> None:
        self.call("POST", "tokenize", {"tokenizer": self._one(), "text": self._some(20_000)})

    def compare(self) -> None:
        self.call("POST", "compare", {"tokenizers": list(TOKENIZERS[:3]), "text": self._some(5000)})

    def decode(self) -> None:
        ids = [self._random.randrange(30_000) for _ in range(2000)]
        self.call("POST", "decode", {"tokenizer": self._one(), "ids": ids})

    def explain(self) -> None:
        self.call("POST", "explain", {"tokenizer": "gpt2", "text": self._some(200)})

    def search(self) -> None:
        word = self._random.choice(("the", "ing", "a", "un", "日"))
        self.call("GET", f"vocabulary/{self._one()}/search?limit=100&q={urllib.request.quote(word)}")

    def rows(self) -> None:
        lines = "".join(json.dumps(self._some(500)) + "\n" for _ in range(50)).encode()
        self.call("POST", f"tokenize_rows?tokenizer={self._one()}", lines, kind="application/x-ndjson")

    def edit(self) -> None:
        opened, _ = unpack(
            self.call("POST", "documents", {"tokenizers": ["gpt2", "cl100k_base"], "text": self._some(20_000)})
        )
        for version in range(1, 20):
            edit = {"version": version, "start_utf16": 0, "end_utf16": 0, "text": "word "}
            self.call("POST", f"documents/{opened['document']}/edits", edit)
        self.call("DELETE", f"documents/{opened['document']}")

    def analyze(self) -> None:
        row = self._ended("analyses", {"corpus": "udhr", "tokenizers": ["gpt2"], "sample_bytes": 100_000})
        self.call("DELETE", f"analyses/{row['id']}")

    def train(self) -> None:
        body = {"sources": [{"kind": "text", "text": self._some(20_000)}], "options": {"vocab_size": 400}}
        training = json.loads(self.call("POST", "trainings", body))
        self._wait(training["job"])
        self.call("DELETE", f"trainings/{training['id']}")

    def _ended(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._wait(json.loads(self.call("POST", path, body))["id"])

    def _wait(self, job: str) -> dict[str, Any]:
        while True:
            found = json.loads(self.call("GET", f"jobs/{job}"))
            if found["state"] not in ("waiting", "running"):
                assert found["state"] == "done", found
                return found["result"]
            time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0, help="length of the use (default 20)")
    parser.add_argument("--clients", type=int, default=4, help="how many at a time (default 4)")
    parser.add_argument("--most", type=float, default=5.0, help="per cent by which memory may grow (default 5)")
    options = parser.parse_args()
    done: Counter[str] = Counter()
    failures: list[str] = []
    end = threading.Event()

    with server(naive=False) as (process, address):

        def use(seed: int) -> None:
            user = User(address.rpartition("/")[0], seed)
            while not end.is_set():
                try:
                    done[user.act()] += 1
                except (OSError, AssertionError, ValueError) as error:
                    failures.append(repr(error))

        users = [threading.Thread(target=use, args=(seed,), daemon=True) for seed in range(options.clients)]
        for user in users:
            user.start()
        memory = []
        print(f"{'done':>8} {'failures':>9} {'MB':>6} {'files':>6} {'threads':>8}")
        for _ in range(10):
            time.sleep(options.minutes * 6)
            memory.append(resident_mb(process))
            files, threads = (len(list(Path(f"/proc/{process.pid}/{what}").iterdir())) for what in ("fd", "task"))
            print(f"{done.total():8} {len(failures):9} {memory[-1]:6.0f} {files:6} {threads:8}", flush=True)
        end.set()
        for user in users:
            user.join(150)
    print(", ".join(f"{count} x {name}" for name, count in sorted(done.items())))
    grown = (memory[-1] / memory[1] - 1) * 100
    print(
        f"memory grew by {grown:.1f} % from the second figure to the last; first failure: {(failures or ['none'])[0]}"
    )
    if failures or grown > options.most:
        sys.exit(1)


if __name__ == "__main__":
    main()
