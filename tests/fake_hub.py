"""A Hugging Face Hub of this machine, for tests: its paths, headers, refusals and accidents. No network is used.

It answers what `huggingface_hub` asks: `/api/models/OWNER/NAME/revision/R`, GET and HEAD of `/OWNER/NAME/resolve/R/FILE`
(with ranges, and a redirect to `/cdn/...` for large files), and the same of a dataset, `datasets/OWNER/NAME`. It refuses as the real one does.
"""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

TOKEN = "hf_of_this_test"
# Of somebody whom no owner has let in.
STRANGER = "hf_of_a_stranger"


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that has gone is a part of the tests."""


@dataclass
class Repo:
    """A repository: its files by name. Those in `large` are stored apart and told by their sha256."""

    files: dict[str, bytes]
    commit: str = "c0ffee" + "0" * 34
    gated: bool = False
    private: bool = False
    licence: str | None = "apache-2.0"
    large: tuple[str, ...] = ()


@dataclass
class FakeHub:
    """The Hub's state, which a test may change while it runs; `asked` are the requests so far."""

    repos: dict[str, Repo]
    asked: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    # Accidents: the connection of a file breaks after so many bytes, once; other bytes are sent; a status for everything.
    break_after: dict[str, int] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)
    status: int | None = None
    # Files that are refused: with this status, or by closing the connection for None.
    refused: dict[str, int | None] = field(default_factory=dict)
    knows_ranges: bool = True
    # Files stop after so many bytes until the event is set.
    hold: threading.Event | None = None
    hold_after: int = 65_536
    address: str = ""

    @contextmanager
    def running(self) -> Iterator["FakeHub"]:
        """Serves until the end of the block, at `address`."""
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub.asked.append(f"{self.command} {self.path}")
                hub._answer(self)

            do_HEAD = do_GET

            def log_message(self, *_: object) -> None:
                pass

        server = _Server(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        self.address = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            if self.hold is not None:
                self.hold.set()
            server.shutdown()
            server.server_close()
            thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        path = unquote(urlsplit(request.path).path).strip("/")
        if self.status is not None:
            _send(request, self.status, b"", {"Retry-After": "7"})
            return
        api = path.startswith("api/")
        parts = path.removeprefix("api/").removeprefix("models/").removeprefix("cdn/").split("/")
        owner_name = "/".join(parts[: 3 if parts[0] == "datasets" else 2])
        repo = self.repos.get(owner_name)
        given = request.headers.get("Authorization")
        trusted = given == f"Bearer {TOKEN}"
        if given is not None and given not in (f"Bearer {TOKEN}", f"Bearer {STRANGER}"):
            _send(request, 401, b"", {"X-Error-Message": "Invalid credentials in Authorization header"})
        elif repo is None or (repo.private and not trusted):
            _send(request, 404 if trusted else 401, b"", {"X-Error-Code": "RepoNotFound"})
        elif api:
            self._describe(request, owner_name, repo, path.rpartition("/revision/")[2])
        elif path.startswith("cdn/"):
            self._file(request, repo, path.removeprefix(f"cdn/{owner_name}/"))
        else:
            revision, _, name = path.removeprefix(f"{owner_name}/resolve/").partition("/")
            if repo.gated and not trusted:
                _send(request, 401, b"", {"X-Error-Code": "GatedRepo"})
            elif revision not in ("main", repo.commit):
                _send(request, 404, b"", {"X-Error-Code": "RevisionNotFound"})
            elif name not in repo.files:
                _send(request, 404, b"", {"X-Error-Code": "EntryNotFound"})
            elif name in self.refused:
                self._refuse(request, self.refused[name])
            elif name in repo.large:
                body = repo.files[name]
                headers = {
                    "Location": f"{self.address}/cdn/{owner_name}/{name}",
                    "X-Repo-Commit": repo.commit,
                    "X-Linked-ETag": f'"{hashlib.sha256(body).hexdigest()}"',
                    "X-Linked-Size": str(len(body)),
                }
                _send(request, 302, b"", headers)
            else:
                self._file(request, repo, name)

    def _refuse(self, request: BaseHTTPRequestHandler, status: int | None) -> None:
        if status is None:
            request.close_connection = True
        else:
            _send(request, status, b"", {"Retry-After": "0"})

    def _describe(self, request: BaseHTTPRequestHandler, owner_name: str, repo: Repo, revision: str) -> None:
        if revision not in ("main", repo.commit):
            _send(request, 404, b"", {"X-Error-Code": "RevisionNotFound"})
            return
        siblings = []
        for name, body in repo.files.items():
            one: dict[str, object] = {"rfilename": name, "size": len(body), "blobId": git_sha1(body)}
            if name in repo.large:
                one["lfs"] = {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body), "pointerSize": 133}
            siblings.append(one)
        card = {"license": repo.licence} if repo.licence else {}
        answer = {
            "id": owner_name, "sha": repo.commit, "gated": "manual" if repo.gated else False, "siblings": siblings,
            "cardData": card,
        }  # fmt: skip
        _send(request, 200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def _file(self, request: BaseHTTPRequestHandler, repo: Repo, name: str) -> None:
        body = repo.files[name]
        digest = hashlib.sha256(body).hexdigest() if name in repo.large else git_sha1(body)
        headers = {"ETag": f'"{digest}"', "X-Repo-Commit": repo.commit}
        if name in self.damaged:
            body = bytes(byte ^ 1 for byte in body)
        asked = request.headers.get("Range")
        if request.command == "GET":
            self.ranges.append(asked)
        status, start = 200, 0
        if asked and self.knows_ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            status, headers["Content-Range"] = 206, f"bytes {start}-{len(body) - 1}/{len(body)}"
        request.send_response(status)
        for key, value in {"Content-Length": str(len(body) - start), **headers}.items():
            request.send_header(key, value)
        request.end_headers()
        if request.command != "GET":
            return
        broken = self.break_after.pop(name, None)
        if self.hold is not None:
            request.wfile.write(body[start : start + self.hold_after])
            request.wfile.flush()
            self.hold.wait(30)
            start += self.hold_after
        try:
            request.wfile.write(body[start:broken])
        except OSError:
            return  # the client has gone
        if broken is not None:
            request.close_connection = True


def git_sha1(body: bytes) -> str:
    """The name git gives to a file with these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()


def _send(request: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
    request.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        request.send_header(name, value)
    request.end_headers()
    if request.command == "GET":
        request.wfile.write(body)
