"""A server that ends on SIGTERM: readiness, requests under way, new ones, its limit."""

import json
import os
import signal
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from urllib.parse import urlsplit

import pytest

from lab_app.api.server import Server, bind, lab_server
from lab_app.services.text import decode
from lab_app.settings import Settings
from tests.waiting import until

SECRET = {"Authorization": "Bearer T"}
DECODE = json.dumps({"tokenizer": "gpt2", "ids": [15496]}).encode()


def ask(server: Server, path: str, body: bytes | None = None) -> tuple[int, Message, bytes]:
    """The status, the head and the body of an answer."""
    request = urllib.request.Request(server.address.partition("/?")[0] + path, body, SECRET)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.fixture
def held(monkeypatch) -> Iterator[tuple[threading.Event, threading.Event]]:
    """Keeps `/decode` until the second event is set; the first says that it has begun."""
    begun, go = threading.Event(), threading.Event()
    original = decode.decoded

    def slow(*given, **options):
        begun.set()
        assert go.wait(60)
        return original(*given, **options)

    monkeypatch.setattr("lab_app.api.routes.encoding.decoded", slow)
    yield begun, go
    go.set()


@pytest.fixture
def start(tmp_path) -> Iterator[Callable[..., Server]]:
    started = []

    def make(**settings) -> Server:
        server = lab_server(Settings(data_dir=tmp_path, token="T", **settings))
        server.start()
        started.append(server)
        until(lambda: ask(server, "/readyz")[0] == 200, "the server is never ready")
        return server

    yield make
    for server in started:
        server.stop()


def ask_meanwhile(server: Server) -> tuple[threading.Thread, list]:
    """A thread that asks, and where its answer will be."""
    answers: list = []
    caller = threading.Thread(target=lambda: answers.append(ask(server, "/api/v1/decode", DECODE)))
    caller.start()
    return caller, answers


def test_requests_under_way_end_and_new_ones_are_sent_elsewhere(start, held):
    server = start(drain_timeout_s=3600)
    begun, go = held
    caller, answers = ask_meanwhile(server)
    assert begun.wait(60)
    server.drain.begin()
    for path, body in (("/readyz", None), ("/api/v1/tokenizers", None), ("/api/v1/decode", DECODE)):
        status, head, said = ask(server, path, body)
        assert status == 503 and head["Retry-After"] == "5" and head["Connection"] == "close"
        assert json.loads(said)["error"]["code"] == "unavailable"
    assert ask(server, "/healthz")[0] == 200
    assert server.drain.running == 1
    go.set()
    caller.join(60)
    assert answers[0][0] == 200 and json.loads(answers[0][2])["text"] == "Hello"
    server.wait()


def test_a_request_that_lasts_too_long_is_given_up(start, held):
    server = start(drain_timeout_s=0.05)
    begun, _ = held
    caller, answers = ask_meanwhile(server)
    assert begun.wait(60)
    server.drain.begin()
    server.wait()  # the request is never let go
    caller.join(60)
    status, head, _ = answers[0]
    assert status == 503 and head["Retry-After"] == "5"


def test_a_stream_of_events_is_not_waited_for(start):
    server = start(drain_timeout_s=3600)
    go = threading.Event()
    lab = server_lab(server)
    job = lab.jobs.submit("sum", "slow", lambda running: go.wait(60))
    with socket.create_connection(("127.0.0.1", urlsplit(server.address).port), 60) as stream:
        head = f"GET /api/v1/jobs/{job.id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer T\r\n\r\n"
        stream.sendall(head.encode())
        assert b"text/event-stream" in stream.recv(4096)
        until(lambda: server.drain.running == 0, "the stream is counted")
        server.drain.begin()
        server.wait()
    go.set()


def server_lab(server: Server):
    """The lab behind a server."""
    return server.unfinished.__self__._first.result()._lab


@pytest.mark.parametrize("timeout_s", [0.0, 3600.0])
def test_sigterm_ends_a_server_with_nothing_under_way(tmp_path, timeout_s):
    settings = Settings(data_dir=tmp_path, drain_timeout_s=timeout_s)
    server = Server(lambda: lambda scope, receive, send: None, bind(settings), settings)

    def press() -> None:
        until(lambda: server._server is not None and server._server.started, "the server does not start")
        os.kill(os.getpid(), signal.SIGTERM)

    with server.ended_by_signals():
        threading.Thread(target=press, daemon=True).start()
        server.run()


def test_a_second_sigterm_ends_it_at_once(tmp_path):
    settings = Settings(data_dir=tmp_path, drain_timeout_s=3600)
    server = Server(lambda: lambda scope, receive, send: None, bind(settings), settings)
    server.drain.running = 1  # as the app behind the checks would count it

    def press() -> None:
        until(lambda: server._server is not None and server._server.started, "the server does not start")
        os.kill(os.getpid(), signal.SIGTERM)
        until(lambda: server._drains_until is not None, "the server does not drain")
        os.kill(os.getpid(), signal.SIGTERM)

    with server.ended_by_signals():
        threading.Thread(target=press, daemon=True).start()
        server.run()
    assert server._stopping


def test_a_lab_that_cannot_use_its_database_is_not_ready(start, monkeypatch):
    server = start()
    path = server_lab(server).database.path
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    server_lab(server).database._migrated = False
    status, _, said = ask(server, "/readyz")
    assert status == 503 and json.loads(said)["error"]["message"] == "the lab's database cannot be used"
    assert str(path) not in said.decode(), "who has no secret learns no path"


def test_more_connections_than_allowed_are_refused(start):
    server = start(max_connections=2)
    place = "127.0.0.1", urlsplit(server.address).port
    until(lambda: not server._server.server_state.connections, "the connection of the start stays")
    with socket.create_connection(place, 60) as one, socket.create_connection(place, 60) as two:
        until(lambda: len(server._server.server_state.connections) == 2, "they are not accepted")
        with socket.create_connection(place, 60) as third:
            said = third.makefile("rb").read()
        assert said.startswith(b"HTTP/1.1 503 ") and b"Retry-After: 1" in said
        for each in (one, two):
            each.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert each.recv(100).startswith(b"HTTP/1.1 200 ")
