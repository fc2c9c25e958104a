"""Jobs over HTTP, with a Hub of this machine to fetch from."""

import asyncio
import json
import threading

import anyio.to_thread
import httpx2
import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.following import following_all
from lab_app.jobs.job import Job
from lab_app.library.hub import CHUNK_BYTES
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests import tiny
from tests.api.conftest import ADDRESS, TOKEN
from tests.fake_hub import TOKEN as HUB_TOKEN
from tests.fake_hub import FakeHub, Repo
from tests.waiting import until, until_async

# Longer than the chunk after which a download reports.
WORDS = ("\n".join([*tiny.WORDS, *(f"word{number}" for number in range(10_000))]) + "\n").encode()


@pytest.fixture
def hub(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with FakeHub({"org/tiny": Repo({"vocab.txt": WORDS})}).running() as running:
        yield running


@pytest.fixture
def lab(hub, tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", token=TOKEN, hub_endpoint=hub.address))


@pytest.fixture
def client(lab):
    app = create_app(lab.settings, lab)
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        yield client


def start(client, **body):
    response = client.post("/api/v1/tokenizers", json={"hub": "org/tiny", "wait": False, **body})
    assert response.status_code == 202, response.text
    return response.json()


def events(client, id):
    response = client.get(f"/api/v1/jobs/{id}/events")
    assert response.headers["content-type"].startswith("text/event-stream")
    return [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n") if line.startswith("data:")]


def test_a_tokenizer_is_fetched_as_a_job_that_can_be_watched(client):
    job = start(client, id="mine")
    seen = events(client, job["id"])
    assert seen[-1]["state"] == "done" and seen[-1]["result"]["id"] == "mine"
    assert (seen[-1]["done"], seen[-1]["total"], seen[-1]["unit"]) == (len(WORDS), len(WORDS), "bytes")
    assert client.get(f"/api/v1/jobs/{job['id']}").json() == seen[-1]
    assert client.get("/api/v1/jobs").json() == {"jobs": [seen[-1]]}
    assert client.post("/api/v1/tokenize", json={"tokenizer": "mine", "text": "hello"}).json()["ids"] == [2, 5, 3]


def test_all_jobs_are_watched_in_one_stream(lab):
    """Those that run or wait first, then each change, also of jobs that come later, until none is left."""
    go, stop = threading.Event(), threading.Event()
    lab.jobs.wait(lab.jobs.submit("sum", "ended before", lambda running: 1).id, 10)
    first = lab.jobs.submit("sum", "first", lambda running: go.wait(10))

    async def run() -> tuple[list[list[Job]], str]:
        seen: list[list[Job]] = []
        last = ""
        async for jobs in following_all(lab.jobs, 10):
            assert jobs is not None
            seen.append(jobs)
            if len(seen) == 1:
                last = lab.jobs.submit("sum", "last", lambda running: stop.wait(10), key="last").id
                go.set()
            if any(job.id == last and job.state == "running" for job in jobs):
                stop.set()
        return seen, last

    seen, last = asyncio.run(run())
    assert [job.title for job in seen[0]] == ["first"]
    ends = {job.id: job for jobs in seen for job in jobs}
    assert {id: job.state for id, job in ends.items()} == {first.id: "done", last: "done"}
    assert not lab.jobs._watchers


def test_the_stream_of_all_jobs_ends_when_none_is_left(client):
    job = start(client)
    answer = client.get("/api/v1/jobs/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = [json.loads(line.removeprefix("data: "))["jobs"] for line in answer.text.split("\n\n") if line]
    assert told[-1] == [client.get(f"/api/v1/jobs/{job['id']}").json()] or told == [[]]
    assert client.get("/api/v1/jobs/events").text == 'data: {"jobs": []}\n\n'


def test_it_can_be_waited_for(client):
    response = client.post("/api/v1/tokenizers", json={"hub": "org/tiny"})
    assert response.status_code == 201 and response.json()["source"] == "downloaded"


def test_a_job_is_stopped(client, lab, hub):
    hub.hold = threading.Event()
    job = start(client)
    until(lambda: lab.jobs.job(job["id"]).done >= CHUNK_BYTES, "no chunk arrives")
    assert client.delete(f"/api/v1/jobs/{job['id']}").status_code == 202
    hub.hold.set()
    assert events(client, job["id"])[-1]["state"] == "cancelled"
    hub.hold = None
    assert events(client, start(client)["id"])[-1]["state"] == "done"
    assert hub.ranges == [None, None]  # it begins again


def test_why_one_failed_is_told(client, hub):
    hub.repos["org/tiny"].gated = True
    job = events(client, start(client)["id"])[-1]
    assert (job["state"], job["error"]["code"]) == ("failed", "gated")
    assert hub.address in job["error"]["hint"]


def test_gated_is_an_answer_of_its_own(client, hub, refused):
    hub.repos["org/tiny"].gated = True
    refused(client.post("/api/v1/tokenizers", json={"hub": "org/tiny"}), 403, "gated")


@pytest.mark.parametrize("body", [{"hub": "org/tiny"}, {"known": "roberta-base"}])
def test_a_token_that_cannot_be_sent_is_refused_at_once(client, lab, hub, refused, body):
    answer = client.post("/api/v1/tokenizers", json={**body, "token": "hf_ä", "wait": False})
    refused(answer, 403, "token_refused")
    assert "hf_" not in answer.text and (hub.asked, lab.jobs.jobs()) == ([], [])


def test_a_download_with_a_token_is_not_one_that_runs_without_it(client, hub):
    hub.repos["FacebookAI/roberta-base"] = Repo({"vocab.txt": WORDS})
    hub.hold = threading.Event()
    body = {"known": "roberta-base", "wait": False}
    without = client.post("/api/v1/tokenizers", json=body).json()["id"]
    assert client.post("/api/v1/tokenizers", json=body).json()["id"] == without
    given = client.post("/api/v1/tokenizers", json={**body, "token": HUB_TOKEN}).json()["id"]
    assert given != without
    hub.hold.set()
    # Both arrive; the second finds what the first has kept.
    assert [events(client, id)[-1]["state"] for id in (without, given)] == ["done", "done"]


def test_a_job_that_is_not_there(client, refused):
    for method, path in [("GET", "x"), ("GET", "x/events"), ("DELETE", "x")]:
        refused(client.request(method, f"/api/v1/jobs/{path}"), 404, "not_found")


def test_who_watches_or_waits_holds_no_thread(lab, hub):
    """Forty of them would otherwise stop everything else."""
    hub.hold = threading.Event()
    app = create_app(lab.settings, lab)

    async def run() -> list[httpx2.Response]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS, headers=headers, timeout=None) as client:
            job = (await client.post("/api/v1/tokenizers", json={"hub": "org/tiny", "wait": False})).json()["id"]
            asked = [asyncio.create_task(client.get(f"/api/v1/jobs/{job}/events")) for _ in range(60)]
            for number in range(45):
                body = {"hub": "org/tiny", "id": f"mine-{number}"}
                asked.append(asyncio.create_task(client.post("/api/v1/tokenizers", json=body)))

            def all_are_watched() -> bool:
                jobs = [lab.jobs.running(each.id) for each in lab.jobs.jobs()]
                # The queue itself watches each job.
                return len(jobs) == 46 and sum(len(each._watchers) - 1 for each in jobs) >= len(asked)

            await until_async(all_are_watched)
            assert anyio.to_thread.current_default_thread_limiter().borrowed_tokens == 0
            assert (await client.get("/api/v1/jobs")).status_code == 200
            hub.hold.set()
            return await asyncio.gather(*asked)

    answers = asyncio.run(run())
    assert [answer.status_code for answer in answers] == [200] * 60 + [201] * 45
    assert all('"state": "done"' in answer.text for answer in answers[:60])
    assert answers[-1].json()["id"] == "mine-44"


def test_one_that_is_waited_for_and_stopped_says_so(client, lab, hub, refused):
    hub.hold = threading.Event()
    answers = []
    asks = threading.Thread(target=lambda: answers.append(client.post("/api/v1/tokenizers", json={"hub": "org/tiny"})))
    asks.start()
    until(lambda: [job.state for job in lab.jobs.jobs()] == ["running"], "the job does not run")
    lab.jobs.cancel(lab.jobs.jobs()[0].id)
    hub.hold.set()
    asks.join()
    refused(answers[0], 409, "cancelled")
