"""Every call of the interface has a command and Python in the guide (docs/http_calls.py), which a real server answers."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from lab_app.api.examples import BODIES, RETURNED
from lab_app.engine import Tokenizer
from tests.browser.server import Server
from tests.page_engine import MODULE
from tests.rules.sources import ROOT
from tests.waiting import PATIENCE_S, until

sys.path.insert(0, str(ROOT / "docs"))
import http_calls

CALLS = http_calls.calls()
PREFIX = http_calls.PREFIX
NO_DESK = {"POST /window", "POST /window/files", "POST /window/opened", "POST /jobs/{id}/restart"}
"""Refused here: there is no window, and no job was interrupted."""
ENDED = {"pause", "continue", "keep", "resume"}
"""Refused for a training that has ended."""


def name_of(call: http_calls.HttpCall) -> str:
    return f"{call.method} {call.path.removeprefix(PREFIX)}"


class Examples:
    """A server, and the things whose IDs the examples take."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "files"
        (self.data / "books").mkdir(parents=True)
        (self.data / "books" / "a.txt").write_text("the cat sat\n", encoding="utf-8")
        Tokenizer.builtin("gpt2").truncated(1000).to_file(self.data / "tokenizer.json")
        self.server = Server(folder / "lab", TOKENLAB_OFFLINE="1")
        headers = {"Authorization": f"Bearer {self.server.token}"}
        self.kept: dict[str, str] = {}
        self.lab = httpx2.Client(base_url=self.server.origin + PREFIX, headers=headers, timeout=PATIENCE_S)

    def post(self, path: str) -> dict:
        """Sends an example, waits for the job it may start, and returns its result."""
        body = json.loads(self.here(json.dumps(BODIES[f"POST {path}"])))
        answer = self.lab.post(path, json=body).json()
        if "state" not in answer or "kind" not in answer:
            return answer
        until(lambda: self.job(answer)["state"] not in ("waiting", "running"), f"the job of {path} does not end")
        return {"job": answer["id"], **(self.job(answer)["result"] or {})}

    def job(self, answer: dict) -> dict:
        return self.lab.get(f"/jobs/{answer['id']}").json()

    def stop(self, answer: object) -> None:
        """Stops the job that an answer may be: measurements of one lab wait for each other."""
        if isinstance(answer, dict) and {"kind", "state", "id"} <= answer.keys():
            self.lab.delete(f"/jobs/{answer['id']}")

    def here(self, text: str) -> str:
        return text.replace("/data/", f"{self.data}/")

    def need(self, call: http_calls.HttpCall) -> None:
        """Skips a call that needs what was not built here."""
        if call.path.endswith("/handouts") and not MODULE.is_file():
            pytest.skip("the engine for handouts is not built: make wasm")

    def ids(self, call: http_calls.HttpCall) -> dict[str, str]:
        """`$ID` and `$OTHER` of a call, made for it alone."""
        path = call.path.removeprefix(PREFIX)
        if "{id}" not in call.address:
            if name_of(call) in ("PATCH /tokenizers/{id}", "GET /tokenizers/{id}", "DELETE /tokenizers/{id}"):
                self.post("/tokenizers")
            if path == "/edits/tokenizer":
                self.lab.delete(f"/tokenizers/{BODIES[name_of(call)]['id']}")
            return {}
        if path.endswith("/tokenizer"):
            self.lab.delete(f"/tokenizers/{BODIES[name_of(call)]['name']}")
        if call.method == "DELETE" or path.startswith(("/documents", "/corpora", "/playlists")):
            return {"ID": str(self.id(path))}
        kind = path.partition("/{id}")[0]
        if kind not in self.kept:
            self.kept[kind] = str(self.id(path))
        found = {"ID": self.kept[kind]}
        if "{other}" in path:
            other = f"{kind} other"
            if other not in self.kept:
                self.kept[other] = str(self.id(path))
            found["OTHER"] = self.kept[other]
        return found

    def id(self, path: str) -> object:
        if path.startswith("/documents"):
            return self.frame_head("/documents")["document"]
        if path.startswith("/edits/runs"):
            return "mine"
        if path.startswith("/jobs"):
            return self.post("/analyses")["job"]
        if path.startswith("/exercises/progress"):
            self.post("/exercises/marks")
            return self.lab.get("/exercises/progress").json()["sheets"][0]["id"]
        if path.startswith("/benchmarks/costs"):
            self.post("/benchmarks/stages")
            return self.lab.get("/benchmarks/costs").json()["costs"][0]["id"]
        kind = "analyses" if path.startswith("/labels") else path.split("/")[1]
        answer = self.post(f"/{kind}")
        if "id" not in answer:
            answer = self.lab.get(f"/{kind}").json()[kind][0]
        if kind == "trainings":
            path = f"/trainings/{answer['id']}"
            until(lambda: self.lab.get(path).json()["state"] != "running", "the training does not end")
        return answer["id"]

    def frame_head(self, path: str) -> dict:
        content = self.lab.post(path, json=BODIES[f"POST {path}"]).content
        return json.loads(content[8 : 8 + int.from_bytes(content[4:8], "little")])

    def body(self, call: http_calls.HttpCall, folder: Path) -> None:
        """Writes what another call returns, for a call that takes that."""
        if name_of(call) not in RETURNED:
            return
        if "profile" in call.path:
            content = self.lab.post("/benchmarks/profile", json=BODIES["POST /benchmarks/profile"]).content
        elif "cost" in call.path:
            costs = self.lab.get(f"/benchmarks/costs/{self.id('/benchmarks/costs')}").json()
            content = json.dumps(costs["report"]).encode()
        elif "exercises" in call.path:
            content = self.lab.post("/exercises/file", json=BODIES["POST /exercises/file"]).content
        else:
            content = self.lab.get(f"/sessions/{self.post('/sessions')['id']}/file").content
        (folder / "body.json").write_bytes(content)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examples]:
    made = Examples(tmp_path_factory.mktemp("examples"))
    yield made
    made.lab.close()
    made.server.stop()


