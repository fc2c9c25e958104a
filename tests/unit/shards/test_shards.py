"""Shards hold the IDs of a corpus, in every layout and order, however they are written and wherever they were stopped."""

import json
import random
import resource
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.corpora.partitions import partitions
from lab_app.corpora.reading import batches
from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Cancelled, Conflict, LoadFailed
from lab_app.jobs.job import Job, Running
from lab_app.services.lab import Lab
from lab_app.services.shards.checking import check_shards
from lab_app.services.shards.folder import MANIFEST, ORDERED, read_folder
from lab_app.services.shards.shards import by_threads, write_shards
from lab_app.settings import Settings
from lab_app.shards import shuffling
from lab_app.shards.layouts import files_of, read, width_of
from lab_app.shards.options import ShardOptions

WORDS = ["the", "cat", "<|endoftext|>", "naïve", "日本語", "🙂", "don't", "12345"]
LINES = [" ".join(random.Random(n).choices(WORDS, k=n % 17)) for n in range(700)]
DOCUMENTS = [line for line in LINES if line]
SIZE = 9_000
END = 50_256


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(Settings(data_dir=tmp_path / "data"))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("\n".join(LINES), encoding="utf-8")
    (texts / "b.jsonl").write_text("".join(json.dumps({"text": f"b {line}"}) + "\n" for line in LINES[:50]))
    return describe([texts])


def running() -> Running:
    return Running(Job("shards", "shards", "Shards", "bytes", state="running"))


def naive(corpus: Corpus, tokenizer: Tokenizer, end: int | None = END) -> list[list[int]]:
    """The IDs of each document, one at a time."""
    texts = [text for part in partitions(corpus) for batch in batches(corpus, part) for text in batch.strings()]
    tail = [] if end is None else [end]
    return [tokenizer.encode_list(text) + tail for text in texts]


def written(folder: Path) -> list[list[int]]:
    """The documents of all shards of a folder."""
    found = read_folder(folder).manifest
    documents: list[list[int]] = []
    for part in found.shards:
        ids, starts = read(folder, part.name, found.plan.layout, found.plan.width)
        documents += [ids[start:end].tolist() for start, end in pairwise(starts.tolist())]
    return documents


@pytest.mark.parametrize("layout", ["numpy", "megatron"])
@pytest.mark.parametrize(("id", "end"), [("gpt2", END), ("cl100k_base", 100_257)])
def test_have_the_ids_of_each_document(lab: Lab, corpus: Corpus, tmp_path: Path, layout, id: str, end: int):
    made = write_shards(
        lab, id, corpus, tmp_path / "out", ShardOptions(layout, shard_bytes=SIZE), running(), by_threads()
    )
    expected = naive(corpus, Tokenizer.builtin(id), end)
    assert written(tmp_path / "out") == expected
    assert made.shards > 3
    assert (made.documents, made.tokens) == (len(expected), sum(map(len, expected)))
    assert made.text_bytes == sum(len(text.encode()) for text in DOCUMENTS) + sum(
        len(f"b {line}".encode()) for line in LINES[:50]
    )


def test_are_what_numpy_loads(lab: Lab, corpus: Corpus, tmp_path: Path):
    write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(), running(), by_threads())
    ids, starts = np.load(tmp_path / "out/shard-00000.npy"), np.load(tmp_path / "out/shard-00000.starts.npy")
    assert (ids.dtype, starts.dtype) == (np.uint16, np.int64)
    assert ids[starts[3] : starts[4]].tolist() == naive(corpus, Tokenizer.builtin("gpt2"))[3]


def test_the_index_of_megatron(tmp_path: Path, lab: Lab):
    """Every field, as its source writes them: magic, version, type, counts, lengths, places in bytes, documents."""
    (tmp_path / "two.txt").write_text("Hello world\nHello\n")
    write_shards(
        lab,
        "gpt2",
        describe([tmp_path / "two.txt"]),
        tmp_path / "out",
        ShardOptions("megatron"),
        running(),
        by_threads(),
    )
    index = (tmp_path / "out/shard-00000.idx").read_bytes()
    assert index == b"".join(
        (
            b"MMIDIDX\x00\x00",
            np.array([1], "<u8").tobytes(),
            b"\x08",
            np.array([2, 3], "<u8").tobytes(),
            np.array([3, 2], "<i4").tobytes(),
            np.array([0, 6], "<i8").tobytes(),
            np.array([0, 1, 2], "<i8").tobytes(),
        )
    )
    assert (tmp_path / "out/shard-00000.bin").read_bytes() == np.array([15496, 995, END, 15496, END], "<u2").tobytes()


