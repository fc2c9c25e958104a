"""A text is opened and edited; who applies the answers has what `/tokenize` and `/compare` give for the new text."""

import asyncio
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from lab_app.api.app import create_app
from lab_app.api.frame import unpack
from lab_app.errors import DocumentClosed
from lab_app.services.text.documents import OpenDocument
from lab_app.services.text.open_documents import OpenDocuments
from tests.api.conftest import ADDRESS, TOKEN
from tests.generators import texts
from tests.naive_divergence import unpacked

FRAME = {"Accept": "application/octet-stream"}
IDS = ["gpt2", "o200k_base", "cl100k_base"]
TOKENS = ["ids", "start_utf8", "end_utf8", "start_utf16", "end_utf16", "flags"]
DIVERGENCES = ["start_utf8", "end_utf8", "start_utf16", "end_utf16", "kind", "counts"]


def frame(client, path, **body):
    response = client.post(f"/api/v1/{path}", json=body, headers=FRAME)
    assert response.status_code == 200, response.text
    return unpack(response.content)


def spliced(old: list[int], first: int, removed: int, new: list[int], shift: int) -> list[int]:
    return [*old[:first], *new, *(value + shift for value in old[first + removed :])]


class Page:
    """What a page keeps of a document: plain lists. With a `line` its edits go as messages."""

    def __init__(self, client, ids, text, **options):
        self.client, self.ids, self.text, self.line = client, ids, text, None
        self.head, arrays = frame(client, "documents", tokenizers=ids, text=text, **options)
        self.document = self.head["document"]
        self.arrays = {name: array.tolist() for name, array in arrays.items() if name.startswith("divergences/")}
        for n in range(len(ids)):
            self.arrays |= {f"{n}/{name}": array for name, array in unpacked(arrays, f"{n}/").items()}

    @property
    def path(self) -> str:
        return f"documents/{self.document}/edits"

    def answer(self, edit):
        if self.line is None:
            return frame(self.client, self.path, **edit)
        self.line.send_json(edit)
        return unpack(self.line.receive_bytes())

    def edit(self, start: int, end: int, text: str) -> None:
        units = [len(self.text[:at].encode("utf-16-le")) // 2 for at in (start, end)]
        self.head, new = self.answer(
            {"version": self.head["version"], "start_utf16": units[0], "end_utf16": units[1], "text": text}
        )
        self.text = self.text[:start] + text + self.text[end:]
        shifts = {"start_utf8": self.head["shift_utf8"], "start_utf16": self.head["shift_utf16"]}
        shifts |= {f"end_{unit}": shifts[f"start_{unit}"] for unit in ("utf8", "utf16")}
        for n, result in enumerate(self.head["tokenizers"]):
            came = unpacked(new, f"{n}/")
            for name in TOKENS:
                array = f"{n}/{name}"
                self.arrays[array] = spliced(
                    self.arrays[array], result["first"], result["removed"], came[name], shifts.get(name, 0)
                )
        if self.head["compared_utf16"] is not None:
            starts = self.arrays["divergences/start_utf16"]
            first, last = (int(np.searchsorted(starts, at)) for at in self.head["compared_utf16"])
            for name in DIVERGENCES:
                wide = len(self.ids) if name == "counts" else 1
                array = f"divergences/{name}"
                self.arrays[array] = spliced(
                    self.arrays[array], first * wide, (last - first) * wide, new[array].tolist(), shifts.get(name, 0)
                )


@pytest.mark.parametrize("ignore_spaces", [True, False])
@pytest.mark.parametrize("specials", ["text", "parse"])
def test_edits_add_up_to_the_whole(client, specials, ignore_spaces):
    chance = random.Random(4)
    pieces = list(texts(80, seed=4))
    page = Page(client, IDS, "".join(pieces[:6]), specials=specials, ignore_spaces=ignore_spaces)
    for piece in pieces:
        start = chance.randrange(len(page.text) + 1)
        removed = chance.choice((0, 0, 1, 2, 30)) if len(page.text) < 500 else 200
        page.edit(start, min(len(page.text), start + removed), chance.choice((piece[:2], piece, "", " ", "x")))
        head, arrays = frame(
            client, "compare", tokenizers=IDS, text=page.text, specials=specials, ignore_spaces=ignore_spaces
        )
        assert page.arrays == {name: array.tolist() for name, array in arrays.items()}, page.text
        assert page.head["agreement"] == pytest.approx(np.array(head["agreement"]))
        assert page.head["text_bytes"] == head["text_bytes"]
        for mine, theirs in zip(page.head["tokenizers"], head["tokenizers"], strict=True):
            same = set(theirs) - {"elapsed_ns"}
            assert {name: mine[name] for name in same} == {name: theirs[name] for name in same}


def test_edits_by_a_line_that_stays_open_are_the_same(client):
    pages = [Page(client, IDS[:2], "Hello 東京, world 👩‍👩‍👧", ignore_spaces=True) for _ in range(2)]
    with client.websocket_connect(f"/api/v1/{pages[0].path}") as pages[0].line:
        for start, end, text in [(5, 5, "!"), (7, 9, ""), (0, 1, "🦄"), (4, 4, "\x00\n")]:
            for page in pages:
                page.edit(start, end, text)
            assert pages[0].arrays == pages[1].arrays and pages[0].text == pages[1].text
            assert pages[0].head["agreement"] == pages[1].head["agreement"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"version": 2, "start_utf16": 0, "end_utf16": 0, "text": "x"}, "conflict"),
        ({"version": 1, "start_utf16": 0, "end_utf16": 9, "text": "x"}, "bad_request"),
        ({"version": 1}, "bad_request"),
        ({"version": 1, "start_utf16": 0, "end_utf16": 2**64, "text": ""}, "bad_request"),
    ],
)
def test_an_error_is_told_and_ends_the_line(client, message, code):
    page = Page(client, ["gpt2"], "a👩b")
    with client.websocket_connect(f"/api/v1/{page.path}") as line:
        line.send_json(message)
        assert line.receive_json()["error"]["code"] == code
        with pytest.raises(WebSocketDisconnect):
            line.receive_bytes()


