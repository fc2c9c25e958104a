"""Screen, exports, command line and HTTP give the same figures for the same text and tokenizers.

The expected figures are counted here from the tokens of each text, by definition. What the page adds is JavaScript:
`tests/js/figures.test.js`; that it shows these figures: `tests/browser/test_figures.py`.
"""

import csv
import io
import json
import re
from functools import partial
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from lab_app.analysis import figures
from lab_app.api.app import create_app
from lab_app.api.frame import unpack
from lab_app.number_words import ratio
from lab_app.settings import Settings
from tests import tiny
from tests.plugin_package import install_plugin
from tests.scale import few

TEXTS = {
    "one word": "unbelievable",
    "empty": "",
    "unknown tokens": "hello zebra hello \u1c5a world zebra.",
    "split characters": "日本語 and 👩‍🔬, a family 👨‍👩‍👧 of code points: ŵ",
    "a normalizer": "HELLO Wörld, ﬁne ½",
    "special tokens spelled": "a<|endoftext|>b [CLS] <s>",
    "enough tokens for a percentage": "The quick brown fox jumps over the lazy dog. " * 3,
}
IDS = ["gpt2", "words", "cl100k_base", "normalized"]
FIELDS = (
    "count",
    "text_token_count",
    "added_special_count",
    "unknown_count",
    "bytes_per_token",
    "characters_per_token",
    "unknown_rate",
)
PLUGIN = """
class Lower:
    unknown_id = 63
    def encode(self, text): return [ord(letter) if letter < "~" else 63 for letter in text.lower()]
    def decode(self, ids): return "".join(map(chr, ids))
    def vocab(self): return {chr(id): id for id in range(10, 127)}
"""


@pytest.fixture
def client(tokenlab, data_dir, tmp_path, monkeypatch):
    """HTTP on the data of the command line: a BERT of twelve words, a normalizer that changes lengths, a plug-in."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    partial(install_plugin, site)("lower-one", PLUGIN, lower="Lower")
    tokenlab("add", str(tiny.vocab_txt(tmp_path / "words")), "--id", "words")
    file = tiny.tokenizer_json(tmp_path / "normalized")
    stages = {"normalizer": {"type": "NFKD"}, "pre_tokenizer": {"type": "Whitespace"}}
    file.write_text(json.dumps(json.loads(file.read_text()) | stages))
    tokenlab("add", str(file), "--id", "normalized")
    app = create_app(Settings(data_dir=data_dir, token="t", offline=True))
    with TestClient(app, base_url="http://127.0.0.1:8123", headers={"Authorization": "Bearer t"}) as client:
        yield client


def counted(result: dict, unknown: str) -> dict:
    """The figures by definition, from the tokens alone. `unknown` is the text of the unknown token, empty if there is none."""
    own = [token for token in result["tokens"] if token["sequence"] is not None]
    strange = sum(token["text"] == unknown for token in own)
    n = len(own)
    return {
        "count": len(result["tokens"]),
        "text_token_count": n,
        "added_special_count": len(result["tokens"]) - n,
        "unknown_count": strange,
        "bytes_per_token": result["text_bytes"] / n if n else None,
        "characters_per_token": result["text_characters"] / n if n else None,
        "unknown_rate": strange / n if n else None,
    }


class Cells(HTMLParser):
    """The rows of the first table of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tables = 0
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tables += tag == "table"
        if self.tables == 1 and tag == "tr":
            self.rows.append([])
        if self.tables == 1 and tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.tables == 1 and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


