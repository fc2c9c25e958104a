"""`/tokenize_rows`: the IDs of `/tokenize_batch` in other forms, and what it refuses."""

import io
import json

import numpy as np
import pyarrow as pa
import pytest

from lab_app.api.rows import ARROW, LINES, PLAIN, written
from lab_app.services.text.encode import Batch
from tests.generators import texts

ROWS = ["Hello, world", "", "日本 👩\u200d🔬\n\r\n", "<|endoftext|> [MASK]", *texts(20, 3)]
FORMS = {
    LINES: lambda rows: "\n".join(json.dumps(each) for each in rows).encode(),
    "application/x-ndjson; charset=utf-8": lambda rows: b"".join(
        json.dumps({"text": each, "id": 7}).encode() + b"\r\n" for each in rows
    ),
    ARROW: lambda rows: stream(pa.table({"n": range(len(rows)), "text": rows}), 7),
    "Application/vnd.apache.arrow.stream": lambda rows: stream(
        pa.table({"text": pa.array(rows, pa.large_string())}), 1000
    ),
}


def stream(table: pa.Table, rows: int = 1000, compression: str | None = None) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table, max_chunksize=rows)
    return sink.getvalue()


def ids_of(response) -> list[list[int]]:
    assert response.status_code == 200, response.text
    if response.headers["content-type"] == ARROW:
        return pa.ipc.open_stream(response.content).read_all()["ids"].to_pylist()
    assert response.headers["content-type"] == LINES and response.content[-1:] in (b"\n", b"")
    return [json.loads(line)["ids"] for line in response.content.splitlines()]


@pytest.mark.parametrize("accept", [LINES, ARROW, "*/*"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("tokenizer", "adds"), [("gpt2", True), ("bert-base-uncased", True), ("bert-base-uncased", False)]
)
def test_the_ids_are_those_of_a_batch(client, tokenizer, adds, form, accept):
    body = {"tokenizer": tokenizer, "texts": ROWS, "add_special_tokens": adds, "specials": "parse"}
    expected = client.post("/api/v1/tokenize_batch", json=body).json()["ids"]
    response = client.post(
        "/api/v1/tokenize_rows",
        params={"tokenizer": tokenizer, "add_special_tokens": adds, "specials": "parse"},
        content=FORMS[form](ROWS),
        headers={"Content-Type": form, "Accept": accept},
    )
    assert ids_of(response) == expected


def ask(client, body: bytes, form: str, accept: str = LINES):
    headers = {"Content-Type": form, "Accept": accept}
    return client.post("/api/v1/tokenize_rows?tokenizer=gpt2", content=body, headers=headers)


@pytest.mark.parametrize("accept", [LINES, ARROW])
def test_a_long_text_is_one_row(client, accept):
    text = " ".join(texts(40, 5)) * 30
    expected = client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": text, "fields": ["ids"]}).json()[
        "ids"
    ]
    assert ids_of(ask(client, text.encode(), PLAIN, accept)) == [expected]


@pytest.mark.parametrize("accept", [LINES, ARROW])
def test_there_may_be_no_row_or_many(client, accept):
    assert ids_of(ask(client, b"", LINES, accept)) == []
    assert ids_of(ask(client, b'"Hello"\n' * 20_000, LINES, accept)) == [[15496]] * 20_000


ONE = pa.table({"text": ["a"]})
WITH_NULL = pa.table({"text": ["a", None]})
DICTIONARY = pa.table({"text": pa.array(["a"]).dictionary_encode()})
BROKEN = stream(pa.table({"text": ["abcdefgh", "ijklmnop"]})).replace(
    b"\x08\x00\x00\x00\x10\x00\x00\x00", b"\xff\xff\xff\x7f\x10\x00\x00\x00"
)