def is_refused(call: http_calls.HttpCall) -> bool:
    return name_of(call) in NO_DESK or (
        call.path.startswith(f"{PREFIX}/trainings/") and ENDED & {call.path.split("/")[-1]}
    )


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_the_command_of_a_call_runs(call: http_calls.HttpCall, examples: Examples, tmp_path: Path):
    examples.need(call)
    ids = examples.ids(call)
    examples.body(call, tmp_path)
    lab = {"LAB": examples.server.origin + PREFIX, "AUTH": f"Authorization: Bearer {examples.server.token}"}
    command = examples.here(call.curl) + " --silent --show-error --output answer --write-out '%{http_code}'"
    run = subprocess.run(
        command, shell=True, cwd=tmp_path, env=examples.server.environment | lab | ids, capture_output=True, text=True
    )
    answer = (tmp_path / "answer").read_bytes()[:300] if (tmp_path / "answer").exists() else b""
    assert run.returncode == 0, run.stderr
    if run.stdout == "202":
        examples.stop(json.loads((tmp_path / "answer").read_text(encoding="utf-8")))
    assert (run.stdout in ("404", "409")) if is_refused(call) else (run.stdout[0] == "2"), (run.stdout, answer)


@pytest.mark.parametrize("call", [each for each in CALLS if not is_refused(each)], ids=name_of)
def test_the_python_of_a_call_runs(call: http_calls.HttpCall, examples: Examples, tmp_path: Path, monkeypatch):
    examples.need(call)
    ids = {name.lower(): value for name, value in examples.ids(call).items()}
    examples.body(call, tmp_path)
    monkeypatch.chdir(tmp_path)
    answer = eval(examples.here(call.python), {"json": json, "lab": examples.lab, **ids})
    examples.stop(answer)
    assert not (isinstance(answer, dict) and "error" in answer and "hint" in str(answer)), answer


def test_every_body_has_an_example():
    with_body = {
        name_of(each) for each in CALLS if "application/json" in each.spec.get("requestBody", {}).get("content", {})
    }
    assert with_body == set(BODIES) | set(RETURNED), "lab_app/api/examples.py needs an example for each body"


def test_every_call_is_on_a_page_of_the_guide():
    pages = "".join(each.read_text(encoding="utf-8") for each in (ROOT / "docs/reference/http").glob("*.md"))
    shown = {tag for line in pages.split("```{http-calls} ")[1:] for tag in line.split("\n")[0].split()}
    assert shown == {tag for each in CALLS for tag in each.spec["tags"]}
