"""The attacks, each with the answers it may get and the memory that it may take."""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import tiny

Sent = tuple[str, str, bytes | None, str]
"""Method, path, body, type of the body."""
JSON = "application/json"
REFUSED = (400, 403, 404, 405, 409, 413, 422)


@dataclass(frozen=True)
class Case:
    """One attack: `requests`, or bytes on a connection of their own, `times` over. `max_mb`: what the server may take meanwhile.

    `is_large`: a test in one process would take hundreds of megabytes.
    """

    name: str
    requests: Callable[[], Iterator[Sent]] = lambda: iter(())
    allowed: tuple[int, ...] = REFUSED
    max_mb: float = 400.0
    raw: bytes | None = None
    times: int = 1
    is_large: bool = False


def post(path: str, body: Any, kind: str = JSON) -> Callable[[], Iterator[Sent]]:
    def requests() -> Iterator[Sent]:
        content = body() if callable(body) else body
        yield "POST", f"/api/v1/{path}", content if isinstance(content, bytes) else json.dumps(content).encode(), kind

    return requests


def tokenizer(
    name: str, change: Callable[[dict[str, Any]], None], text: str = "abc ab a b hello"
) -> Callable[[], Iterator[Sent]]:
    """Adds a tokenizer with something hostile in it, uses it and removes it."""

    def requests() -> Iterator[Sent]:
        with tempfile.TemporaryDirectory() as folder:
            definition = json.loads(tiny.tokenizer_json(Path(folder)).read_text("utf-8"))
        change(definition)
        border = "border-of-parts"
        form = "".join(
            f'--{border}\r\nContent-Disposition: form-data; name="{field}"{file}\r\n\r\n{value}\r\n'
            for field, file, value in (
                ("files", '; filename="tokenizer.json"', json.dumps(definition)),
                ("id", "", name),
            )
        )
        yield (
            "POST",
            "/api/v1/tokenizers/files",
            f"{form}--{border}--\r\n".encode(),
            f"multipart/form-data; boundary={border}",
        )
        body = json.dumps({"tokenizer": name, "text": text}).encode()
        yield "POST", "/api/v1/tokenize", body, JSON
        yield "POST", "/api/v1/decode", json.dumps({"tokenizer": name, "ids": [1, 2, 3]}).encode(), JSON
        yield "DELETE", f"/api/v1/tokenizers/{name}", None, JSON

    return requests


def growing(kind: str) -> Callable[[dict[str, Any]], None]:
    """Twelve replacements that make ten letters of one, each of the letters that the one before has made."""
    step = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}

    def change(definition: dict[str, Any]) -> None:
        steps = {"normalizer": "normalizers", "decoder": "decoders"}[kind]
        definition[kind] = {"type": "Sequence", steps: [step] * 12}

    return change


def prepending(definition: dict[str, Any]) -> None:
    step = {"type": "Prepend", "prepend": "a" * 1000}
    definition["normalizer"] = {"type": "Sequence", "normalizers": [step] * 1000}


def repeating(definition: dict[str, Any]) -> None:
    part = {"Sequence": {"id": "A", "type_id": 0}}
    definition["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [part] * 100_000,
        "pair": [part, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {},
    }


def compressed() -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    table = pa.table({"text": ["a" * 500_000_000]})
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


ARROW = "application/vnd.apache.arrow.stream"
ANY = (0, 200, 201, 204, *REFUSED)
LONG = "many words of one line " * 10_000
CASES = (
    Case(
        "padding to 10,000,000 tokens, five texts",
        post(
            "tokenize_batch",
            {"tokenizer": "gpt2", "texts": ["a"] * 5, "padding": "longest", "pad_to_multiple_of": 10**7},
        ),
    ),
    Case(
        "parts that overlap in all tokens but one",
        post(
            "tokenize",
            {
                "tokenizer": "gpt2",
                "text": LONG,
                "truncation": "longest_first",
                "max_length": 5000,
                "stride": 4999,
                "fields": ["overflowing"],
            },
        ),
    ),
    Case(
        "20,000,000 empty texts",
        post("tokenize_batch", lambda: b'{"tokenizer": "gpt2", "texts": [' + b'"",' * 20_000_000 + b'""]}'),
        is_large=True,
    ),
    Case(
        "60 MB of rows",
        post("tokenize_rows?tokenizer=gpt2", lambda: b'""\n' * 20_000_000, "application/x-ndjson"),
        is_large=True,
    ),
    Case(
        "Arrow that is 500 MB when it is unpacked",
        post("tokenize_rows?tokenizer=gpt2", compressed, ARROW),
        is_large=True,
    ),
    Case("a body of 70 MB", post("tokenize", lambda: b" " * 70_000_000), (0, 413), is_large=True),
    Case("JSON 1,000,000 deep", post("tokenize", lambda: b"[" * 1_000_000)),
    Case("a normalizer that grows 10^12 times", tokenizer("grows", growing("normalizer")), ANY),
    Case("a decoder that grows 10^12 times", tokenizer("decodes", growing("decoder")), ANY),
    Case("a normalizer of 1000 times 1000 characters", tokenizer("prepends", prepending), ANY),
    Case("a template of 100,000 texts", tokenizer("repeats", repeating), ANY),
    Case(
        "an endless chat template",
        post(
            "chat",
            {
                "tokenizer": "gpt2",
                "messages": [],
                "template_text": "{% for a in range(10**5) %}{% for b in range(10**5) %}{% endfor %}{% endfor %}",
            },
        ),
    ),
    Case(
        "a pattern that backtracks",
        lambda: iter([("GET", "/api/v1/vocabulary/gpt2/search?mode=regex&q=(a%2B)%2B%24", None, JSON)]),
        (200, 422),
    ),
    Case("files of the system as a corpus", post("corpora", {"paths": ["/dev/zero", "/proc/self/mem"]})),
    Case("a way out of the folder of the page", lambda: iter([("GET", "/js/..%2f..%2f..%2fetc/passwd", None, JSON)])),
    Case("a head without end", allowed=(0, 400), raw=b"GET / HTTP/1.1\r\nX: " + b"x" * 65_536, times=20),
    Case("what is no HTTP", allowed=(0, 400), raw=b"\x16\x03\x01\x02\x00\xff" * 100, times=20),
)
