"""A session's file brings everything back, and a file that was changed is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lab_app.errors import BadValue, TooLarge
from lab_app.services.lab import Lab
from lab_app.services.sessions import files, sessions
from lab_app.services.tokenizers.tokenizers import add, remove
from lab_app.settings import Settings
from lab_app.store import sessions as stored
from tests import tiny

TEXT = "Hello, world 日本語 👩\u200d🔬\n<|endoftext|>"


@pytest.fixture
def lab(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    add(lab, tiny.rank_file(tmp_path / "a"), id="mine", pattern="gpt2")
    return lab


def file_of(lab, **changed) -> dict:
    id = sessions.save(lab, "mine & yours", ["gpt2", "mine"], TEXT, specials="parse", view={"screen": "compare"}).id
    return {**json.loads("".join(files.export(lab, id).chunks)), **changed}


def test_a_file_brings_back_the_session(lab, tmp_path):
    written = file_of(lab)
    other = Lab(Settings(data_dir=tmp_path / "other", offline=True))
    id = files.save(other, written).id
    found, before = sessions.load(other, id), sessions.load(lab, sessions.list_sessions(lab).sessions[0].id)
    assert (found.name, found.text, found.view, found.saved_at, found.results) == (
        before.name,
        before.text,
        before.view,
        before.saved_at,
        before.results,
    )
    assert stored.load(other.database, id).results[0].ids.tolist() == written["results"][0]["ids"]
    assert json.loads("".join(files.export(other, id).chunks)) == written


def test_a_run_says_what_differs(lab):
    written = file_of(lab)
    assert files.run(lab, written).are_none
    written["results"][0]["ids"][1] += 1
    found = files.run(lab, written)
    assert not found.are_none and found.changes[0].first_difference == 1 and found.changes[1].same
    remove(lab, "mine")
    assert "mine" in files.run(lab, written).changes[1].problem


def test_a_file_can_be_made_without_saving(lab):
    made = json.loads("".join(files.make(lab, "x", ["gpt2"], "Hello")))
    assert files.run(lab, made).are_none and sessions.list_sessions(lab).sessions == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "something else"}, "kind"),
        ({"version": 2}, "version"),
        ({"text": "other"}, "text_sha256"),
        ({"text": 1}, "text"),
        ({"specials": "maybe"}, "specials"),
        ({"extra": 1}, "extra"),
        ({"saved_at": "yesterday"}, "yesterday"),
        ({"name": " "}, "name"),
        ({"results": []}, "1 to 8"),
        ({"results": [{"tokenizer": "gpt2", "sha256": None, "ids": [2**32]}]}, "4294967296"),
        ({"results": [{"tokenizer": "gpt2", "sha256": None, "ids": [-1]}]}, "-1"),
        ({"results": [{"tokenizer": id, "sha256": None, "ids": []} for id in ("gpt2", "GPT2")]}, "more than once"),
        ({"results": [{"tokenizer": "x" * 201, "sha256": None, "ids": []}]}, "200 characters"),
        ({"results": [{"tokenizer": "gpt2", "sha256": "f" * 201, "ids": []}]}, "200 characters"),
        ({"provenance": {"lab_version": "x" * 201, "tokenizers": []}}, "200 characters"),
        ({"provenance": {"lab_version": "1", "tokenizers": [{"id": "gpt2", "origin": "x" * 201}]}}, "200 characters"),
        ({"provenance": {"lab_version": "1", "tokenizers": [{"id": str(n)} for n in range(9)]}}, "at most 8"),
        ({"provenance": {"lab_version": 1, "tokenizers": []}}, "lab_version"),
        ({"view": {"n": float("inf")}}, "JSON"),
        ({"name": "\ud83d"}, "surrogate"),
    ],
)
def test_a_file_that_is_no_session_is_refused_with_the_place(lab, changed, said):
    written = file_of(lab, **changed)
    before = sessions.list_sessions(lab)
    with pytest.raises(BadValue, match=said):
        files.save(lab, written)
    assert sessions.list_sessions(lab) == before


def test_the_view_of_a_file_is_limited(lab):
    with pytest.raises(TooLarge, match="view"):
        files.save(lab, file_of(lab, view={"screen": "x" * 64_000}))
    assert len(sessions.list_sessions(lab).sessions) == 1


def test_fields_of_the_provenance_that_no_lab_writes_are_dropped(lab):
    written = file_of(lab)
    provenance = written["provenance"]
    provenance["tokenizers"][0]["extra"] = provenance["text"]["extra"] = provenance["extra"] = "x" * 100_000
    id = files.save(lab, written).id
    assert "extra" not in "".join(files.export(lab, id).chunks)


def test_a_session_names_no_setting_that_it_did_not_use(lab):
    made = file_of(lab)["provenance"]
    assert made["settings"]["ignore_spaces"] is None and made["command"].startswith("tokenlab encode -t gpt2 -t mine ")


def test_the_size_of_a_file_is_known_before_it_is_written(lab):
    edges = [number for digits in range(10) for number in (10**digits - 1, 10**digits)] + [2**32 - 1]
    options = {"add_special_tokens": True, "specials": "text", "view": {"a": "日本"}}
    results = tuple(stored.StoredResult("gpt2", None, np.array(ids, np.uint32)) for ids in (edges, [], [7]))
    for count in range(4):
        session = stored.StoredSession(1, "日本", "2024-05-01", options, TEXT, results[:count])
        written = "".join(files.chunks_of(session)).encode()
        assert files.file_bytes(session) == len(written)


def test_a_file_that_no_lab_opens_is_not_written(lab, tmp_path):
    id = sessions.save(lab, "long", ["gpt2", "mine"], "a b " * 1000).id
    size = len("".join(files.export(lab, id).chunks))
    fits = Lab(replace(lab.settings, max_request_mb=size / 1e6))
    assert files.export(fits, id).name == f"session-{id}.json"
    small = Lab(replace(lab.settings, max_request_mb=(size - 1) / 1e6))
    with pytest.raises(TooLarge, match="fewer tokenizers"):
        files.export(small, id)


def test_what_is_no_json_is_refused():
    with pytest.raises(BadValue, match="not a session"):
        files.parsed(b"\xff not json")
