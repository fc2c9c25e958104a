import gc
import threading
import weakref

import pytest

from lab_app.errors import BadValue, NotFound, Unavailable
from lab_app.jobs import queue as queue_module
from lab_app.jobs.job import Job
from lab_app.jobs.queue import JobQueue
from tests.waiting import until

LONG_S = 30


def test_progress_and_result():
    jobs, go = JobQueue(), threading.Event()

    def work(running):
        running.report(3, 10, "counting")
        go.wait(LONG_S)
        return {"answer": 42}

    job = jobs.submit("count", "to ten", work, unit="steps")
    until(lambda: jobs.job(job.id).done == 3, "the job does not report")
    version = jobs.job(job.id).version
    assert jobs.job(job.id) == Job(job.id, "count", "to ten", "steps", "running", 3, 10, "counting", version=version)
    go.set()
    ended = jobs.wait(job.id, LONG_S)
    assert (ended.state, ended.result) == ("done", {"answer": 42})


def test_a_running_job_stops_at_its_next_report_and_a_waiting_one_at_once():
    jobs, started = JobQueue(at_once=1), threading.Event()

    def work(running):
        started.set()
        while True:
            running.report(0)

    first = jobs.submit("spin", "first", work)
    second = jobs.submit("spin", "second", work)
    assert started.wait(LONG_S)
    assert jobs.cancel(second.id).state == "cancelled"
    jobs.cancel(first.id)
    assert jobs.wait(first.id, LONG_S).state == "cancelled"
    # The thread is free again, and the job that never began does not begin now.
    assert jobs.wait(jobs.submit("sum", "third", lambda _: 3).id, LONG_S).result == 3
    assert jobs.job(second.id).state == "cancelled"


def test_stopping_what_has_ended_changes_nothing():
    jobs = JobQueue()
    job = jobs.wait(jobs.submit("sum", "", lambda _: 3).id, LONG_S)
    assert jobs.cancel(job.id) == job


def test_failures_are_told_and_the_others_go_on(caplog):
    jobs = JobQueue(at_once=1)

    def told(_):
        raise BadValue("the value is 7", "give 8")

    def untold(_):
        raise ZeroDivisionError

    failed = jobs.wait(jobs.submit("fail", "", told).id, LONG_S)
    assert (failed.state, failed.error) == (
        "failed",
        {"code": "bad_request", "message": "the value is 7", "hint": "give 8"},
    )
    failed = jobs.wait(jobs.submit("fail", "", untold).id, LONG_S)
    assert failed.error is not None and "ZeroDivisionError" in failed.error["message"]
    assert "a job failed" in caplog.text
    assert jobs.wait(jobs.submit("sum", "", lambda _: 3).id, LONG_S).result == 3


def test_a_key_is_run_once_at_a_time():
    jobs, go = JobQueue(), threading.Event()
    first = jobs.submit("fetch", "", lambda _: go.wait(LONG_S), key="bert")
    assert jobs.submit("fetch", "", lambda _: 1 / 0, key="bert").id == first.id
    go.set()
    assert jobs.wait("bert", LONG_S).state == "done"
    assert jobs.wait(jobs.submit("fetch", "", lambda _: "again", key="bert").id, LONG_S).result == "again"


def test_no_more_run_at_once_than_allowed():
    jobs, inside, most, lock = JobQueue(at_once=2), 0, 0, threading.Lock()
    together = threading.Barrier(2)

    def work(_):
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        together.wait(LONG_S)
        with lock:
            inside -= 1

    for job in [jobs.submit("wait", "", work) for _ in range(6)]:
        assert jobs.wait(job.id, LONG_S).state == "done"
    assert most == 2


def test_old_ones_are_forgotten_and_too_many_refused(monkeypatch):
    jobs = JobQueue(kept=2)
    ids = []
    for _ in range(5):
        ids.append(jobs.submit("sum", "", lambda _: 3).id)
        jobs.wait(ids[-1], LONG_S)
    with pytest.raises(NotFound):
        jobs.job(ids[0])
    assert len(jobs.jobs()) <= 3
    go = threading.Event()
    monkeypatch.setattr(queue_module, "MAX_WAITING", 3)
    for _ in range(3):
        jobs.submit("wait", "", lambda _: go.wait(LONG_S))
    with pytest.raises(Unavailable, match="waiting"):
        jobs.submit("wait", "", lambda _: None)
    go.set()


def test_a_job_that_stands_aside_leaves_its_place_to_another():
    jobs, go, paused = JobQueue(at_once=1), threading.Event(), threading.Event()

    def wait(running):
        with jobs.aside():
            paused.set()
            go.wait(LONG_S)
        return "waited"

    first = jobs.submit("wait", "aside", wait)
    assert paused.wait(LONG_S)
    for number in range(3):
        job = jobs.submit("quick", "done meanwhile", lambda running, number=number: number)
        assert jobs.wait(job.id, LONG_S).result == number
    go.set()
    assert jobs.wait(first.id, LONG_S).result == "waited"
    last = jobs.submit("quick", "after", lambda running: "after")
    assert jobs.wait(last.id, LONG_S).result == "after"


@pytest.mark.parametrize("error", [None, BadValue("no")])
def test_an_idle_queue_keeps_nothing_of_what_the_last_job_worked_with(error):
    class Text:
        pass

    def started() -> weakref.ref:
        text = Text()

        def work(running):
            assert text
            if error:
                raise error

        jobs.wait(jobs.submit("count", "a text", work).id, LONG_S)
        return weakref.ref(text)

    jobs = JobQueue(at_once=1)
    kept = started()
    until(lambda: gc.collect() >= 0 and kept() is None, "the text stays in memory")
