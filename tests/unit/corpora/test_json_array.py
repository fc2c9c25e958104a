"""Arrays of JSON are read in time that grows with the file, however long its items are."""

import json

import pytest

from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.readers.json_array import array_values, text_blocks
from lab_app.corpora.readers.rows import Languages, Source
from lab_app.corpora.report import ReadReport

MOST = 400_000


@pytest.fixture
def source(tmp_path):
    def make(content: bytes, batch_bytes: int) -> Source:
        path = tmp_path / "a.json"
        path.write_bytes(content)
        file = CorpusFile(str(path), len(content), "", path.stat().st_mtime_ns, "json")
        return Source(
            Corpus("", "", (file,), "json", len(content), ""), file, ReadReport(), Languages(), batch_bytes, MOST
        )

    return make


@pytest.mark.parametrize("value", [{"text": "a" * 300_000}, {"text": "é" * 300_000}, [1] * 100_000, {"a": 1}])
def test_a_long_item_is_parsed_few_times(source, monkeypatch, value):
    content = json.dumps([value, value], ensure_ascii=False)
    parsed = []
    decode = json.JSONDecoder.raw_decode

    def counted(decoder, text, at=0):
        parsed.append(len(text) - at)
        return decode(decoder, text, at)

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", counted)
    assert list(array_values(source(content.encode(), 1000))) == [value, value]
    assert sum(parsed) < 6 * len(content) and len(parsed) < 30


@pytest.mark.parametrize(
    "content",
    ["é🙂€".encode() * 500, "🙂".encode() * 500, b"\x80" * 500, b"\xf0\x9f\xc3\xa9\xe2\x82\x80\x80\xff\xf0\x9fa" * 100],
    ids=["characters", "of four bytes", "invalid", "some invalid"],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 64])
def test_a_block_of_text_waits_for_the_rest_of_its_last_character_alone(source, content, size):
    found = source(content, size)
    blocks = list(text_blocks(found))
    text = content.decode(errors="replace")
    assert "".join(blocks) == text and found.report.replaced_characters == text.count("\ufffd")
    assert max(len(block.encode(errors="replace")) for block in blocks) <= 3 * (size + 3)
