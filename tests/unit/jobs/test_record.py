"""What a run was doing when it died is said by the next one, once; two programs on one data folder know each other."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lab_app.errors import BadValue, Conflict, LabError
from lab_app.jobs.queue import JobQueue
from lab_app.jobs.record import JobRecord
from lab_app.store import records
from lab_app.store.database import Database
from lab_app.store.owners import Owners
from tests.waiting import until


@pytest.fixture
def program(tmp_path):
    """Makes programs that use one data folder; `end` of their owners is how they die."""

    def make() -> tuple[JobQueue, Owners]:
        owners = Owners(tmp_path / "owners")
        return JobQueue(JobRecord(Database(tmp_path / "lab.sqlite3"), owners), at_once=1), owners

    return make


def test_a_job_that_ended_is_not_kept(program):
    jobs, owners = program()
    for work in (lambda running: 1, lambda running: 1 / 0):
        jobs.wait(jobs.submit("analysis", "udhr", work).id, timeout_s=60)
    owners.end()
    assert program()[0].jobs() == []


def test_the_next_run_says_what_was_interrupted_and_the_one_after_it_does_not(program):
    go = threading.Event()
    jobs, owners = program()
    job = jobs.submit("analysis", "udhr, gpt2", lambda running: go.wait(60), unit="documents")
    waiting = [jobs.submit("fetch", f"t{n}", lambda running: None, unit="bytes") for n in range(3)]
    until(lambda: jobs.job(job.id).state != "waiting", "the job does not begin")
    beside, _ = program()
    assert beside.jobs() == [], "the other program still runs"
    owners.end()
    after, _ = program()
    found = after.job(job.id)  # a page that is still open asks for it by its id
    assert (found.state, found.kind, found.title) == ("interrupted", "analysis", "udhr, gpt2") and found.ended
    assert "the lab ended while it ran" in found.error["message"] and found.error["code"] == "interrupted"
    assert {each.id for each in after.jobs()} >= {job.id, waiting[-1].id}
    assert program()[0].jobs() == []
    go.set()


def test_a_database_that_cannot_be_used_stops_no_job(tmp_path):
    (tmp_path / "lab.sqlite3").write_bytes(b"garbage" * 1000)
    jobs = JobQueue(JobRecord(Database(tmp_path / "lab.sqlite3"), Owners(tmp_path / "owners")))
    assert jobs.wait(jobs.submit("sum", "", lambda running: 3).id, timeout_s=60).result == 3
    assert len(jobs.jobs()) == 1


def test_a_job_that_can_be_started_again_is_listed_until_it_is(program):
    go, started = threading.Event(), []
    jobs, owners = program()
    ran = jobs.submit("analysis", "udhr", lambda running: go.wait(60), call="udhr again")
    waits = jobs.submit("analysis", "topics", lambda running: None, call="topics again")
    database = jobs._record._database
    until(lambda: records.stored(database, "job", lambda record: True)[-1].state == "running", "it does not begin")
    owners.end()
    first, second = program()[0], program()[0]
    assert [(each.job.id, each.has_begun, each.call) for each in first.left()] == [
        (ran.id, True, "udhr again"),
        (waits.id, False, "topics again"),
    ]
    # What waited is taken up at once, so it is listed only if that fails.
    assert [(each.id, each.can_restart) for each in second.jobs()] == [(ran.id, True)]

    def fails(call: str):
        raise BadValue("the corpus is gone", "add it again")

    def start(call: str):
        started.append(call)
        return first.submit("analysis", "again", lambda running: None)

    with pytest.raises(BadValue):
        first.restart(ran.id, fails)
    assert first.job(ran.id).can_restart
    assert first.wait(first.restart(ran.id, start).id, timeout_s=60).state == "done"
    for other, id in ((first, ran.id), (second, ran.id)):
        with pytest.raises(LabError):
            other.restart(id, start)
    assert started == ["udhr again"]
    assert second.jobs() == [], "it is offered no more where another program has started it"
    with pytest.raises(BadValue):
        second.restart(waits.id, fails)
    assert [(each.id, each.can_restart) for each in second.jobs()] == [(waits.id, True)]
    second.cancel(waits.id)
    with pytest.raises(Conflict):
        first.restart(waits.id, start)
    assert program()[0].jobs() == []
    go.set()


def test_a_job_that_is_cancelled_before_it_is_noted_is_not_taken_up(program, monkeypatch):
    jobs, owners = program()
    add = records.add

    def add_late(*given, **more):
        jobs.cancel("fetch-bert")
        return add(*given, **more)

    monkeypatch.setattr(records, "add", add_late)
    assert jobs.submit("fetch", "bert", lambda running: 1, key="fetch-bert", call="again").state == "cancelled"
    owners.end()
    assert program()[0].left() == []


@pytest.mark.parametrize("has_begun", [True, False])
def test_a_job_of_the_same_key_takes_the_place_of_what_was_left(program, has_begun: bool):
    go, (jobs, owners) = threading.Event(), program()
    if not has_begun:
        jobs.submit("busy", "busy", lambda running: go.wait(60))
    job = jobs.submit("fetch", "gpt2", lambda running: go.wait(60), key="fetch-gpt2", call="again")
    until(lambda: (jobs.job(job.id).state == "running") == has_begun, "it does not begin")
    owners.end()
    after, its_owners = program()
    again = after.submit("fetch", "gpt2", lambda running: 1, key="fetch-gpt2", call="again")
    assert after.wait(again.id, timeout_s=60).state == "done"
    its_owners.end()
    assert [left.job.id for left in program()[0].left() if left.job.kind == "fetch"] == []
    go.set()


def test_who_asks_while_the_jobs_of_before_are_read_waits_for_them(program, monkeypatch):
    go, reads, read_on = threading.Event(), threading.Event(), threading.Event()
    jobs, owners = program()
    job = jobs.submit("analysis", "udhr", lambda running: go.wait(60), call="again")
    owners.end()
    after, stored = program()[0], records.stored

    def slowly(*given):
        reads.set()
        read_on.wait(60)
        return stored(*given)

    monkeypatch.setattr(records, "stored", slowly)
    with ThreadPoolExecutor() as threads:
        first = threads.submit(after.left)
        reads.wait(60)
        second = threads.submit(after.job, job.id)
        read_on.set()
        assert [left.job.id for left in first.result(60)] == [job.id] and second.result(60).state == "interrupted"
    go.set()
