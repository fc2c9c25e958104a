import asyncio
import json
import os
import signal
import socket
import threading
import urllib.request
import weakref
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from lab_app.api import app as app_module
from lab_app.api.frame import unpack
from lab_app.api.server import Server, address, bind, lab_server
from lab_app.errors import Unavailable
from lab_app.jobs.job import Job
from lab_app.services.text.documents import OpenDocument
from lab_app.settings import Settings
from tests.waiting import until


def test_any_free_port(tmp_path):
    with bind(Settings()) as listening:
        host, port = listening.getsockname()
        assert host == "127.0.0.1" and address(listening, "T") == f"http://127.0.0.1:{port}/?token=T"


def test_small_answers_are_sent_at_once():
    """As asyncio does it, on a connection of the lab's own socket: nothing waits for the browser's confirmation."""

    async def nodelay() -> int:
        connected = asyncio.get_running_loop().create_future()
        listening = bind(Settings(port=0))
        server = await asyncio.start_server(lambda _, writer: connected.set_result(writer), sock=listening)
        async with server:
            _, client = await asyncio.open_connection(*listening.getsockname())
            ours = (await connected).get_extra_info("socket")
            client.close()
            return ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert asyncio.run(nodelay())


def test_an_address_that_stands_for_all_is_no_place_to_send_a_browser():
    with bind(Settings(host="0.0.0.0")) as listening:
        assert address(listening, "T").startswith("http://127.0.0.1:")


def test_a_taken_port_is_named():
    with bind(Settings()) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(Unavailable, match=str(port)):
            bind(Settings(port=port))
    with pytest.raises(Unavailable, match=r"203\.0\.113\.1"):
        bind(Settings(host="203.0.113.1"))


def test_a_request_that_comes_before_the_app_waits_for_it(tmp_path):
    server = lab_server(Settings(data_dir=tmp_path, token="T"))
    with socket.create_connection(("127.0.0.1", int(server.address.split(":")[2].partition("/")[0])), 10) as early:
        early.sendall(b"GET /healthz HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n")
        server.start()
        assert early.makefile("rb").readline().startswith(b"HTTP/1.1 403")
    with urllib.request.urlopen(server.address.partition("?")[0] + "healthz", timeout=60) as response:
        assert response.status == 200
    server.stop()
    server.wait()


@pytest.fixture
def running(tmp_path) -> Iterator[Server]:
    server = lab_server(Settings(data_dir=tmp_path, token="T"))
    server.start()
    yield server
    server.stop()
    server.wait()


