"""The text of a training: every format, in any division, with and without a held-out part."""

import gzip
import json
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lab_app.errors import BadRequest, BadValue, LabError, LoadFailed
from lab_app.training import sources
from lab_app.training.control import Control
from lab_app.training.counting import count
from lab_app.training.options import PRESETS, resolved
from lab_app.training.sources import Reading, Text, Unit, UnitReport, files_text, practice_text, texts_text, together
from lab_app.training.splitting import HeldOut, split_points

OPTIONS = resolved("gpt2", {}).as_json()
LINES = [f"line {number} of the text, with a word or two\n" for number in range(400)]


def read(text: Text, share: float = 0.0, *, skip: bool = False) -> tuple[bytes, list[str], UnitReport]:
    """All that is trained on as bytes, the held-out texts, and the report of all units."""
    reading = Reading(text, OPTIONS, share, skip)
    train, held, report = b"", [], UnitReport()
    for unit in text.units():
        for pieces, out in reading.pieces(unit, report):
            train += b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
            held += out
    return train, held, report


def words(text: Text, share: float = 0.0, threads: int = 1) -> list[tuple[bytes, int]]:
    counted = count(Reading(text, OPTIONS, share), Control(), threads=threads)
    return sorted(counted.words.most_common(10_000))


def test_plain_text_is_read_as_it_is(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\ntwo ")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress("été\n".encode()))
    (tmp_path / "c.md").write_bytes(b"# three\n")
    text = files_text([tmp_path])
    assert read(text)[0] == b"one\r\n\r\ntwo " + "été\n# three\n".encode()
    assert [name for name, _ in text.files()] == ["a.txt", "b.txt.gz", "c.md"]
    assert pickle.loads(pickle.dumps(Reading(text, OPTIONS))) == Reading(text, OPTIONS)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_tables_give_the_text_column(tmp_path: Path, name: str):
    path = tmp_path / name
    rows = ["one, two", "three\nfour"]
    if name == "a.jsonl":
        path.write_text("".join(json.dumps({"text": row, "other": "no"}) + "\n" for row in rows))
    elif name == "a.csv":
        path.write_text("other,text\n" + "".join(f'no,"{row}"\n' for row in rows))
    else:
        pq.write_table(pa.table({"other": ["no"] * 2, "text": rows}), path)
    assert read(files_text([path]))[0].decode() == "".join(rows)
    assert read(files_text([path], "other"))[0] == b"nono"
    with pytest.raises(BadValue, match="column"):
        files_text([path], "missing")


def test_patterns_and_what_is_not_there(tmp_path: Path):
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "b.txt").write_text("b\n")
    assert read(files_text([str(tmp_path / "*.txt")]))[0] == b"a\nb\n"
    for given, error in ((tmp_path / "c.txt", BadValue), (tmp_path / "empty", BadRequest)):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(error):
            files_text([given])
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    with pytest.raises(LoadFailed, match="is not text"):
        files_text([tmp_path / "binary.txt"])


def test_every_division_counts_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.txt").write_text("\n".join(LINES) + "end without a newline")
    whole = words(files_text([tmp_path]))
    for unit_bytes in (700, 5000):
        monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", unit_bytes)
        text = files_text([tmp_path])
        assert len(text.units()) > 3
        assert words(text) == words(text, threads=3) == whole
        assert read(text)[0].decode() == (tmp_path / "a.txt").read_text()


def test_a_share_is_held_out_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.txt").write_text("".join(LINES))
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 4000)
    text = files_text([tmp_path])
    train, held, _ = read(text, 0.1)
    size = sum(len(each) for each in held)
    assert len(train) + size == text.bytes and 0.05 < size / text.bytes < 0.15
    assert all(each in "".join(LINES) for each in held)
    assert words(text, 0.1) == words(text, 0.1, threads=3)
    documents = texts_text(LINES)
    train, held, _ = read(documents, 0.1)
    assert len(held) == 40 or abs(len("".join(held)) / len("".join(LINES)) - 0.1) < 0.01


