"""A child that answers questions: each has a limit of time, and whatever it does, its end is an error that says how."""

import os
import queue
import signal
import sys
import threading
import weakref
from typing import IO, Any

import pytest

from lab_app.children import TookTooLong, wire
from lab_app.children.session import ChildEnded, Session, serve
from tests.waiting import until

MEMORY_BYTES = 1_000_000_000


def answer_to(question: dict[str, Any]) -> dict[str, Any]:
    match question["do"]:
        case "print":
            print("printed")
            return {"read": sys.stdin.read()}
        case "raise":
            raise SystemExit("no")
        case "lack":
            raise NotImplementedError("no spans")
        case "loop":
            while True:
                pass
        case "exit":
            os._exit(3)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "talk":
            os.write(ANSWERS, b"\0\0\0\4true")
    return {"size": len(question.get("text", ""))}


ANSWERS = 3
"""The file descriptor that `serve` moves the answers to: the first that is free."""


def child() -> None:
    serve(answer_to)


@pytest.fixture
def session():
    made = Session(child, memory_bytes=MEMORY_BYTES)
    yield made
    made.end()


def test_questions_are_answered_one_after_the_other(session):
    assert session.ask({"do": "size", "text": "x" * 3_000_000}, 60) == {"size": 3_000_000}
    assert session.ask({"do": "print"}, 60) == {"read": ""}
    assert session.ask({"do": "raise"}, 60) == {"error": "SystemExit: no"}
    assert session.ask({"do": "lack"}, 60) == {"error": "NotImplementedError: no spans", "lacks": "no spans"}
    assert session.ask({"do": "size"}, 60) == {"size": 0} and session.is_running()


def test_a_question_that_is_given_up_ends_the_child(session):
    """Its answer would be taken for that to the next question."""

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.ask({"do": "size", "text": "x"}, 60, stop)
    assert not session.is_running()
    with pytest.raises((ChildEnded, TookTooLong)):
        session.ask({"do": "size"}, 0.2)


def test_a_question_without_an_answer_in_time_ends_the_child(session):
    session.ask({"do": "size"}, 60)
    with pytest.raises(TookTooLong):
        session.ask({"do": "loop"}, 0.2)
    assert not session.is_running()
    with pytest.raises((ChildEnded, TookTooLong)):
        session.ask({"do": "size"}, 0.2)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize(
    ("how", "words"), [("exit", "ended with status 3"), ("crash", "crashed with signal 11 (SIGSEGV)")]
)
def test_the_end_of_a_child_is_said(session, how: str, words: str):
    with pytest.raises(ChildEnded) as caught:
        session.ask({"do": how}, 60)
    assert str(caught.value) == words and not session.is_running()


@pytest.mark.skipif(sys.platform == "win32", reason="the file descriptor is that of POSIX")
def test_what_is_no_answer_is_refused(session):
    with pytest.raises(ValueError, match="a bool is not a valid answer"):
        session.ask({"do": "talk"}, 60)
    assert not session.is_running()


def test_waiting_can_be_stopped(session):
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        session.ask({"do": "loop"}, 60, stop)


def test_a_session_that_nobody_holds_ends_its_child():
    session = Session(child, memory_bytes=MEMORY_BYTES)
    session.ask({"do": "size"}, 60)
    process, gone = session._process, weakref.ref(session)
    del session
    until(lambda: gone() is None and process.poll() is not None, "the child ends")


def test_a_pipe_stays_open_while_its_reader_is_about_to_read(session, monkeypatch: pytest.MonkeyPatch):
    """A closed pipe's file descriptor goes to the next process's pipe: the reader would take that process's answer."""
    read, may_read = wire.read, threading.Event()
    readers: queue.SimpleQueue[tuple[threading.Thread, IO[bytes]]] = queue.SimpleQueue()

    def read_late(stream: IO[bytes]) -> dict | None:
        readers.put((threading.current_thread(), stream))
        may_read.wait()
        return read(stream)

    class GivenUp(Exception):
        pass

    def give_up() -> None:
        if not readers.empty():
            raise GivenUp

    monkeypatch.setattr(wire, "read", read_late)
    try:
        with pytest.raises(GivenUp):
            session.ask({"do": "size"}, 60, give_up)
        reader, stream = readers.get()
        assert not session.is_running() and not stream.closed
    finally:
        may_read.set()
    reader.join()
    assert stream.closed
