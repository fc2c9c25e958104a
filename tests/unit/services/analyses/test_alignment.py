"""Two tokenizers aligned on texts and corpora, and the map as files."""

import csv

import numpy as np
import pyarrow.parquet as pq
import pytest

from lab_app.analysis.alignment import Pairs
from lab_app.errors import BadValue, Cancelled, Conflict, NotFound, Unavailable
from lab_app.jobs.job import Job, Running
from lab_app.services.analyses.alignment import align_corpus, align_text, write_pairs
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.settings import Settings

TEXT = "unbelievable! naïve 日本 👩‍👩‍👧 tokens\n\n  indented"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("lab"), offline=True))


def running():
    return Running(Job("alignment", "alignment", "", "bytes", state="running"))


@pytest.mark.parametrize("b", ["cl100k_base", "bert-base-uncased"])
def test_groups_of_a_text_hold_each_token_once_and_cover_the_same_text(lab, b):
    found, _ = align_text(lab, "gpt2", b, TEXT)
    assert found.groups is not None
    for side, id, count in (("a", "gpt2", found.a_tokens), ("b", b, found.b_tokens)):
        ranges = [range(*getattr(group, side)) for group in found.groups]
        assert [n for each in ranges for n in each] == list(range(count))
        assert count == encode(lab, id, TEXT, add_special_tokens=False).summary().count
    assert sum(found.kinds.values()) == len(found.groups)


def test_a_corpus_is_its_documents_one_after_the_other(lab, tmp_path):
    documents = [TEXT.replace("\n", " "), "Hello, world", "", "low lower lowest"]
    (tmp_path / "corpus.txt").write_text("\n".join(documents), encoding="utf-8")
    found, pairs = align_corpus(lab, "gpt2", "cl100k_base", str(tmp_path / "corpus.txt"), running())
    each = [align_text(lab, "gpt2", "cl100k_base", document) for document in documents]
    assert found.groups is None and found.kinds == {
        kind: sum(one.kinds[kind] for one, _ in each) for kind in found.kinds
    }
    assert found.a_tokens == sum(one.a_tokens for one, _ in each)
    assert pairs.bytes.sum() == sum(one.bytes.sum() for _, one in each)


def test_cancelling_ends_a_corpus(lab):
    stopped = running()
    stopped.cancel()
    with pytest.raises(Cancelled):
        align_corpus(lab, "gpt2", "cl100k_base", "udhr", stopped)


PAIRS = Pairs(np.array([4, 4, 7]), np.array([1, 2, 3]), np.array([1, 3, 2]))
ROWS = [[4, 1, 1, 0.25], [4, 2, 3, 0.75], [7, 3, 2, 1.0]]


def test_files_hold_the_map(tmp_path):
    for name in ("map.csv", "map.parquet", "map.npz"):
        write_pairs(PAIRS, tmp_path / name)
    with (tmp_path / "map.csv").open(encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    assert names == ["a", "b", "bytes", "weight"] and [[float(each) for each in row] for row in rows] == ROWS
    assert [list(row.values()) for row in pq.read_table(tmp_path / "map.parquet").to_pylist()] == ROWS
    held = np.load(tmp_path / "map.npz")
    assert [held["b"][held["starts"][n] : held["starts"][n + 1]].tolist() for n in (0, 4, 7)] == [[], [1, 2], [3]]
    assert held["weights"].tolist() == [0.25, 0.75, 1.0] and len(held["starts"]) == 9


def test_what_cannot_be(lab, tmp_path):
    with pytest.raises(BadValue, match="named twice"):
        align_text(lab, "gpt2", "GPT2", "a")
    with pytest.raises(NotFound):
        align_text(lab, "gpt2", "none", "a")
    with pytest.raises(BadValue, match=r"end its name with \.npz"):
        write_pairs(PAIRS, tmp_path / "map.txt")
    write_pairs(PAIRS, tmp_path / "map.npz")
    with pytest.raises(Conflict):
        write_pairs(PAIRS, tmp_path / "map.npz")
    write_pairs(PAIRS, tmp_path / "map.npz", force=True)
    with pytest.raises(Unavailable):
        write_pairs(PAIRS, tmp_path / "none" / "map.npz")


def test_texts_without_tokens(lab):
    found, pairs = align_text(lab, "gpt2", "bert-base-uncased", "")
    assert found.groups == [] and len(pairs.a) == 0
    spaces, _ = align_text(lab, "gpt2", "bert-base-uncased", "   ")
    assert spaces.kinds["n:0"] > 0 and spaces.b_tokens == 0
