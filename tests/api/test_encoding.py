import asyncio
import json
from dataclasses import replace

import httpx2
import numpy as np
import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.api.frame import unpack
from lab_app.api.server import Server, bind
from lab_app.engine import DecodeError, Tokenizer
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.tokenizers.tokenizers import add, remove
from tests import tiny
from tests.api.conftest import ADDRESS, TOKEN, bring_to_hand

FRAME = {"Accept": "application/octet-stream"}
TEXT = "Hello 日本, 👩‍🔬 naïve <|endoftext|>"


def post(client, path, headers=None, **body):
    response = client.post(f"/api/v1/{path}", json=body, headers=headers or {})
    assert response.status_code == 200, response.text
    return response


def test_tokenize_as_json(client):
    whole = post(client, "tokenize", tokenizer="gpt2", text=TEXT, specials="parse").json()
    assert whole["count"] == len(whole["ids"]) == len(whole["tokens"]) and whole["round_trip"]
    assert bytes.fromhex("".join(token["bytes"] for token in whole["tokens"])).decode() == TEXT
    assert whole["tokens"][-1]["special"] and whole["tokens"][-1]["text"] == "<|endoftext|>"
    assert not post(client, "tokenize", tokenizer="gpt2", text=TEXT).json()["tokens"][-1]["special"]


def test_only_the_fields_asked_for_are_answered(client):
    whole = post(client, "tokenize", tokenizer="gpt2", text=TEXT).json()
    answer = post(client, "tokenize", tokenizer="gpt2", text=TEXT, fields=["ids"]).json()
    assert answer["ids"] == whole["ids"] and answer["count"] == whole["count"]
    assert answer["tokens"] is None and "round_trip" not in answer
    assert post(client, "tokenize", tokenizer="gpt2", text=TEXT, fields=[]).json()["ids"] is None


def test_fields_that_do_not_exist_are_refused(client, refused):
    body = {"tokenizer": "gpt2", "text": "a", "fields": ["spans"]}
    assert "fields.0" in refused(client.post("/api/v1/tokenize", json=body), 422, "bad_request")["message"]
    refused(client.post("/api/v1/tokenize", json={**body, "fields": ["ids"]}, headers=FRAME), 422, "bad_request")


def test_an_answer_of_any_size_is_whole(client):
    for repeats in (10, 10_000):  # in one piece, and in chunks
        answer = post(client, "tokenize", tokenizer="gpt2", text="a b" * repeats)
        assert ("content-length" in answer.headers) == (repeats == 10)
        assert len(answer.json()["tokens"]) == answer.json()["count"] == repeats + 1


def test_the_frame_says_the_same_as_the_json(client):
    whole = post(client, "tokenize", tokenizer="gpt2", text=TEXT, specials="parse").json()
    response = post(client, "tokenize", FRAME, tokenizer="gpt2", text=TEXT, specials="parse")
    assert response.headers["content-type"] == "application/octet-stream"
    header, arrays = unpack(response.content)
    for key, value in header.items():
        if key not in ("arrays", "elapsed_ns"):
            assert whole[key] == value
    assert {name: array.dtype.str for name, array in arrays.items()} == {
        "ids": "<u4",
        "start_utf8": "<u4",
        "end_utf8": "<u4",
        "start_utf16": "<u4",
        "end_utf16": "<u4",
        "flags": "|u1",
    }
    assert arrays["ids"].tolist() == whole["ids"]
    for unit in ("utf8", "utf16"):
        spans = np.stack([arrays[f"start_{unit}"], arrays[f"end_{unit}"]], axis=1).tolist()
        assert spans == [token[f"span_{unit}"] for token in whole["tokens"]]
    assert [bool(flag & 1) for flag in arrays["flags"]] == [token["special"] for token in whole["tokens"]]
    assert (arrays["flags"] & 8).any() and (arrays["flags"] & 16).any()


def test_a_pair_has_no_frame(client, refused):
    body = {"tokenizer": "gpt2", "text": "a", "pair": "b"}
    refused(client.post("/api/v1/tokenize", json=body, headers=FRAME), 422, "bad_request")