@pytest.mark.parametrize("layout", ["numpy", "megatron"])
def test_a_seed_gives_one_order_of_all_documents(lab: Lab, corpus: Corpus, tmp_path: Path, layout):
    options = ShardOptions(layout, shuffle=5, shard_bytes=SIZE)
    folders = [tmp_path / "one", tmp_path / "four"]
    for folder, threads in zip(folders, (1, 4), strict=True):
        write_shards(lab, "gpt2", corpus, folder, options, running(), by_threads(threads))
    ordered = naive(corpus, Tokenizer.builtin("gpt2"))
    order = np.random.default_rng(5).permutation(len(ordered))
    assert written(folders[0]) == [ordered[number] for number in order]
    assert _bytes_of(folders[0]) == _bytes_of(folders[1])
    assert not (folders[0] / ORDERED).exists()


def test_no_end_token_and_one_by_name(lab: Lab, corpus: Corpus, tmp_path: Path):
    for given, end in (("none", None), ("Ġcat", 3797), ("48613", 48613)):
        options = ShardOptions(end=given, shard_bytes=10**9)
        write_shards(lab, "gpt2", corpus, tmp_path / f"{end}", options, running(), by_threads())
        assert written(tmp_path / f"{end}") == naive(corpus, Tokenizer.builtin("gpt2"), end)


def test_an_end_token_that_is_not_there(lab: Lab, corpus: Corpus, tmp_path: Path):
    with pytest.raises(BadValue, match="gpt2 has no token <eos>"):
        write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(end="<eos>"), running(), by_threads())
    with pytest.raises(BadValue, match="shuffle"):
        write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(shuffle=-1), running(), by_threads())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("seed", [None, 3])
def test_go_on_where_they_were_stopped(lab: Lab, corpus: Corpus, tmp_path: Path, seed: int | None):
    options = ShardOptions(shuffle=seed, shard_bytes=SIZE)
    write_shards(lab, "gpt2", corpus, tmp_path / "whole", options, running(), by_threads(1))
    folder = tmp_path / "stopped"
    with pytest.raises(Cancelled):
        write_shards(lab, "gpt2", corpus, folder, options, running(), _stopping_after(2))
    first = read_folder(folder).manifest
    assert not first.complete
    assert len(first.ordered) == 2
    with pytest.raises(LoadFailed, match="not complete"):
        check_shards(lab, corpus, folder, running())
    made = write_shards(lab, "gpt2", corpus, folder, options, running(), by_threads())
    assert made.reused == 2
    assert _bytes_of(folder) == _bytes_of(tmp_path / "whole")


def test_another_plan_is_refused(lab: Lab, corpus: Corpus, tmp_path: Path):
    write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(), running(), by_threads())
    before = _bytes_of(tmp_path / "out")
    with pytest.raises(Conflict, match=r"begun with the tokenizer: gpt2, not cl100k_base"):
        write_shards(lab, "cl100k_base", corpus, tmp_path / "out", ShardOptions(), running(), by_threads())
    with pytest.raises(Conflict, match="begun with --layout: numpy, not megatron"):
        write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions("megatron"), running(), by_threads())
    assert _bytes_of(tmp_path / "out") == before


def test_a_folder_with_other_files_is_left_alone(lab: Lab, corpus: Corpus, tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(Conflict, match="other files"):
        write_shards(lab, "gpt2", corpus, tmp_path / "mine", ShardOptions(), running(), by_threads())
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_one_process_writes_at_a_time(lab: Lab, corpus: Corpus, tmp_path: Path):
    def inside(*_: object) -> None:
        with pytest.raises(Conflict, match="another process writes"):
            write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(), running(), by_threads())
        raise Cancelled("seen")

    with pytest.raises(Cancelled, match="seen"):
        write_shards(lab, "gpt2", corpus, tmp_path / "out", ShardOptions(), running(), inside)


@pytest.mark.parametrize("seed", [None, 3])
def test_are_checked(lab: Lab, corpus: Corpus, tmp_path: Path, seed: int | None):
    folder = tmp_path / "out"
    options = ShardOptions(shuffle=seed, shard_bytes=SIZE)
    made = write_shards(lab, "gpt2", corpus, folder, options, running(), by_threads())
    checked = check_shards(lab, corpus, folder, running())
    assert (checked.files, checked.tokens, checked.documents) == (2 * made.shards, made.tokens, made.documents)
    assert checked.encoded_again > 200
    path = folder / "shard-00001.npy"
    data = bytearray(path.read_bytes())
    data[-4] ^= 1
    path.write_bytes(data)
    with pytest.raises(LoadFailed, match=r"shard-00001\.npy has changed"):
        check_shards(lab, corpus, folder, running())