@pytest.mark.parametrize(
    ("form", "body", "status", "said"),
    [
        ("application/json", b"[]", 400, "rows cannot be read from"),
        (LINES, b'"a"\n{', 400, "line 2 is not JSON"),
        (LINES, b'"a"\n7', 422, "line 2 has no text"),
        (LINES, b'"a"\n\n"b"\n', 400, "line 2 is empty"),
        (LINES, b'"a"\n \r\n', 400, "line 2 is empty"),
        (LINES, b'"a"\n\n', 400, "line 2 is empty"),
        (LINES, b"\n", 400, "line 1 is empty"),
        (LINES, b'{"content": "a"}', 422, "line 1 has no text"),
        (LINES, b'"\\ud800"', 422, "line 1: character 0 is half of a surrogate pair"),
        (LINES, b"[" * 100_000, 400, "line 1 is not JSON"),
        (LINES, b'"\xff"', 400, "line 1 is not JSON"),
        (PLAIN, b"ab\xff", 422, "not UTF-8: byte 2"),
        (ARROW, b"", 400, "the body is empty"),
        (ARROW, stream(ONE) + b"garbage", 400, "7 bytes after the end of the stream"),
        (ARROW, stream(ONE) * 2, 400, "bytes after the end of the stream"),
        (ARROW, b"PAR1 and more that is no Arrow", 400, "no stream of Arrow"),
        (ARROW, stream(ONE)[:100], 400, "no stream of Arrow"),
        (ARROW, stream(pa.table({"content": ["a"]})), 422, 'no one column "text"'),
        (ARROW, stream(pa.table({"text": [1]})), 422, 'no one column "text"'),
        (ARROW, stream(pa.table([["a"], ["b"]], names=["text", "text"])), 422, 'no one column "text"'),
        (ARROW, stream(DICTIONARY), 422, 'no one column "text"'),
        (ARROW, stream(ONE.append_column("kind", DICTIONARY["text"])), 422, 'column "kind" is a dictionary'),
        (ARROW, stream(WITH_NULL), 422, "row 1 is null"),
        (ARROW, stream(pa.table({"text": ["a" * 100_000]}), compression="zstd"), 422, "compressed"),
        (ARROW, stream(pa.table({"text": ["a" * 100_000]}), compression="lz4"), 422, "compressed"),
        (ARROW, BROKEN, 400, "no stream of Arrow"),
    ],
)
def test_what_cannot_be_read_is_refused(client, refused, form, body, status, said):
    code = {400: "bad_request", 413: "too_large", 422: "bad_request"}[status]
    assert said in refused(ask(client, body, form), status, code)["message"]


def test_a_stream_of_arrow_needs_no_mark_at_its_end(client):
    whole = stream(pa.table({"text": ["Hello"] * 3}), 2)
    assert whole.endswith(b"\xff\xff\xff\xff\0\0\0\0")
    assert ids_of(ask(client, whole[:-8], ARROW)) == [[15496]] * 3


def test_arrow_is_written_a_record_batch_at_a_time(monkeypatch):
    monkeypatch.setattr("lab_app.api.rows.ARROW_ROWS", 2)
    batch = Batch(
        "gpt2",
        ids=np.arange(6, dtype="u4"),
        row_starts=np.array([0, 1, 1, 4, 6], "u8"),
        attention_mask=np.ones(6, "u1"),
    )
    chunks = list(written(batch, ARROW))
    assert len(chunks) == 3, "two record batches and the end"
    assert pa.ipc.open_stream(b"".join(chunks)).read_all()["ids"].to_pylist() == [[0], [], [1, 2, 3], [4, 5]]
    assert pa.ipc.open_stream(b"".join(chunks[:1])).read_next_batch()["ids"].to_pylist() == [[0], []]


def test_more_rows_than_a_body_may_have_values_are_refused(client, refused, monkeypatch):
    monkeypatch.setattr("lab_app.api.rows.MAX_VALUES", 5)
    assert ids_of(ask(client, b'"Hello"\n' * 5, LINES)) == [[15496]] * 5
    refused(ask(client, b'"Hello"\n' * 7, LINES), 413, "too_large")
    refused(ask(client, FORMS[ARROW](["a"] * 6), ARROW), 413, "too_large")


def test_damaged_streams_of_arrow_are_refused_or_read(client):
    """Whatever byte is damaged, there is an answer."""
    whole = stream(pa.table({"text": ["one", "two", "three"]}))
    for at in range(len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        assert ask(client, damaged, ARROW).status_code in (200, 400, 422), at