def test_a_batch_and_its_frame(client):
    texts = ["Hello, world", "", "日"]
    whole = post(client, "tokenize_batch", tokenizer="gpt2", texts=texts).json()
    assert whole == {
        "tokenizer": "gpt2",
        "counts": [3, 0, 2],
        "ids": [[15496, 11, 995], [], [33768, 98]],
        "attention_mask": [[1, 1, 1], [], [1, 1]],
    }
    header, arrays = unpack(post(client, "tokenize_batch", FRAME, tokenizer="gpt2", texts=texts).content)
    assert header["rows"] == 3 and arrays["row_starts"].tolist() == [0, 3, 3, 5]
    assert arrays["ids"].tolist() == [15496, 11, 995, 33768, 98]
    assert post(client, "tokenize_batch", tokenizer="gpt2", texts=[]).json()["ids"] == []


def test_lengths(client, refused):
    cut = {"tokenizer": "gpt2", "truncation": "longest_first", "max_length": 2}
    whole = post(client, "tokenize", text="Hello, world", **cut).json()
    assert whole["ids"] == [15496, 11] and whole["overflowing"] == [[995]]
    assert post(client, "tokenize_batch", texts=["Hello, world", "a"], **cut).json()["ids"] == [[15496, 11], [64]]
    body = {"tokenizer": "gpt2", "text": "a", "max_length": 2}
    error = refused(client.post("/api/v1/tokenize", json=body), 422, "bad_request")
    assert "truncation" in error["hint"]


def test_tokens_too_long_to_spell_are_refused_before_the_answer_begins(client, refused, tmp_path):
    unknown = "u" * 1_000_000
    path = tmp_path / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {unknown: 0}, "unk_token": unknown}
    path.write_text(json.dumps({"model": model, "pre_tokenizer": {"type": "WhitespaceSplit"}}))
    assert client.post("/api/v1/tokenizers", json={"path": str(path), "id": "long"}).status_code == 201
    body = {"tokenizer": "long", "text": "x " * 100}
    error = refused(client.post("/api/v1/tokenize", json=body), 422, "decode_error")
    assert "100 ids are 100000000 bytes" in error["message"]
    assert client.post("/api/v1/tokenize", json=body | {"fields": ["ids"]}).json()["ids"] == [0] * 100


def test_an_error_of_the_engine_that_no_service_translates_is_the_clients(client, refused, monkeypatch):
    def fails(*_args, **_options):
        raise DecodeError("the problem; the hint")

    monkeypatch.setattr("lab_app.api.routes.encoding.decoded", fails)
    refused(client.post("/api/v1/decode", json={"tokenizer": "gpt2", "ids": [1]}), 422, "decode_error")


@pytest.mark.parametrize("fields", [None, ["tokens", "overflowing"]])
def test_parts_that_repeat_too_much_are_refused_before_the_answer_begins(client, refused, fields):
    cut = {"truncation": "longest_first", "max_length": 5000, "stride": 4999}
    body = {"tokenizer": "gpt2", "text": "the quick brown fox " * 2500, "fields": fields, **cut}
    error = refused(client.post("/api/v1/tokenize", json=body), 422, "encode_error")
    assert "lower `stride`" in error["hint"]


@pytest.fixture
def on_the_loop(monkeypatch):
    """Whether each encoding so far was made on the event loop, which it holds up."""
    seen = []

    def watched(*arguments, **options):
        seen.append(asyncio._get_running_loop() is not None)
        return encode(*arguments, **options)

    monkeypatch.setattr("lab_app.api.routes.encoding.encode", watched)
    return seen


@pytest.mark.parametrize(
    "lengths",
    [
        {"padding": "max_length", "max_length": 8},
        {"padding": "longest", "pad_to_multiple_of": 8},
        {"truncation": "longest_first", "max_length": 2},
        {"truncation": "file"},
        {"padding": "file"},
    ],
)
def test_what_may_be_padded_is_encoded_off_the_event_loop(client, on_the_loop, lengths):
    body = {"tokenizer": "bert-base-uncased", "text": "hi"}
    bring_to_hand(client, json.dumps(body).encode())
    assert on_the_loop[0] is False, "loaded"
    on_the_loop.clear()
    post(client, "tokenize", **body)
    post(client, "tokenize", **body, **lengths)
    assert on_the_loop == [True, False], "small and in memory, padded"