def test_a_document_with_other_ids_is_found(lab: Lab, corpus: Corpus, tmp_path: Path):
    """Of a text that was changed to one of the same size and time, the digests of the shards say nothing."""
    folder = tmp_path / "out"
    write_shards(lab, "gpt2", corpus, folder, ShardOptions(), running(), by_threads())
    other = tmp_path / "other.txt"
    other.write_text("\n".join(["other", *LINES[1:]]))
    with pytest.raises(LoadFailed, match="document 0 of the corpus has other IDs now"):
        check_shards(lab, describe([other]), folder, running())


@pytest.mark.parametrize(
    ("content", "match"),
    [(b"{", "no list of shards"), (b'{"plan": {}}', "plan.tokenizer"), (b"[1]", "valid dictionary")],
)
def test_a_damaged_list(tmp_path: Path, content: bytes, match: str):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(LoadFailed, match=match):
        read_folder(tmp_path)


@pytest.mark.parametrize("layout", ["numpy", "megatron"])
def test_damaged_files_are_refused(lab: Lab, corpus: Corpus, tmp_path: Path, layout):
    folder = tmp_path / "out"
    write_shards(lab, "gpt2", corpus, folder, ShardOptions(layout), running(), by_threads())
    ids, index = files_of(folder, "shard-00000", layout)
    for path, parts in ((ids, (-8, 20, 0)), (index, (40, 20, 0))):
        whole = path.read_bytes()
        for part in parts:
            path.write_bytes(whole[:part])
            with pytest.raises(LoadFailed, match="shard-00000"):
                read(folder, "shard-00000", layout, "uint16")
        path.write_bytes(whole)
    index.write_bytes(bytes(len(index.read_bytes())))
    with pytest.raises(LoadFailed, match="shard-00000"):
        read(folder, "shard-00000", layout, "uint16")


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("is_cut", [True, False])
def test_a_lost_shard_is_written_again(lab: Lab, corpus: Corpus, tmp_path: Path, seed: int | None, is_cut: bool):
    folder, options = tmp_path / "out", ShardOptions(shuffle=seed, shard_bytes=SIZE)
    write_shards(lab, "gpt2", corpus, folder, options, running(), by_threads())
    whole = _bytes_of(folder)
    lost = folder / "shard-00001.npy"
    lost.write_bytes(whole[lost.name][:200]) if is_cut else lost.unlink()
    write_shards(lab, "gpt2", corpus, folder, options, running(), by_threads())
    assert _bytes_of(folder) == whole


def test_more_shards_than_files_may_be_open(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A part of the corpus that cannot be divided becomes several shards, too."""
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(f"{number} {line}" for number, line in enumerate(3 * DOCUMENTS)), encoding="utf-8")
    corpus, options = describe([texts]), ShardOptions(shuffle=1, shard_bytes=1000)
    monkeypatch.setattr(shuffling, "SLICE_TOKENS", 50)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(int(each.name) for each in Path("/dev/fd").iterdir()) + 40
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        made = write_shards(lab, "gpt2", corpus, tmp_path / "many", options, running(), by_threads())
        check_shards(lab, corpus, tmp_path / "many", running())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert made.shards > 60
    alone = replace(corpus, cleaning=("exact_duplicates",))
    made = write_shards(lab, "gpt2", alone, tmp_path / "alone", options, running(), by_threads())
    assert made.shards > 60
    check_shards(lab, alone, tmp_path / "alone", running())


def test_widths():
    assert [width_of(size, "numpy") for size in (65_536, 65_537)] == ["uint16", "uint32"]
    assert [width_of(size, "megatron") for size in (65_536, 65_537)] == ["uint16", "int32"]


def _stopping_after(shards: int) -> Callable[..., None]:
    """Writes a few shards with one thread, then is stopped."""

    def write(encoding, folder, parts: Sequence, done: Callable[..., None], running: Running) -> None:
        by_threads(1)(encoding, folder, parts[:shards], done, running)
        raise Cancelled("stopped")

    return write


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".npy", ".bin", ".idx")
    }
