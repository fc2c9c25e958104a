"""The lab is killed in the middle of long work, and started again on the same data: nothing that was kept is lost."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.browser.conftest import Server

LINE = "many words of one line, and 12345"
LINES = 120_000
"""Some tenths of a second of counting: enough to be in the middle of it."""
OBJECTS = 50_000
"""The same of reading."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(data: Path) -> Iterator[Server]:
    server = start(data)
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def start(data: Path) -> Server:
    return Server(data, [sys.executable, "-m", "lab_app"], TOKENLAB_OFFLINE="1")


def ended(server: Server, job: dict) -> dict:
    while job["state"] in ("waiting", "running"):
        time.sleep(0.01)
        job = server.call("GET", f"jobs/{job['id']}")
    return job


def kill_in_the_middle(server: Server, job: dict, message: str = "") -> None:
    """Kills the lab when the job has done a part of its work, in the step that says `message`."""
    while not (0 < job["done"] < job["total"] and message in job["message"]):
        assert job["state"] in ("waiting", "running"), job
        time.sleep(0.005)
        job = server.call("GET", f"jobs/{job['id']}")
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def kept(server: Server) -> dict:
    """All that the lab has kept, as its interface tells it."""
    rows = server.call("GET", "analyses")["analyses"]
    return {
        "corpora": [server.call("GET", f"corpora/{id}") for id in ("small", "large")],
        "analyses": [
            (
                row,
                server.call("GET", f"analyses/{row['id']}"),
                server.call("GET", f"analyses/{row['id']}/frequencies?tokenizer=gpt2"),
            )
            for row in rows
        ],
    }


def test_killed_while_it_counts_and_while_it_reads(server: Server, data: Path, tmp_path: Path):
    small, large = tmp_path / "small.txt", tmp_path / "large.txt"
    small.write_text("the cat sat\non the mat\n", encoding="utf-8")
    large.write_text(f"{LINE}\n" * LINES, encoding="utf-8")
    for path in (small, large):
        server.call("POST", "corpora", {"paths": [str(path)]})
    wanted = {"corpus": "small", "tokenizers": ["gpt2"]}
    assert ended(server, server.call("POST", "analyses", wanted))["state"] == "done"
    before = kept(server)

    job = server.call("POST", "analyses", {"corpus": "large", "tokenizers": ["gpt2", "cl100k_base"]})
    kill_in_the_middle(server, job)
    again = start(data)
    try:
        assert kept(again) == before
        with pytest.raises(HTTPError, match="404") as refused:  # what the page, still open, shows of the job
            again.call("GET", f"jobs/{job['id']}")
        assert "belonged to an earlier run of the lab" in json.loads(refused.value.read())["error"]["hint"]
        run = ended(again, again.call("POST", "analyses", {"corpus": "large", "tokenizers": ["gpt2"]}))
        assert (run["state"], run["result"]["documents"]) == ("done", LINES)
        assert len(list((data / "analyses").iterdir())) == 2
        before = kept(again)

        other = tmp_path / "other.jsonl"
        other.write_text(f'{{"text": "{LINE}"}}\n' * OBJECTS, encoding="utf-8")
        job = again.call("POST", "corpora", {"paths": [str(other)], "wait": False})
        kill_in_the_middle(again, job, "counting documents")
    finally:
        again.process.kill()
        again.process.wait()
    last = start(data)
    try:
        assert kept(last) == before
        with pytest.raises(HTTPError, match="404"):
            last.call("GET", "corpora/other")
        added = last.call("POST", "corpora", {"paths": [str(other)]})
        assert (added["id"], added["documents"]) == ("other", OBJECTS)
    finally:
        last.stop()


def test_a_paused_training_resumes_after_a_kill(server: Server, data: Path):
    body = {"sources": [{"kind": "practice", "name": "library"}], "options": {"vocab_size": 60_000, "min_frequency": 1}}
    training = server.call("POST", "trainings", body)
    address = f"trainings/{training['id']}"
    while not server.call("GET", address)["done"]:
        time.sleep(0.01)
    assert server.call("POST", f"{address}/pause")["state"] == "paused"
    while not (data / "trainings" / str(training["id"]) / "checkpoint").exists():
        time.sleep(0.01)
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()

    again = start(data)
    try:
        found = again.call("GET", address)
        assert found["state"] == "interrupted" and found["job"] is None
        resumed = again.call("POST", f"{address}/resume")
        assert ended(again, again.call("GET", f"jobs/{resumed['job']}"))["state"] == "done"
        done = again.call("GET", address)
        assert done["state"] == "done" and again.call("GET", f"{address}/steps")["total"] == done["done"]
    finally:
        again.process.kill()
        again.process.wait()
        again.process.stdout.close()