def line_of_a_new_document(server: Server, text: str) -> ClientConnection:
    base = server.address.partition("?")[0]
    allowed = {"Authorization": "Bearer T"}
    body = json.dumps({"tokenizers": ["gpt2"], "text": text}).encode()
    headers = {**allowed, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{base}api/v1/documents", body, headers), timeout=30) as answer:
        id = unpack(answer.read())[0]["document"]
    address = f"{base.replace('http', 'ws', 1)}api/v1/documents/{id}/edits"
    return connect(address, additional_headers=allowed, max_size=None)


def test_who_leaves_during_an_edit_leaves_no_trace(capfd, running, monkeypatch):
    begun, left, done = threading.Event(), threading.Event(), threading.Event()
    edit = OpenDocument.edit

    def slow_edit(*given):
        begun.set()
        assert left.wait(10)
        done.set()
        return edit(*given)

    with line_of_a_new_document(running, "hello") as line:
        monkeypatch.setattr(OpenDocument, "edit", slow_edit)
        line.send(json.dumps({"version": 1, "start_utf16": 0, "end_utf16": 5, "text": "you"}))
        assert begun.wait(10)
        line.socket.close()
    until(lambda: not running._server.server_state.connections, "the server does not notice that the client left")
    left.set()
    assert done.wait(10)
    running.stop()
    assert not capfd.readouterr().err


def test_a_refused_line_is_no_fault_of_the_server(capfd, running):
    with pytest.raises(InvalidStatus) as refusal:
        connect(running.address.partition("?")[0].replace("http", "ws", 1) + "api/v1/documents/1/edits")
    assert refusal.value.response.status_code == 401
    running.stop()
    assert not capfd.readouterr().err


def place(server: Server) -> tuple[str, int]:
    return "127.0.0.1", urlsplit(server.address).port


@pytest.mark.parametrize("head", [b"GET /healthz HTTP/1.1\r\nX: ", b"GET /"])
def test_a_head_without_end_is_refused(running, head):
    with socket.create_connection(place(running), 30) as client:
        client.sendall(head)
        with suppress(OSError):  # it may be refused while it is sent
            for _ in range(100):
                client.sendall(b"x" * 65_536)
        with suppress(ConnectionResetError):
            assert client.recv(100).startswith(b"HTTP/1.1 400 ")
    assert is_up(running)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: ",
        b"POST /api/v1/tokenize HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer T\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_a_client_that_falls_silent_is_let_go(running, monkeypatch, sent):
    assert is_up(running)  # the protocol is imported
    from lab_app.api import http_protocol

    monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_S", 0.2)
    monkeypatch.setattr(http_protocol, "BODY_TIMEOUT_S", 0.2)
    with socket.create_connection(place(running), 30) as client:
        client.sendall(sent)
        client.makefile("rb").read()  # until the server closes it: a wait for ever would raise TimeoutError
    assert is_up(running)


def test_an_empty_line_is_no_request(running, monkeypatch):
    from lab_app.api import http_protocol

    with socket.create_connection(place(running), 30) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: elsewhere\r\n\r\n")
        assert client.recv(10_000).startswith(b"HTTP/1.1 403")
        monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_S", 0.2)
        client.sendall(b"\r\n")
        client.makefile("rb").read()


def test_an_edited_document_outlives_the_limits_of_silence(running, monkeypatch):
    assert is_up(running)
    from lab_app.api import http_protocol

    monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_S", 0.2)
    with line_of_a_new_document(running, "hello") as line, socket.create_connection(place(running), 30) as silent:
        assert silent.recv(1) == b"", "a connection that says nothing is let go"
        line.send(json.dumps({"version": 1, "start_utf16": 0, "end_utf16": 5, "text": "you"}))
        assert unpack(line.recv(30))[0]["version"] == 2


def is_up(server: Server) -> bool:
    with urllib.request.urlopen(server.address.partition("?")[0] + "healthz", timeout=30) as response:
        return response.status == 200


def test_a_debug_log_holds_no_secret(tmp_path, capfd, caplog):
    server = lab_server(Settings(data_dir=tmp_path, token="the-secret-of-this-run", log_level="debug"))
    server.start()
    address = server.address.partition("?")[0].replace("http", "ws", 1) + "api/v1/documents/1/edits"
    with connect(address, additional_headers={"Authorization": f"Bearer {server.token}"}) as line:
        line.send("{}")
        line.recv(30)
    server.stop()
    logged = capfd.readouterr().err + caplog.text
    assert "WebSocket" in logged and server.token not in logged


def test_a_server_that_is_stopped_before_it_runs_does_not_run(tmp_path):
    def make_app():
        server.stop()
        return lambda scope, receive, send: None

    settings = Settings(data_dir=tmp_path)
    server = Server(make_app, bind(settings), settings)
    server.run()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("starts_before", [False, True])
def test_a_signal_is_heard_where_an_exception_would_be_lost(tmp_path, number, starts_before):
    """Python ignores what a callback of a weak reference raises, and imports have such callbacks."""

    class Thing:
        pass

    def raise_signal():
        thing = Thing()
        reference = weakref.ref(thing, lambda _: signal.raise_signal(number))
        del thing
        assert reference() is None

    def make_app():
        if not starts_before:
            raise_signal()
        return lambda scope, receive, send: None

    settings = Settings(data_dir=tmp_path)
    server = Server(make_app, bind(settings), settings)
    rescue = threading.Timer(60, server.stop)
    rescue.start()
    with server.ended_by_signals():
        if starts_before:
            server.start()
            raise_signal()
        server.run()
    assert rescue.is_alive()  # nobody else had to end it
    rescue.cancel()


@pytest.mark.parametrize("in_a_thread", [False, True])
def test_ctrl_c_while_a_job_runs_says_so_and_a_second_one_ends_it(tmp_path, capfd, in_a_thread):
    settings = Settings(data_dir=tmp_path)
    server = Server(lambda: lambda scope, receive, send: None, bind(settings), settings)
    job = Job("1", "training", "Zulu", "merges", state="running")
    server.unfinished = lambda: [job]
    seen = []

    def press() -> None:
        until(lambda: server._server is not None and server._server.started, "the server does not start")
        os.kill(os.getpid(), signal.SIGINT)
        until(lambda: server._is_warned, "Ctrl+C does not arrive")
        seen.append(server._stopping)
        os.kill(os.getpid(), signal.SIGINT)

    if in_a_thread:
        server.start()
    with server.ended_by_signals():
        threading.Thread(target=press, daemon=True).start()
        server.run()
    assert seen == [False]
    said = capfd.readouterr().err
    assert said.count('training "Zulu"') == 1 and "Ctrl+C again" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_only_ctrl_c_while_a_job_runs_is_kept_from_ending(tmp_path, number):
    settings = Settings(data_dir=tmp_path)
    server = Server(lambda: lambda scope, receive, send: None, bind(settings), settings)
    server.unfinished = lambda: (
        [Job("1", "training", "Zulu", "merges", state="running")] if number == signal.SIGTERM else []
    )
    assert not server.keeps_running(number)
    server.stop()


def test_who_waits_for_the_start_when_the_lab_ends_leaves_no_trace(tmp_path, capfd, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(app_module, "create_app", lambda *_, **__: go.wait(60))
    server = lab_server(Settings(data_dir=tmp_path, token="T"))
    server.start()
    with socket.create_connection(place(server), 30) as client:
        client.sendall(b"GET /api/v1/corpora HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer T\r\n\r\n")
        until(lambda: server._server is not None and server._server.server_state.tasks, "the call does not arrive")
        server.stop()
        assert not server._thread.is_alive()
    go.set()
    said = capfd.readouterr().err
    assert "Traceback" not in said and "Exception" not in said