def test_a_sample_is_spread_over_the_text(tmp_path: Path):
    (tmp_path / "a.txt").write_text("".join(f"row {number:06}\n" for number in range(100_000)))
    text = files_text([tmp_path])
    sampled = Text(text.title, text.sources, 50_000)
    found = read(sampled)[0].decode()
    numbers = [int(word) for word in found.split() if word.isdigit() and len(word) == 6]
    assert 50_000 <= sampled.read_bytes < 80_000 and numbers == sorted(numbers) and len(numbers) > 4000
    assert numbers[0] < 40_000 and numbers[-1] > 60_000
    assert found == read(sampled)[0].decode()


def test_invalid_bytes_are_replaced_or_skipped_and_counted(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"good line\nbad \xff\xfe line\nlast line\n")
    (tmp_path / "b.jsonl").write_bytes(b'{"text": "fine"}\n{"text": "bad \xff"}\n')
    text = files_text([tmp_path])
    for skip, kept in ((False, b"\xef\xbf\xbd"), (True, b"last")):
        counted = count(Reading(text, OPTIONS, 0.0, skip), Control())
        assert counted.invalid_sequences == 3
        found = b" ".join(word for word, _ in counted.words.most_common(100))
        assert kept.decode() in found.decode(errors="replace") or kept == b"\xef\xbf\xbd"
        assert (b"bad" in found) != skip or not skip


def test_a_file_that_changes_is_refused(tmp_path: Path):
    (tmp_path / "a.txt").write_text("one\n")
    text = files_text([tmp_path])
    (tmp_path / "a.txt").write_text("one and more\n")
    with pytest.raises(LoadFailed, match="has changed since"):
        read(text)


def test_a_stretch_without_a_split_point_grows_up_to_a_limit(monkeypatch: pytest.MonkeyPatch):
    import io

    from lab_app.training import splitting

    monkeypatch.setattr(splitting, "WINDOW_BYTES", 100)
    points = splitting.SplitPoints(OPTIONS)
    data = b"a" * 1000 + b"\nnext line\nanother line"
    assert b"".join(splitting.windows(io.BytesIO(data), points, "a.txt")) == data
    with pytest.raises(BadValue, match=r"a\.txt has no split point"):
        list(splitting.windows(io.BytesIO(data), points, "a.txt", most=300))


def test_practice_corpora_need_no_file():
    topics = practice_text("topics")
    assert topics.bytes > 100_000 and len(read(topics)[0]) > 100_000
    both = together([topics, texts_text(["one"])])
    assert both.title == "Python's documentation and 1 more" and both.bytes == topics.bytes + 3
    with pytest.raises(BadValue, match="there is no practice corpus"):
        practice_text("none")


def test_texts_that_are_none():
    for texts in ([1], ["\ud800"]):
        with pytest.raises(LabError):
            texts_text(texts)  # type: ignore[arg-type]
    assert texts_text(["ab", "é"]).units() == [Unit(0, 0, None, 4)]


SPLIT_NOWHERE = {"pre_tokenizer": {"type": "Punctuation", "behavior": "Isolated"}, "alphabet": "characters"}
DIGITS = {"type": "Digits", "individual_digits": True}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
OPTION_SETS = [
    *(pytest.param(resolved(each.name, {}).as_json(), id=each.name) for each in PRESETS),
    pytest.param(resolved("gpt2", SPLIT_NOWHERE).as_json(), id="no split points"),
    pytest.param(
        resolved("gpt2", {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [DIGITS, BYTES]}}).as_json(),
        id="digits",
    ),
    pytest.param(resolved("gpt2", {"superwords_from": 300}).as_json(), id="superwords"),
    pytest.param(resolved("t5", {"variant": "sentencepiece"}).as_json(), id="sentencepiece"),
]


@pytest.mark.parametrize("options", OPTION_SETS)
def test_every_option_set_can_be_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str):
    path = tmp_path / "a.txt"
    path.write_text("".join(LINES) * 4)
    text = files_text([path])
    whole = count(Reading(text, options), Control(), threads=1)
    assert whole.words.words > 400
    held_out = count(Reading(text, options, 0.1), Control(), threads=1)
    held = sum(map(len, held_out.held_out_texts))
    assert 0 < held < 0.15 * text.bytes
    sampled = count(Reading(replace(text, sample_bytes=8000), options), Control(), threads=1)
    assert 0.04 < sampled.words.bytes / text.bytes < 0.4
    monkeypatch.setattr(sources, "LEAST_UNIT_BYTES", 1000)
    assert len(text.units()) > 50
    divided = count(Reading(text, options), Control(), threads=3)
    assert divided.words.to_bytes() == whole.words.to_bytes()


