"""A package index with one wheel, on this machine. Not here: a Hub (`tests.fake_hub`)."""

import io
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def server(answer: Callable[[str], Answer]) -> Iterator[tuple[str, list[str]]]:
    """A server of this machine: its address, and the paths it was asked for as they come."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.command} {self.path}")
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}", asked
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


def closed_address() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def index(project: str, version: str, members: dict[str, bytes]) -> Callable[[str], Answer]:
    """Answers as a package index does that has one wheel."""
    wheel_name = f"{project.replace('-', '_')}-{version}-py3-none-any.whl"
    stream = io.BytesIO()
    info = f"{project.replace('-', '_')}-{version}.dist-info"
    with zipfile.ZipFile(stream, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    wheel = stream.getvalue()
    page = f'<!doctype html><a href="/{wheel_name}">{wheel_name}</a>'.encode()

    def answer(path: str) -> Answer:
        if path == f"/simple/{project}/":
            return 200, {"Content-Type": "text/html"}, page
        if path == f"/{wheel_name}":
            return 200, {"Content-Type": "application/octet-stream"}, wheel
        return 404, {}, b""

    return answer
