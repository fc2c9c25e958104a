"""Small requests that are answered on the event loop: the answer is that of the route, and no slow work is done there."""

import json
import threading

import pytest

from lab_app.api.quick_start.quick import QUICK_BYTES
from lab_app.library.catalog import Catalog
from lab_app.services.loaded import LoadedTokenizers
from lab_app.services.tokenizers.tokenizers import add
from lab_app.store.database import Database
from tests import tiny
from tests.api.conftest import bring_to_hand

ADDRESS = "/api/v1/tokenize"
TEXT = "Hello 日本, 👩‍🔬 naïve <|endoftext|>"
BODIES = {
    "plain": {"text": TEXT},
    "no special tokens": {"text": TEXT, "tokenizer": "bert-base-uncased", "add_special_tokens": False},
    "a pair": {"text": TEXT, "tokenizer": "bert-base-uncased", "pair": "and another"},
    "special tokens": {"text": TEXT, "specials": "parse"},
    "rejected special tokens": {"text": TEXT, "specials": "reject"},
    "fields": {"text": TEXT, "fields": ["ids", "overflowing"]},
    "no fields": {"text": TEXT, "fields": []},
    "truncated": {"text": TEXT, "truncation": "longest_first", "max_length": 3},
    "another case": {"text": "", "tokenizer": "GPT2"},
    "a pair without a template": {"text": TEXT, "pair": "and another"},
    "an unknown tokenizer": {"text": TEXT, "tokenizer": "gpt9"},
    "an unknown field": {"text": TEXT, "truncate": 3},
    "no text": {},
    "half a character": {"text": "a\ud83d"},
}


@pytest.fixture
def used(monkeypatch):
    """The threads in which texts were encoded."""
    from lab_app.api.routes import encoding

    threads = []

    def encode(*arguments, **options):
        threads.append(threading.get_ident())
        return original(*arguments, **options)

    original = encoding.encode
    monkeypatch.setattr(encoding, "encode", encode)
    return threads


@pytest.fixture
def loop_thread(client):
    """The thread of the event loop."""
    return client.portal.call(threading.get_ident)


def asked(client, body: bytes, **headers: str):
    """Status, headers and content of an answer, without the time it took."""
    answer = client.post(ADDRESS, content=body, headers=headers)
    content = answer.content
    if "octet-stream" not in headers.get("accept", ""):
        content = {name: value for name, value in answer.json().items() if name != "elapsed_ns"}
    names = {name for name in answer.headers if name != "content-length"}
    return answer.status_code, names, answer.headers["content-type"], content


@pytest.mark.parametrize("name", BODIES)
def test_a_small_body_is_answered_as_a_large_one(client, used, loop_thread, name):
    body = json.dumps({"tokenizer": "gpt2", **BODIES[name]}).encode()
    for tokenizer in ("gpt2", "bert-base-uncased"):
        bring_to_hand(client, json.dumps({"tokenizer": tokenizer, "text": ""}).encode())
    used.clear()
    small, large = asked(client, body), asked(client, body + b" " * QUICK_BYTES)
    assert small == large
    if used:
        quick = name not in ("truncated", "an unknown tokenizer")
        assert [thread == loop_thread for thread in used] == [quick, False]


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"tokenizer": "gpt2", "text": "\xff"}'])
def test_a_body_that_is_no_request_is_refused_alike(client, body):
    small, large = asked(client, body), asked(client, body + b" " * QUICK_BYTES)
    assert small[:3] == large[:3] and small[3]["error"]["code"] == large[3]["error"]["code"] == "bad_request"


def test_a_body_that_comes_in_parts_of_unknown_length_is_read_to_its_end(client, used, loop_thread):
    parts = [b'{"tokenizer": "gpt2", ', b'"text": "Hello', b' world"}']
    bring_to_hand(client, b"".join(parts))
    used.clear()
    for _ in range(2):
        answer = client.post(ADDRESS, content=iter(parts))
        assert answer.json()["ids"] == [15496, 995]
    assert loop_thread not in used


def test_a_tokenizer_that_is_not_in_memory_is_loaded_elsewhere(client, used, loop_thread):
    body = json.dumps({"tokenizer": "cl100k_base", "text": "Hello"}).encode()
    bring_to_hand(client, body)
    assert used[0] != loop_thread
    used.clear()
    asked(client, body)
    assert used == [loop_thread]


def test_the_event_loop_neither_opens_the_database_nor_looks_for_plug_ins(client, used, loop_thread, monkeypatch):
    """Not for a tokenizer at hand, nor just after a write, nor for an id that nobody knows."""
    known, unknown = (json.dumps({"tokenizer": id, "text": "Hello"}).encode() for id in ("gpt2", "gpt9"))
    bring_to_hand(client, known)
    opened = []

    def watch(owner: type, name: str) -> None:
        original = getattr(owner, name)

        def watched(*arguments, **options):
            opened.append((name, threading.get_ident()))
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, watched)

    watch(Database, "_connect")
    watch(Catalog, "_plugin")
    watch(LoadedTokenizers, "get_any")
    used.clear()
    assert asked(client, known)[0] == 200
    assert (used, opened) == ([loop_thread], [])
    monkeypatch.setattr(Database, "state", lambda _: None)  # as it is just after a write
    assert asked(client, known)[0] == 200
    assert asked(client, unknown)[0] == 404
    assert {name for name, _ in opened} == {"_connect", "_plugin", "get_any"}
    assert loop_thread not in [thread for _, thread in opened]


def with_pattern(folder, pre_tokenizer) -> str:
    """A file with one more stage."""
    path = tiny.tokenizer_json(folder)
    definition = json.loads(path.read_text()) | {"pre_tokenizer": pre_tokenizer}
    path.write_text(json.dumps(definition))
    return str(path)


SPLIT = {"type": "Split", "behavior": "Isolated", "invert": False}
# That of cl100k_base, which the engine has a scanner for.
KNOWN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@pytest.mark.parametrize(("pattern", "quick"), [(KNOWN, True), (r"(a*)*\1c", False), (r"\s+", False)])
def test_a_pattern_of_an_unknown_maker_never_runs_on_the_event_loop(
    client, used, loop_thread, tmp_path, pattern, quick
):
    add(client.app.state.lab, with_pattern(tmp_path, {**SPLIT, "pattern": {"Regex": pattern}}), id="mine")
    body = json.dumps({"tokenizer": "mine", "text": "hello world"}).encode()
    bring_to_hand(client, body)
    assert used[0] != loop_thread
    used.clear()
    assert asked(client, body)[0] == 200
    assert [thread == loop_thread for thread in used] == [quick]


@pytest.mark.parametrize("place", ["normalizer", "decoder"])
def test_neither_does_one_that_replaces(client, used, loop_thread, tmp_path, place):
    path = tiny.tokenizer_json(tmp_path)
    replace = {"type": "Replace", "pattern": {"Regex": "(a*)*c"}, "content": ""}
    for number, stage in enumerate((replace, {"type": "Sequence", f"{place}s": [replace]})):
        path.write_text(json.dumps(json.loads(path.read_text()) | {place: stage}))
        add(client.app.state.lab, path, id=f"mine{number}")
        body = json.dumps({"tokenizer": f"mine{number}", "text": "hello world"}).encode()
        bring_to_hand(client, body)
        assert asked(client, body)[0] == 200
    assert len(used) == 8 and loop_thread not in used
