"""Documents of a corpus are the same however it is divided, and memory does not depend on its size."""

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.corpora.describe import describe
from lab_app.corpora.lines import line_blocks, without_line_ends
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.corpora.report import ReadReport
from lab_app.errors import LoadFailed


def read(corpus, size_bytes=64e6, batch_bytes=1e6, **limits) -> tuple[list[str], ReadReport]:
    """All documents of a corpus, and what happened."""
    report = ReadReport()
    found = []
    for part in partitions(corpus, size_bytes):
        first = 0
        for batch in batches(corpus, part, batch_bytes, report=report, **limits):
            assert batch.first_document == first
            assert int(batch.ends[-1]) == len(batch.text) and all(a <= b for a, b in pairwise(batch.ends.tolist()))
            found += batch.strings()
            first += batch.documents
    assert report.documents == len(found)
    assert report.bytes == sum(len(one.encode()) for one in found)
    return found, report


def write(folder: Path, **files: bytes) -> Path:
    for name, content in files.items():
        (folder / f"{name}.txt").write_bytes(content)
    return folder


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_every_line_is_read_once_however_the_file_is_divided(tmp_path, ending):
    chance = random.Random(7)
    lines = ["é" * chance.randrange(40) if chance.random() < 0.5 else "a b" * chance.randrange(9) for _ in range(300)]
    content = ending.join(line.encode() for line in lines)
    corpus = describe([write(tmp_path, one=content, two=b"last\n")])
    expected = [line for line in lines if line] + ["last"]
    for size in (1e6, 3000, 257, 100, 31):
        for batch_bytes in (1e6, 500, 64, 7):
            found, report = read(corpus, size, batch_bytes)
            assert found == expected, (size, batch_bytes)
            assert report.empty == len(lines) - len(expected) + 1, (size, batch_bytes)


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\r\n", [""]),
        (b"\r", ["\r"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\r", ["a", "b\r"]),
        (b"a\r\nb\rc\r\n", ["a", "b\rc"]),
        (b"a\r\r\nb\r\n", ["a\r", "b"]),
        (b"a\r\nb\nc", ["a", "b", "c"]),
        (b"\na\r\n", ["", "a"]),
        (b"\r\n\r\na", ["", "", "a"]),
    ],
)
def test_line_ends_go_and_nothing_else(block, lines):
    text, ends = without_line_ends(block)
    assert [text[start:end].decode() for start, end in pairwise((0, *ends.tolist()))] == lines


@given(st.text("a\r\n\u2028\x85"))
def test_lines_are_those_of_python(text):
    found, ends = without_line_ends(text.encode())
    expected = [
        line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line
        for line in io.StringIO(text, newline="\n")
    ]
    assert [found[start:end].decode() for start, end in pairwise((0, *ends.tolist()))] == expected


def test_a_line_above_the_limit_is_skipped_with_its_place(tmp_path):
    long = b"x" * 5000
    corpus = describe([write(tmp_path, one=b"first\n" + long + b"\nsecond\n" + long + b"\n" + long)])
    for size in (1e6, 700):
        for batch_bytes in (64, 900, 1e6):
            found, report = read(corpus, size, batch_bytes, max_document_bytes=4999)
            assert found == ["first", "second"]
            assert report.skipped == 3
            assert [one.place.rpartition(" ")[2] for one in report.places] == ["6", "5014", "10015"]
            assert "5000 bytes" in report.places[0].reason
            assert len(read(corpus, size, batch_bytes, max_document_bytes=5000)[0]) == 5


class Endless:
    """A line of `size` bytes that is made while it is read."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.largest = 0

    def read(self, size: int, /) -> bytes:
        size = min(size, self.left)
        self.left -= size
        return b"x" * size


def test_a_line_of_two_gigabytes_is_never_held():
    import tracemalloc

    found = []
    tracemalloc.start()
    blocks = line_blocks(
        Endless(2 << 30), block_bytes=4 << 20, max_line_bytes=16 << 20, too_long=lambda *place: found.append(place)
    )
    assert list(blocks) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [(0, 2 << 30)]
    assert peak < 64 << 20


def test_the_bytes_of_a_long_line_are_searched_once():
    """A line in many reads: each read is joined to the others once, when the line ends."""

    class Reads(bytes):
        joined = 0

        def __radd__(self, other):
            Reads.joined += len(other)
            return bytes(other) + bytes(self)

    parts = [Reads(b"x" * 10)] * 1000 + [Reads(b"x\ny")]

    class Stream:
        def read(self, _size):
            return parts.pop(0) if parts else b""

    blocks = list(line_blocks(Stream(), block_bytes=10, max_line_bytes=20_000, too_long=print))
    assert blocks == [b"x" * 10_001 + b"\n", b"y"]
    assert Reads.joined <= 10_001


def test_invalid_bytes_are_replaced_and_counted(tmp_path):
    corpus = describe([write(tmp_path, latin="olé\nça\n".encode("latin-1"), utf8="olé �\n".encode())])
    found, report = read(corpus)
    assert found == ["ol�", "�a", "olé �"]
    assert report.replaced_characters == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_the_mark_at_the_start_says_the_encoding(tmp_path, encoding):
    mark = "\ufeff" if encoding.endswith("e") else ""
    corpus = describe([write(tmp_path, one=f"{mark}olé\nça 🙂\n".encode(encoding))])
    assert read(corpus, 4, 3)[0] == ["olé", "ça 🙂"]


def test_a_file_that_is_not_text_is_refused(tmp_path):
    with pytest.raises(LoadFailed, match=r"one\.txt is not text: byte 2 is zero"):
        describe([write(tmp_path, one=b"PK\0\0")])


def test_a_file_that_changes_is_noticed(tmp_path):
    corpus = describe([write(tmp_path, one=b"first line\nsecond line\n")])
    reading = batches(corpus, partitions(corpus)[0], 12)
    assert next(reading).strings() == ["first line"]
    with (tmp_path / "one.txt").open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(LoadFailed, match="has changed since it was added: 23 bytes then, 28 bytes now"):
        list(reading)
    (tmp_path / "one.txt").unlink()
    with pytest.raises(LoadFailed, match=r"one\.txt cannot be read: No such file"):
        read(corpus)
