"""The concordance over HTTP, and a client that goes away."""

import asyncio
import threading

import pytest

from lab_app.api.routes import concordance as router
from lab_app.errors import Cancelled


def test_pages_and_segmentations(client, refused, tmp_path):
    (tmp_path / "mine.txt").write_text("the cat\nthe hat\n")
    body = {"tokenizer": "gpt2", "corpus": str(tmp_path / "mine.txt")}
    first = client.post("/api/v1/concordance", json={**body, "token": "the", "limit": 1}).json()
    second = client.post("/api/v1/concordance", json={**body, "id": 1169, "start": first["next"]}).json()
    assert [each["after"] for each in first["occurrences"] + second["occurrences"]] == [" cat", " hat"]
    assert first["more"] is True and second["more"] is False
    found = client.post("/api/v1/concordance/segmentations", json={**body, "word": "cat"}).json()
    assert [(each["tokens"], each["count"]) for each in found["segmentations"]] == [(["Ġcat"], 1)]
    refused(client.post("/api/v1/concordance", json=body), 422, "bad_request")
    refused(client.post("/api/v1/concordance", json={**body, "token": "odd one"}), 404, "not_found")


def test_a_client_that_leaves_ends_the_search(monkeypatch):
    monkeypatch.setattr(router, "ASK_S", 0.001)
    began = threading.Event()

    class Gone:
        async def is_disconnected(self):
            return began.is_set()

    def search(running):
        began.set()
        while True:
            running.check()

    with pytest.raises(Cancelled):
        asyncio.run(router._while_asked(Gone(), search))
