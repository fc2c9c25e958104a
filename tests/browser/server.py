"""The lab's server for the browser tests: a process of its own, and what a test leaves in it."""

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.processes import tied
from tests.waiting import PATIENCE_S, until

READING = {
    *("tokenize", "documents", "explain", "trace", "normalization_changes", "compare", "decode", "vocabulary"),
    *(
        "compose",
        "concordance",
        "retokenize",
        "vocabulary_overlap",
        "diff",
        "chat",
        "export",
        "citation",
        "preferences",
    ),
}
"""First parts of addresses: what is sent there leaves nothing that outlives a test, but for the preferences."""


def tokenlab() -> str:
    """The command that was installed beside this Python."""
    found = shutil.which("tokenlab", path=str(Path(sys.executable).parent))
    assert found, "tokenlab is not installed: run `make setup`"
    return found


class Server:
    """`tokenlab serve` in a process of its own, with a data directory of its own."""

    def __init__(self, folder: Path, program: Sequence[str] = (), **environment: str) -> None:
        self.environment = {**os.environ, "TOKENLAB_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **environment}
        command = [*(program or [tokenlab()]), "serve", "--port", "0"]
        self.process = subprocess.Popen(tied(*command), stdout=subprocess.PIPE, env=self.environment, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        parts = urlsplit(self.address)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.query.removeprefix("token=")
        self._is_changed = False
        self._catalog = self._tokenizers()

    def _tokenizers(self) -> set[str]:
        return {entry["id"] for entry in self.call("GET", "tokenizers")["tokenizers"] if entry["available"]}

    def note(self, method: str, address: str) -> None:
        """Remembers that a request may have left something. What a page sends is not seen by `call`."""
        part = urlsplit(address).path.partition("/api/v1/")[2].partition("/")[0]
        self._is_changed |= method not in ("GET", "HEAD") and part not in READING

    def reset(self) -> None:
        """Takes away what a test has left. The next one may be any other: their order differs between machines."""
        if self._is_changed:
            self._remove_all()
            self._is_changed = False
        self.call("PUT", "preferences", {})

    def _remove_all(self) -> None:
        for job in self.call("GET", "jobs")["jobs"]:
            if job["state"] in ("waiting", "running"):
                self.call("DELETE", f"jobs/{job['id']}")
        for session in self.call("GET", "sessions")["sessions"]:
            self.call("DELETE", f"sessions/{session['id']}")
        for sheet in self.call("GET", "exercises/progress")["sheets"]:
            self.call("DELETE", f"exercises/progress/{sheet['id']}")
        for analysis in self.call("GET", "analyses")["analyses"]:
            self.call("DELETE", f"analyses/{analysis['id']}")
        for benchmark in self.call("GET", "benchmarks")["benchmarks"]:
            self.call("DELETE", f"benchmarks/{benchmark['id']}")
        self._remove_trainings()
        for corpus in self.call("GET", "corpora")["corpora"]:
            if not corpus["builtin"]:
                self.call("DELETE", f"corpora/{corpus['id']}")
        for tokenizer in self._tokenizers() - self._catalog:
            self.call("DELETE", f"tokenizers/{tokenizer}")

    def _remove_trainings(self) -> None:
        """Cancels those that run, and deletes each when it has ended."""

        def are_gone() -> bool:
            trainings = self.call("GET", "trainings")["trainings"]
            for training in trainings:
                with suppress(urllib.error.HTTPError):  # it is ending at this moment
                    self.call("DELETE", f"trainings/{training['id']}")
            return not trainings

        until(are_gone, "the trainings do not end")

    def call(self, method: str, path: str, body: object = None) -> dict:
        """The answer of the interface, as data."""
        self.note(method, f"/api/v1/{path}")
        request = urllib.request.Request(f"{self.origin}/api/v1/{path}", method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read() or "{}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=PATIENCE_S)
        if self.process.stdout:
            self.process.stdout.close()