def test_a_tokenizer_that_was_replaced_is_loaded_off_the_event_loop(client, settings, on_the_loop, tmp_path):
    other = Lab(settings)  # another program
    add(other, tiny.vocab_txt(tmp_path / "mine"))
    body = {"tokenizer": "mine", "text": "hello"}
    for ids, path in (([2, 5, 3], None), ([259], tiny.vocab_and_merges(tmp_path / "b"))):
        if path is not None:
            remove(other, "mine")
            add(other, path, id="mine")
        on_the_loop.clear()
        assert post(client, "tokenize", **body).json()["ids"] == ids
        assert on_the_loop == [False]
        bring_to_hand(client, json.dumps(body).encode())
        on_the_loop.clear()
        assert post(client, "tokenize", **body).json()["ids"] == ids
        assert on_the_loop == [True]
    remove(other, "mine")
    on_the_loop.clear()
    assert client.post("/api/v1/tokenize", json=body).status_code == 404
    assert on_the_loop == [False]


def test_lengths_of_the_file(client, tmp_path, refused):
    path = tiny.tokenizer_json(tmp_path / "words")
    document = json.loads(path.read_text())
    document["truncation"] = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    document["padding"] = {
        "strategy": {"Fixed": 3},
        "direction": "Left",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[UNK]",
    }
    path.write_text(json.dumps(document))
    assert client.post("/api/v1/tokenizers", json={"path": str(path)}).status_code == 201
    plain = {"tokenizer": "words", "text": "hello world hello"}
    told = {**plain, "truncation": "file", "padding": "file"}
    assert client.post("/api/v1/tokenize", json=plain).json()["ids"] == [1, 2, 1]
    assert client.post("/api/v1/tokenize", json=told).json()["ids"] == [0, 1, 2]
    assert client.post("/api/v1/tokenize", json={**told, "text": "hello"}).json()["ids"] == [0, 0, 1]
    batch = {"tokenizer": "words", "texts": ["hello", "world world world"], "truncation": "file", "padding": "file"}
    assert post(client, "tokenize_batch", **batch).json()["ids"] == [[0, 0, 1], [0, 2, 2]]
    refused(client.post("/api/v1/tokenize", json={**told, "max_length": 2}), 422, "bad_request")
    # A file that says nothing changes nothing.
    assert client.post("/api/v1/tokenize", json={**told, "tokenizer": "gpt2", "text": "Hello"}).json()["ids"] == [15496]


def test_decode(client):
    assert post(client, "decode", tokenizer="gpt2", ids=[15496, 11, 995]).json()["text"] == "Hello, world"
    found = post(client, "decode", tokenizer="gpt2", ids=[33768]).json()
    assert found == {"tokenizer": "gpt2", "text": None, "bytes": "e697"}
    assert post(client, "decode", tokenizer="gpt2", ids=[64, 50256]).json()["text"] == "a"
    whole = post(client, "decode", tokenizer="gpt2", ids=[64, 50256], skip_special_tokens=False).json()
    assert whole["text"] == "a<|endoftext|>"
    assert post(client, "decode_batch", tokenizer="gpt2", batch=[[64], [], [33768]]).json()["texts"] == [
        "a",
        "",
        "\ufffd",
    ]


@pytest.mark.parametrize("ids", [[50257], [-1], [2**32], [2**70], [1.5], ["a"], [None]])
def test_ids_that_are_none_are_refused(client, ids):
    response = client.post("/api/v1/decode", content=json.dumps({"tokenizer": "gpt2", "ids": ids}))
    assert response.status_code == 422
    assert response.json()["error"]["code"] in ("decode_error", "bad_request")
    assert client.post("/api/v1/decode_batch", json={"tokenizer": "gpt2", "batch": [[64], ids]}).status_code == 422


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tokenize", {"text": "a"}),
        ("tokenize_batch", {"texts": ["a"]}),
        ("decode", {"ids": [1]}),
        ("decode_batch", {"batch": [[1]]}),
    ],
)
def test_an_unknown_tokenizer_is_refused_and_one_that_is_not_here_is_told_apart(client, refused, path, body):
    refused(client.post(f"/api/v1/{path}", json={"tokenizer": "gpt9", **body}), 404, "not_found")
    error = refused(client.post(f"/api/v1/{path}", json={"tokenizer": "t5-base", **body}), 503, "unavailable")
    assert "download it" in error["hint"]


