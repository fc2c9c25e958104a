"""The lab is killed in the middle of long work, and started again on the same data: nothing that was kept is lost."""

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from lab_app.library.hub import CHUNK_BYTES
from tests import tiny
from tests.browser.server import Server
from tests.fake_hub import FakeHub, Repo
from tests.waiting import until

LINE = "many words of one line, and 12345"
LINES = 60_000
"""Several batches of counting."""
OBJECTS = 50_000
"""Several batches of reading."""
HELD = str(Path(__file__).with_name("held_lab.py"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def start(data: Path) -> Iterator[Callable[..., Server]]:
    """Starts labs on the same data, one after the other; with `held`, the work that stops in the middle (`held_lab`)."""
    started = []

    def make(held: str = "", **environment: str) -> Server:
        program = [HELD, held] if held else ["-m", "lab_app"]
        started.append(Server(data, [sys.executable, *program], **{"TOKENLAB_OFFLINE": "1", **environment}))
        return started[-1]

    yield make
    for server in started:
        kill(server)


def kill(server: Server) -> None:
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def ended(server: Server, job: dict) -> dict:
    def look() -> dict | None:
        now = server.call("GET", f"jobs/{job['id']}")
        return None if now["state"] in ("waiting", "running") else now

    return until(look, f"the job does not end: {job}")


def kill_in_the_middle(server: Server, job: dict, message: str = "") -> None:
    """Kills the lab when the job has done a part of its work, in the step that says `message`."""

    def is_in_the_middle() -> bool:
        now = server.call("GET", f"jobs/{job['id']}")
        assert now["state"] in ("waiting", "running"), now
        return 0 < now["done"] < (now["total"] or 0) and message in now["message"]

    until(is_in_the_middle, f"the job does not come to its middle: {job}")
    kill(server)


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


def test_killed_while_it_counts_and_while_it_reads(start: Callable[..., Server], data: Path, tmp_path: Path):
    server = start("counting")
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
    again = start("reading")
    assert kept(again) == before
    said = again.call("GET", f"jobs/{job['id']}")  # what the page, still open, shows of the job
    assert (said["state"], said["error"]["code"]) == ("interrupted", "interrupted")
    assert said in again.call("GET", "jobs")["jobs"]
    run = ended(again, again.call("POST", f"jobs/{job['id']}/restart"))
    assert (run["state"], run["result"]["documents"]) == ("done", LINES)
    assert len(list((data / "analyses").iterdir())) == 2
    before = kept(again)

    other = tmp_path / "other.jsonl"
    other.write_text(f'{{"text": "{LINE}"}}\n' * OBJECTS, encoding="utf-8")
    job = again.call("POST", "corpora", {"paths": [str(other)], "wait": False})
    kill_in_the_middle(again, job, "counting documents")
    last = start()
    assert kept(last) == before
    assert [(each["kind"], each["state"]) for each in last.call("GET", "jobs")["jobs"]] == [("corpus", "interrupted")]
    with pytest.raises(HTTPError, match="404"):
        last.call("GET", "corpora/other")
    added = ended(last, last.call("POST", f"jobs/{job['id']}/restart"))["result"]
    assert (added["id"], added["documents"]) == ("other", OBJECTS)
    last.stop()


def test_a_lab_that_is_asked_to_end_keeps_its_work_as_interrupted(start: Callable[..., Server], tmp_path: Path):
    """SIGTERM waits for requests alone: a job may take hours."""
    server = start("counting")
    large = tmp_path / "large.txt"
    large.write_text(f"{LINE}\n" * LINES, encoding="utf-8")
    server.call("POST", "corpora", {"paths": [str(large)]})
    job = server.call("POST", "analyses", {"corpus": "large", "tokenizers": ["gpt2"]})
    until(lambda: server.call("GET", f"jobs/{job['id']}")["state"] == "running", "the job does not begin")
    server.process.terminate()
    assert server.process.wait(60) == 0
    server.process.stdout.close()
    after = start()
    said = after.call("GET", f"jobs/{job['id']}")
    assert (said["state"], said["can_restart"]) == ("interrupted", True)


def test_what_waited_when_the_lab_was_killed_is_done_by_the_next_start(start: Callable[..., Server], tmp_path: Path):
    server = start("counting")
    small, large, other = (tmp_path / f"{name}.txt" for name in ("small", "large", "other"))
    for path, lines in ((small, 2), (large, LINES), (other, 3)):
        path.write_text(f"{LINE}\n" * lines, encoding="utf-8")
    for path in (small, large):
        server.call("POST", "corpora", {"paths": [str(path)]})
    counts = {"corpus": "large", "tokenizers": ["gpt2"]}
    held = [server.call("POST", "analyses", counts) for _ in range(2)]
    waiting = [
        server.call("POST", "corpora", {"paths": [str(other)], "wait": False}),
        server.call("POST", "analyses", {"corpus": "small", "tokenizers": ["gpt2", "cl100k_base"], "top": 7}),
    ]

    def states(jobs: list[dict]) -> list[str]:
        return [server.call("GET", f"jobs/{job['id']}")["state"] for job in jobs]

    until(lambda: states(held) == ["running"] * 2, "the jobs do not begin")
    assert states(waiting) == ["waiting"] * 2
    kill(server)
    after = start()
    found = until(lambda: after.call("GET", "analyses")["analyses"], "the analysis that waited is not made")
    assert [(each["corpus"], each["tokenizers"]) for each in found] == [("small", ["gpt2", "cl100k_base"])]
    assert after.call("GET", f"analyses/{found[0]['id']}")["settings"]["top"] == 7
    assert after.call("GET", "corpora/other")["documents"] == 3
    left = [each for each in after.call("GET", "jobs")["jobs"] if each["state"] == "interrupted"]
    assert [each["id"] for each in left] == [job["id"] for job in held] and all(each["can_restart"] for each in left)
    for job in held:
        after.call("DELETE", f"jobs/{job['id']}")
    assert not [each for each in after.call("GET", "jobs")["jobs"] if each["state"] == "interrupted"]


def test_killed_while_it_downloads(start: Callable[..., Server]):
    hold = threading.Event()
    words = ("\n".join([*tiny.WORDS, *(f"word{number}" for number in range(30_000))]) + "\n").encode()
    hub = FakeHub({"org/tiny": Repo({"vocab.txt": words})}, hold=hold, hold_after=3 * CHUNK_BYTES)
    with hub.running():
        online = {"TOKENLAB_OFFLINE": "0", "TOKENLAB_HUB_ENDPOINT": hub.address}
        server = start(**online)
        before = server.call("GET", "tokenizers")
        job = server.call("POST", "tokenizers", {"hub": "org/tiny", "id": "tiny", "wait": False})
        kill_in_the_middle(server, job)
        hold.set()
        again = start(**online)
        assert again.call("GET", "tokenizers") == before
        said = again.call("GET", f"jobs/{job['id']}")
        assert (said["kind"], said["state"], said["title"]) == ("fetch", "interrupted", "org/tiny")
        once_more = again.call("POST", "tokenizers", {"hub": "org/tiny", "id": "tiny", "wait": False})
        assert ended(again, once_more)["state"] == "done"
        assert again.call("GET", "tokenizers/tiny")["available"]


def test_a_paused_training_resumes_after_a_kill(start: Callable[..., Server], data: Path):
    server = start("training")
    body = {"sources": [{"kind": "practice", "name": "library"}], "options": {"vocab_size": 2000}}
    training = server.call("POST", "trainings", body)
    address = f"trainings/{training['id']}"
    until(lambda: server.call("GET", address)["done"], "the training does nothing")
    assert server.call("POST", f"{address}/pause")["state"] == "paused"
    until((data / "trainings" / str(training["id"]) / "checkpoint").exists, "no checkpoint is written")
    kill(server)

    again = start()
    found = again.call("GET", address)
    assert found["state"] == "interrupted" and found["job"] is None and "The lab ended" in found["ended"]
    resumed = again.call("POST", f"{address}/resume")
    assert ended(again, again.call("GET", f"jobs/{resumed['job']}"))["state"] == "done"
    done = again.call("GET", address)
    assert done["state"] == "done" and again.call("GET", f"{address}/steps")["total"] == done["done"]


def test_two_labs_on_one_data_folder(start: Callable[..., Server], tmp_path: Path):
    """Each sees what the other keeps; work under way belongs to the lab that began it, until that one ends."""
    first = start("training")
    second = start()
    (tmp_path / "shared.txt").write_text("the cat sat\n", encoding="utf-8")
    added = second.call("POST", "corpora", {"paths": [str(tmp_path / "shared.txt")]})
    assert first.call("GET", "corpora/shared") == added

    body = {"sources": [{"kind": "practice", "name": "library"}], "options": {"vocab_size": 2000}}
    training = first.call("POST", "trainings", body)
    address = f"trainings/{training['id']}"
    until(lambda: first.call("GET", address)["done"], "the training does nothing")
    assert second.call("GET", address)["state"] == "running"
    for method, path in (("POST", "/pause"), ("POST", "/keep"), ("POST", "/resume"), ("DELETE", "")):
        with pytest.raises(HTTPError, match="409"):
            second.call(method, address + path)
    assert first.call("GET", address)["state"] == "running"
    kill(first)
    assert second.call("GET", address)["state"] == "interrupted"
    second.call("DELETE", address)
    with pytest.raises(HTTPError, match="404"):
        second.call("GET", address)
    second.stop()