def test_an_error_that_nobody_thought_of_is_told_too(client, monkeypatch):
    page = Page(client, ["gpt2"], "abc")
    monkeypatch.setattr(OpenDocument, "edit", lambda *_: 1 / 0)
    with client.websocket_connect(f"/api/v1/{page.path}") as line:
        line.send_json({"version": 1, "start_utf16": 0, "end_utf16": 0, "text": ""})
        assert line.receive_json()["error"]["code"] == "internal"


def test_a_line_of_a_document_that_is_gone_says_so(client):
    with client.websocket_connect("/api/v1/documents/none/edits") as line:
        line.send_json({"version": 1, "start_utf16": 0, "end_utf16": 0, "text": ""})
        assert line.receive_json()["error"]["code"] == "document_gone"


def test_the_template_stays_around_the_text(client, tmp_path):
    vocab = tmp_path / "vocab.txt"
    vocab.write_text("[UNK]\n[CLS]\n[SEP]\nhello\nworld\n", encoding="utf-8")
    client.post("/api/v1/tokenizers", json={"path": str(vocab), "id": "tiny-bert"})
    header, arrays = frame(client, "documents", tokenizers=["tiny-bert"], text="hello you")
    _, expected = frame(client, "tokenize", tokenizer="tiny-bert", text="hello you")
    assert unpacked(arrays, "0/") == {name: array.tolist() for name, array in expected.items()}
    assert header["tokenizers"][0] | {"round_trip": None} == header["tokenizers"][0], "not measured"
    edited, arrays = frame(
        client, f"documents/{header['document']}/edits", version=1, start_utf16=6, end_utf16=9, text="world"
    )
    result = edited["tokenizers"][0]
    assert (result["first"], result["removed"], arrays["0/ids"].tolist()) == (1, 1, [4])
    assert (result["count"], result["added_special_count"], result["unknown_count"]) == (4, 2, 0)


def test_what_is_not_open_or_not_new_is_said(client, refused):
    header, _ = frame(client, "documents", tokenizers=["gpt2"], text="a👩b")
    path = f"/api/v1/documents/{header['document']}/edits"
    body = {"version": 1, "start_utf16": 0, "end_utf16": 1, "text": "x"}
    refused(client.post("/api/v1/documents/none/edits", json=body), 410, "document_gone")
    refused(client.post(path, json={**body, "version": 2}), 409, "conflict")
    refused(client.post(path, json=body), 410, "document_gone")
    for start, end, fault in [(2, 3, "no character starts"), (0, 9, "no character starts"), (3, 1, "before it starts")]:
        header, _ = frame(client, "documents", tokenizers=["gpt2"], text="a👩b")
        path = f"/api/v1/documents/{header['document']}/edits"
        error = refused(client.post(path, json={**body, "start_utf16": start, "end_utf16": end}), 422, "bad_request")
        assert fault in error["message"]
    header, _ = frame(client, "documents", tokenizers=["gpt2"], text="a")
    path = f"/api/v1/documents/{header['document']}"
    assert client.delete(path).status_code == client.delete(path).status_code == 204
    refused(client.post(f"{path}/edits", json=body), 410, "document_gone")