def table(page: str) -> list[dict[str, str]]:
    head, *rows = [row for row in Cells(page).rows if row]
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    ("name", "specials"),
    [*((name, True) for name in TEXTS), *few([(name, False) for name in reversed(TEXTS)], 2)],
)
def test_figures_agree(client, tokenlab, tmp_path, name, specials):
    text = TEXTS[name]

    def ask(path, **body):
        answer = client.post(f"/api/v1/{path}", json={"text": text, "add_special_tokens": specials, **body})
        assert answer.status_code == 200, answer.text
        return answer

    def run(command, *options):
        tokenizers = [option for id in IDS for option in ("-t", id)]
        added = "--add-special-tokens" if specials else "--no-special-tokens"
        return tokenlab(command, *tokenizers, added, *options, "-", stdin=text.encode()).stdout.decode()

    results = [ask("tokenize", tokenizer=id).json() for id in IDS]
    expected = [counted(result, unknown) for result, unknown in zip(results, ["", "[UNK]", "", "[UNK]"], strict=True)]

    def check(found):
        assert [{name: each[name] for name in FIELDS} for each in found] == expected

    check(results)
    check(ask("compare", tokenizers=IDS).json()["tokenizers"])
    header, _ = unpack(ask("documents", tokenizers=IDS).content)
    check(header["tokenizers"])
    check(ask("export", tokenizers=IDS, format="json").json()["tokenizers"])
    check(json.loads(run("encode", "--format", "json")))
    check(json.loads(run("compare", "--format", "json"))["tokenizers"])
    for a, b in ((0, 1), (1, 2)) if specials else ():  # which knows no added tokens: once for each text
        pair = client.post("/api/v1/vocabulary_overlap", json={"a": IDS[a], "b": IDS[b], "text": text}).json()
        assert pair["counts"] == [expected[a]["text_token_count"], expected[b]["text_token_count"]]
    moved = client.post("/api/v1/retokenize", json={"source": "gpt2", "target": "words", "text": text}).json()
    assert len(moved["source_ids"]) == expected[0]["text_token_count"]

    # Words: what people read.
    base = expected[0]["text_token_count"]
    words = [
        {
            "tokens": figures.token_words(SimpleNamespace(**each)),
            "difference": figures.difference(each["text_token_count"], base) if number else "",
            "bytes per token": ratio(each["bytes_per_token"]),
            "characters per token": ratio(each["characters_per_token"]),
            "unknown": figures.unknown_words(SimpleNamespace(**each)) or "0",
        }
        for number, each in enumerate(expected)
    ]
    page = table(ask("export", tokenizers=IDS, format="html").text)
    assert [{name: row[name.capitalize()] for name in words[0]} for row in page] == words
    shown = run("compare").splitlines()
    for id, row in zip(IDS, words, strict=True):
        line = next(line for line in shown if re.match(rf" *{id}\b", line))
        assert line.split() == [id, *" ".join(filter(None, row.values())).split(), line.split()[-1]]
    heads = [line for line in run("encode").splitlines() if ": " in line and " for " in line and "byte" in line]
    for id, row, each in zip(IDS, words, expected, strict=True):
        head = next(line for line in heads if line.startswith(f"{id}: "))
        added = f" + {each['added_special_count']} added" if each["added_special_count"] else ""
        own = each["text_token_count"]
        assert head.startswith(f"{id}: {own} token{'' if own == 1 else 's'}{added} for ")
        assert f"; {row['bytes per token']} bytes per token" in head
        assert (f"; {row['unknown']}" in head) == bool(each["unknown_count"])

    rows = list(csv.DictReader(io.StringIO(ask("export", tokenizers=IDS, format="csv").text, newline="")))
    for id, each in zip(IDS, expected, strict=True):
        own = [row for row in rows if row["tokenizer"] == id]
        assert len(own) == each["count"]
        assert sum(row["added"] == "false" for row in own) == each["text_token_count"]
        assert sum(row["added"] == "false" and row["unknown"] == "true" for row in own) == each["unknown_count"]
    run("export", "-o", str(tmp_path / "tokens.json"))
    check(json.loads((tmp_path / "tokens.json").read_text())["tokenizers"])


def test_a_plug_in_without_spans_has_counts_and_no_ratios(client, tokenlab):
    text = "ABC é"
    expected = {**dict.fromkeys(FIELDS), "count": 5, "unknown_count": 1}
    http = client.post("/api/v1/tokenize", json={"tokenizer": "lower", "text": text}).json()
    command = json.loads(tokenlab("encode", "-t", "lower", text, "--format", "json").stdout)
    exported = client.post("/api/v1/export", json={"tokenizers": ["lower"], "text": text, "format": "json"}).json()
    for found in (http, command, exported):
        assert {name: found[name] for name in FIELDS} == expected
    page = client.post("/api/v1/export", json={"tokenizers": ["lower"], "text": text, "format": "html"}).text
    (row,) = table(page)
    assert (row["Tokens"], row["Bytes per token"], row["Unknown"], row["Characters split"]) == (
        "5",
        "–",
        "1 unknown",
        "–",
    )
    shown = tokenlab("encode", "-t", "lower", text).stdout.decode().splitlines()[0]
    assert shown.startswith("lower: 5 tokens for 6 bytes, 5 characters; – bytes per token; 1 unknown;")
    page = client.post("/api/v1/export", json={"tokenizers": ["lower"], "text": text, "format": "csv"}).text
    rows = list(csv.DictReader(io.StringIO(page, newline="")))
    assert len(rows) == 5 and {row["added"] for row in rows} == {row["start_utf8"] for row in rows} == {""}


def test_the_length_of_a_pair_and_of_truncated_text(client):
    body = {"tokenizer": "words", "text": "hello", "pair": "world token"}
    pair = client.post("/api/v1/tokenize", json=body).json()
    assert (pair["text_token_count"], pair["added_special_count"]) == (3, 3)
    assert pair["bytes_per_token"] == len("helloworld token") / 3
    body = {"tokenizer": "words", "text": "hello world hello", "truncation": "longest_first", "max_length": 4}
    part = client.post("/api/v1/tokenize", json=body).json()
    assert part["text_token_count"] == 2 and part["bytes_per_token"] is None, "the tokens are those of a part"
    body = {"tokenizer": "words", "text": "hello", "padding": "max_length", "max_length": 9}
    padded = client.post("/api/v1/tokenize", json=body).json()
    assert (padded["text_token_count"], padded["padding_count"], padded["bytes_per_token"]) == (1, 6, 5.0)


def test_text_that_looks_like_a_special_token_is_ordinary_text_everywhere(client, tokenlab, root):
    from lab_app.settings import DEFAULT_SPECIALS

    text, ids = "a <|endoftext|> b", [64, 1279, 91, 437, 1659, 5239, 91, 29, 275]
    assert client.post("/api/v1/tokenize", json={"tokenizer": "gpt2", "text": text}).json()["ids"] == ids
    assert tokenlab("encode", "-t", "gpt2", text, "--format", "ids").stdout.split() == [str(id).encode() for id in ids]
    page = (root / "lab_ui" / "js" / "app" / "state" / "shared_settings.js").read_text()
    assert f"specials: {{ default: '{DEFAULT_SPECIALS}'" in page
