"""`encode_file` writes the ids that `encode` gives the whole text, whatever the tokenizer, the parts and the threads."""

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

from lab_app.engine import EncodeError, Tokenizer
from tests.differential.vocabularies import TABLES, Vocabulary
from tests.generators import texts
from tests.scale import scaled
from tests.waiting import until


@pytest.mark.parametrize("vocabulary", TABLES, ids=lambda vocabulary: vocabulary.name)
def test_a_file_has_the_ids_of_its_text(vocabulary: Vocabulary, shared: Path, tmp_path: Path, capfdbinary):
    tokenizer = vocabulary.load(shared)
    prose = (shared / "corpus" / "en-prose").rglob("*.txt")
    passage = next(iter(sorted(prose))).read_bytes()[3000:9000].decode("utf-8", "ignore")
    several = ["", "\n", passage, *texts(scaled(2), 5), " ".join(texts(60, 6)), "<|endoftext|> [MASK] </s> word" * 9]
    for number, text in enumerate(several):
        source, output = tmp_path / "text", tmp_path / "ids"
        source.write_bytes(text.encode())
        specials = "parse" if number % 2 else "text"
        for part_bytes, threads, adds in [(1, 1, False), (7, 2, True), (64, 0, False), (1000, 3, True)]:
            expected = tokenizer.encode(text, specials=specials, add_special_tokens=adds).ids
            options = {"specials": specials, "part_bytes": part_bytes, "threads": threads, "add_special_tokens": adds}
            count = tokenizer.encode_file(source, output, **options)
            found = np.load(output, mmap_mode="r" if count else None)
            assert found.dtype == np.uint32 and found.shape == (count,), (text, options)
            np.testing.assert_array_equal(found, expected, err_msg=f"{text!r} {options}")
            tokenizer.encode_file(source, output, format="raw", **options)
            np.testing.assert_array_equal(np.fromfile(output, "<u4"), expected, err_msg=f"{text!r} {options}")
            # Of a stream: its beginning, and a stdin that is empty.
            for given in ({"path": source}, {"head": text.encode()}):
                assert tokenizer.encode_to_stdout(**given, format="raw", **options) == count
                streamed = np.frombuffer(capfdbinary.readouterr().out, "<u4")
                np.testing.assert_array_equal(streamed, expected, err_msg=f"{text!r} {options}")
            tokenizer.encode_to_stdout(source, **options)
            assert capfdbinary.readouterr().out.decode() == " ".join(map(str, expected.tolist())) + "\n"


@pytest.fixture(scope="module")
def gpt2() -> Tokenizer:
    return Tokenizer.builtin("gpt2")


def test_errors_name_the_file_and_leave_nothing_behind(gpt2: Tokenizer, tmp_path: Path):
    source = tmp_path / "text"
    source.write_bytes(b"some words " * 100 + b"\xff and more")
    output = tmp_path / "ids.npy"
    output.write_bytes(b"as it was")
    with pytest.raises(EncodeError, match=r"the byte 0xFF at 1100 is not UTF-8; convert the file to UTF-8 first"):
        gpt2.encode_file(source, output, part_bytes=10)
    source.write_bytes(b"words")
    with pytest.raises(FileNotFoundError) as caught:
        gpt2.encode_file(tmp_path / "absent", output)
    assert caught.value.filename == str(tmp_path / "absent")
    with pytest.raises(FileNotFoundError) as caught:
        gpt2.encode_file(source, tmp_path / "no" / "ids.npy")
    assert caught.value.filename == str(tmp_path / "no" / "ids.npy")
    with pytest.raises(EncodeError, match="is the text itself"):
        gpt2.encode_file(source, source)
    with pytest.raises(OSError, match="directory"):
        gpt2.encode_file(source, tmp_path)
    for paths in [(f"{source}\0", output), (source, f"{output}\0")]:
        with pytest.raises(ValueError, match="holds a NUL, which no path can"):
            gpt2.encode_file(*paths)
    with pytest.raises(EncodeError, match="ids for numpy have their number before them"):
        gpt2.encode_to_stdout(source, format="npy")
    with pytest.raises(FileNotFoundError):
        gpt2.encode_to_stdout(tmp_path / "absent")
    with pytest.raises(ValueError, match="format must be"):
        gpt2.encode_file(source, output, format="csv")
    assert output.read_bytes() == b"as it was" and source.read_bytes() == b"words"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ids.npy", "text"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_file_is_not_replaced(gpt2: Tokenizer, tmp_path: Path):
    source, link, pipe = tmp_path / "text", tmp_path / "link", tmp_path / "pipe"
    source.write_bytes(b"words")
    link.symlink_to("absent")
    os.mkfifo(pipe)
    for output in (link, pipe):
        with pytest.raises(EncodeError, match="is not a file that ids can take the place of"):
            gpt2.encode_file(source, output)
    assert link.is_symlink() and pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "text"]


def test_files_that_a_killed_program_left_are_passed_over(gpt2: Tokenizer, tmp_path: Path):
    source, output = tmp_path / "text", tmp_path / "ids"
    source.write_bytes(b"words")
    left = [tmp_path / f".tokenlab-{os.getpid()}-{number}.ids" for number in range(10_000)]
    for path in left:
        path.touch()
    assert gpt2.encode_file(source, output) == len(gpt2.encode("words").ids) and output.exists()
    assert all(path.exists() for path in left)


@pytest.mark.parametrize("part_bytes", [2**60, 2**63, 2**64 - 1])
def test_parts_may_be_larger_than_any_file(gpt2: Tokenizer, tmp_path: Path, part_bytes: int):
    source, output = tmp_path / "text", tmp_path / "ids.npy"
    source.write_bytes(b"some words " * 1000)
    gpt2.encode_file(source, output, part_bytes=part_bytes)
    np.testing.assert_array_equal(np.load(output), gpt2.encode("some words " * 1000).ids)


def test_a_disk_without_room(gpt2: Tokenizer, tmp_path: Path):
    resource = pytest.importorskip("resource")
    source, output = tmp_path / "text", tmp_path / "ids.npy"
    source.write_bytes(b"some words " * 1000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            gpt2.encode_file(source, output)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.filename == str(output) and not output.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_an_interrupt_ends_the_call(gpt2: Tokenizer, tmp_path: Path):
    pipe, output = tmp_path / "pipe", tmp_path / "ids.npy"
    os.mkfifo(pipe)
    interrupted = threading.Event()

    def write() -> None:
        with pipe.open("wb", buffering=0) as stream:
            stream.write(b"some words")
            # The call waits for the rest, which never comes.
            os.kill(os.getpid(), signal.SIGINT)
            interrupted.wait(60)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            gpt2.encode_file(pipe, output)
    finally:
        interrupted.set()
        writer.join()
    until(lambda: [path.name for path in tmp_path.iterdir()] == ["pipe"], "an unfinished file stays")