@pytest.mark.parametrize("name", ["a.txt.gz", "a.csv", "a.parquet", "a.jsonl.gz"])
def test_of_a_file_that_cannot_be_divided_a_sample_is_its_beginning(tmp_path: Path, name: str):
    path = tmp_path / name
    rng = random.Random(1)
    rows = ["".join(rng.choices("abcdefgh ", k=60)) for _ in range(20_000)]
    if name == "a.txt.gz":
        path.write_bytes(gzip.compress("\n".join(rows).encode()))
    elif name == "a.jsonl.gz":
        path.write_bytes(gzip.compress("".join(json.dumps({"text": row}) + "\n" for row in rows).encode()))
    elif name == "a.csv":
        path.write_text("text\n" + "\n".join(rows))
    else:
        pq.write_table(pa.table({"text": rows}), path)
    text = files_text([path])
    sampled = replace(text, sample_bytes=text.bytes // 20)
    counted = count(Reading(sampled, OPTIONS), Control(), threads=1)
    assert 0.02 < counted.words.bytes / sum(map(len, rows)) < 0.2
    assert sampled.read_bytes == text.bytes // 20


@pytest.mark.parametrize("preset", ["gpt2", "cl100k", "llama", "bert", "t5"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_share_of_text_without_spaces_is_held_out(tmp_path: Path, preset: str, line_end: str):
    rng = random.Random(2)
    line = lambda: "".join(rng.choices("吾輩は猫である名前まだ無い、", k=40)) + "。"  # noqa: E731
    lines = [("\u3000" if n % 3 == 0 else "") + line() for n in range(300)]
    # Few places for GPT-2 where line ends have two characters.
    lines[150] = "one two" if line_end == "\r\n" else lines[150]
    path = tmp_path / "a.txt"
    path.write_bytes(line_end.join(lines).encode())
    text = files_text([path])
    held = count(Reading(text, resolved(preset, {}).as_json(), 0.1), Control(), threads=1).held_out_texts
    assert any(held)


def test_a_special_token_over_two_lines_stays_whole(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("one\n<a\nb>two\u2028three\n\nfour")
    options = resolved("gpt2", {**SPLIT_NOWHERE, "special_tokens": ["<a\nb>"]}).as_json()
    found: list[str] = []
    for unit in files_text([path]).units():
        for train, _ in Reading(files_text([path]), options).pieces(unit, UnitReport()):
            found += [each for each in train if isinstance(each, str)]
    assert found == ["one\n", "<a\nb>two\u2028three\n", "\n", "four"]


@pytest.mark.parametrize(
    "window", [b"a" * 9000 + b" " + b"b" * 999, b"x y " * 10 + b"a" * 9000 + b" " + b"b c " * 20, b"a" * 100 + b" b"]
)
def test_no_more_than_half_is_held_out(window: bytes):
    points = split_points(resolved("words", {}).as_json())
    for seed in range(20):
        train, held = HeldOut(0.05, 0, seed).parts(window, points)
        assert 2 * len(held) <= len(window) and len(held) + sum(map(len, train)) == len(window)


def test_of_a_sample_no_more_than_the_share_is_held_out(tmp_path: Path):
    path = tmp_path / "a.txt.gz"
    rng = random.Random(1)
    path.write_bytes(gzip.compress("\n".join("".join(rng.choices("abcdefgh ", k=60)) for _ in range(20_000)).encode()))
    text = files_text([path])
    sampled = replace(text, sample_bytes=text.bytes // 40)
    counted = count(Reading(sampled, OPTIONS, 0.1), Control(), threads=1)
    held = sum(map(len, counted.held_out_texts))
    assert 0 < held < 0.2 * (held + counted.words.bytes)