def test_a_special_token_in_the_text_can_be_refused(client, refused):
    body = {"tokenizer": "gpt2", "text": TEXT, "specials": "reject"}
    assert "<|endoftext|>" in refused(client.post("/api/v1/tokenize", json=body), 422, "encode_error")["message"]


def test_compare_and_its_frame(client):
    asked = {"tokenizers": ["cl100k_base", "gpt2", "o200k_base"], "text": TEXT + " 2048 日本"}
    whole = post(client, "compare", **asked).json()
    assert [result["tokenizer"] for result in whole["tokenizers"]] == asked["tokenizers"]
    assert np.array(whole["agreement"]).shape == (3, 3)
    header, arrays = unpack(post(client, "compare", FRAME, **asked).content)
    assert header["agreement"] == whole["agreement"] and header["text_bytes"] == whole["text_bytes"]
    for number, result in enumerate(whole["tokenizers"]):
        assert arrays[f"{number}/ids"].tolist() == result["ids"]
        assert "ids" not in header["tokenizers"][number]
    found = whole["divergences"]
    assert len(found) > 3
    for unit in ("utf8", "utf16"):
        spans = np.stack([arrays[f"divergences/start_{unit}"], arrays[f"divergences/end_{unit}"]], axis=1).tolist()
        assert spans == [each[f"span_{unit}"] for each in found]
    assert [header["divergence_kinds"][kind] for kind in arrays["divergences/kind"]] == [each["kind"] for each in found]
    counts = arrays["divergences/counts"].reshape(-1, 3).tolist()
    assert counts == [[each["counts"][id] for id in asked["tokenizers"]] for each in found]


def test_compare_can_count_spaces(client):
    asked = {"tokenizers": ["gpt2", "cl100k_base"], "text": "a 1 b"}
    assert len(post(client, "compare", **asked).json()["divergences"]) == 0
    assert len(post(client, "compare", **asked, ignore_spaces=False).json()["divergences"]) == 1


@pytest.mark.parametrize("tokenizers", [[], ["gpt2"], ["gpt2", "gpt2"], ["gpt2"] * 9])
def test_a_wrong_number_of_tokenizers_is_refused(client, refused, tokenizers):
    refused(client.post("/api/v1/compare", json={"tokenizers": tokenizers, "text": "a"}), 422, "bad_request")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "a"])
def test_small_texts(client, text):
    whole = post(client, "compare", tokenizers=["gpt2", "cl100k_base"], text=text).json()
    assert whole["divergences"] == [] and whole["agreement"] == [[1, 1], [1, 1]]


def test_ten_megabytes_as_a_frame(settings):
    text = ("The quick brown fox, 12345 日本語 👩‍🔬 naïve\n" * 200_000)[:8_000_000]
    app = create_app(replace(settings, max_request_mb=64))
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        header, arrays = unpack(post(client, "tokenize", FRAME, tokenizer="cl100k_base", text=text).content)
    assert header["text_bytes"] == len(text.encode()) > 9_900_000 and header["round_trip"]
    assert int(arrays["end_utf8"][-1]) == header["text_bytes"] and arrays["ids"].size == header["count"]


def test_a_long_text_as_json(settings):
    """A hundred megabytes of JSON: it comes in parts, so that neither side holds it."""
    text = "The quick brown fox, 12345 jumps over the lazy dog\n" * 40_000
    listening = bind(settings)
    server = Server(lambda: create_app(replace(settings, max_request_mb=64)), listening, settings)
    server.start()
    tokens = rest = 0
    try:
        with httpx2.stream(
            "POST",
            server.address.partition("?")[0] + "api/v1/tokenize",
            json={"tokenizer": "cl100k_base", "text": text},
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=300,
        ) as response:
            field, last = b'"span_utf8"', b""
            for chunk in response.iter_bytes(1 << 20):
                joined = last + chunk
                tokens += joined.count(field)
                last = joined[1 - len(field) :]  # too short to be counted twice
                rest += len(chunk)
    finally:
        server.stop()
    assert response.status_code == 200 and last.endswith(b"]}")
    assert tokens == len(Tokenizer.builtin("cl100k_base").encode_ids(text)) and rest > 100 * tokens