def test_a_text_does_not_grow_beyond_what_a_request_may_have(client, refused):
    header, _ = frame(client, "documents", tokenizers=["gpt2"], text="a" * 600_000)
    body = {"version": 1, "start_utf16": 0, "end_utf16": 0, "text": "b" * 600_000}
    refused(client.post(f"/api/v1/documents/{header['document']}/edits", json=body), 413, "too_large")


def test_a_refused_special_token_is_told_with_its_place(client, refused):
    header, _ = frame(client, "documents", tokenizers=["gpt2"], text="ab <|endoftext| cd", specials="reject")
    body = {"version": 1, "start_utf16": 15, "end_utf16": 15, "text": ">"}
    error = refused(client.post(f"/api/v1/documents/{header['document']}/edits", json=body), 422, "encode_error")
    assert "byte 3" in error["message"]


def test_the_oldest_makes_room(settings, refused):
    app = create_app(replace(settings, max_documents=2))
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        ids = [frame(client, "documents", tokenizers=["gpt2"], text="a")[0]["document"] for _ in range(3)]
        body = {"version": 1, "start_utf16": 0, "end_utf16": 1, "text": "x"}
        refused(client.post(f"/api/v1/documents/{ids[0]}/edits", json=body), 410, "document_gone")
        for id in ids[1:]:
            assert client.post(f"/api/v1/documents/{id}/edits", json=body).status_code == 200


def test_strangers_are_refused(stranger, refused):
    refused(stranger.post("/api/v1/documents", json={"tokenizers": ["gpt2"], "text": ""}), 401, "unauthorized")


def test_round_trips_of_an_open_text(client, tmp_path, refused):
    vocab = tmp_path / "vocab.txt"
    vocab.write_text("[UNK]\n[CLS]\n[SEP]\nhello\nworld\n", encoding="utf-8")
    client.post("/api/v1/tokenizers", json={"path": str(vocab), "id": "tiny-bert"})
    header, _ = frame(client, "documents", tokenizers=["tiny-bert", "gpt2"], text="hello world")
    path = f"/api/v1/documents/{header['document']}"
    assert client.get(f"{path}/round_trip").json() == {"version": 1, "round_trip": [True, True]}
    frame(client, f"documents/{header['document']}/edits", version=1, start_utf16=0, end_utf16=1, text="H")
    assert client.get(f"{path}/round_trip").json() == {"version": 2, "round_trip": [False, True]}
    client.delete(path)
    refused(client.get(f"{path}/round_trip"), 410, "document_gone")


@pytest.mark.parametrize("stays", [True, False])
def test_a_text_that_nobody_waits_for_any_more_is_closed(client, stays):
    """The page that goes away while its text is encoded never learns under which id it is open."""
    lab, opened, sent = client.app.state.lab, [], []
    kept = lab.own(OpenDocuments).add
    lab.own(OpenDocuments).add = lambda document: opened.append(kept(document)) or opened[-1]
    body = json.dumps({"tokenizers": ["gpt2"], "text": "a text"}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    headers = {"host": "127.0.0.1:8123", "authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/v1/documents",
        "raw_path": b"/api/v1/documents",
        "query_string": b"",
        "root_path": "",
        "server": ("127.0.0.1", 8123),
        "client": ("127.0.0.1", 50000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive():
        if messages:
            return messages.pop(0)
        if not stays:
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()  # says nothing more

    async def send(message):
        sent.append(message)

    asyncio.run(client.app(scope, receive, send))
    assert sent[0]["status"] == 200 and len(opened) == 1
    if stays:
        assert lab.own(OpenDocuments).get(opened[0]).engine.text == "a text"
    else:
        with pytest.raises(DocumentClosed):
            lab.own(OpenDocuments).get(opened[0])