def test_the_textbook_encoders(client):
    body = {"tokenizer": "gpt2", "text": "aaaa bbbb", "algorithms": ["linked-list", "naive"]}
    whole = client.post("/api/v1/textbook_encoders", json=body).json()
    assert [each["algorithm"] for each in whole["encoders"]] == ["linked-list", "naive"]
    assert whole["encoders"][0]["same_ids"] is True and whole["encoders"][0]["ends_utf8"][-1] == 9


def test_an_unknown_textbook_encoder_is_refused(client, refused):
    refused(
        client.post("/api/v1/textbook_encoders", json={"tokenizer": "gpt2", "text": "a", "algorithms": ["quick"]}),
        422,
        "bad_request",
    )


def test_explain(client, refused):
    found = post(client, "explain", tokenizer="gpt2", text="Hello, world", at=5).json()
    assert found["boundaries"] == [5, 6] and found["places"][0]["rule"] == "GPT-2 pattern"
    assert post(client, "trace", tokenizer="gpt2", text="a b").json()["pretokens"][1]["branch"] == "letters"
    refused(client.post("/api/v1/explain", json={"tokenizer": "gpt2", "text": "a", "at": 2}), 422, "bad_request")


def test_changes(client, refused, tmp_path):
    vocab = tmp_path / "vocab.txt"
    vocab.write_text("[UNK]\n[CLS]\n[SEP]\nex\n", encoding="utf-8")
    client.post("/api/v1/tokenizers", json={"path": str(vocab), "id": "tiny-bert"})
    found = post(client, "normalization_changes", tokenizer="tiny-bert", text="👩 É\0x").json()
    assert found["changes"] == [
        {"span_utf8": [5, 7], "span_utf16": [3, 4], "text": "e"},
        {"span_utf8": [7, 8], "span_utf16": [4, 5], "text": ""},
    ]
    # Put in before the first character and behind the last one.
    found = post(client, "normalization_changes", tokenizer="tiny-bert", text="語").json()
    assert [(one["span_utf16"], one["text"]) for one in found["changes"]] == [([0, 0], " "), ([1, 1], " ")]
    assert post(client, "normalization_changes", tokenizer="gpt2", text="É").json()["changes"] == []
    refused(client.post("/api/v1/normalization_changes", json={"tokenizer": "none", "text": "a"}), 404, "not_found")


def test_tokens_are_dropped_at_the_side_that_is_named(client, refused):
    body = {"tokenizer": "gpt2", "text": "one two three four"}
    cut = {**body, "truncation": "longest_first", "max_length": 2}
    for side, ids in ((None, [505, 734]), ("right", [505, 734]), ("left", [1115, 1440])):
        asked = cut if side is None else {**cut, "truncation_side": side}
        assert client.post("/api/v1/tokenize", json=asked).json()["ids"] == ids
        batch = {name: value for name, value in asked.items() if name != "text"} | {"texts": [body["text"]]}
        assert client.post("/api/v1/tokenize_batch", json=batch).json()["ids"] == [ids]
    refused(client.post("/api/v1/tokenize", json={**cut, "truncation_side": "up"}), 422, "bad_request")
    refused(client.post("/api/v1/tokenize", json={**body, "truncation_side": "left"}), 422, "bad_request")


def test_an_id_that_no_token_has_is_named_as_what_it_is(client, refused):
    def told(id: int) -> str:
        return refused(
            client.post("/api/v1/decode", json={"tokenizer": "cl100k_base", "ids": [15339, id]}), 422, "decode_error"
        )["message"]

    assert "holes" in told(100_256) and "100256" in told(100_256)
    assert "ids are below 100277" in told(100_277)
