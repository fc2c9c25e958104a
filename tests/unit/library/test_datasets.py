"""Datasets of the Hub become corpora: their files by revision, checked, in the user's cache."""

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lab_app.errors import BadValue, Gated, LoadFailed, NotFound, TooLarge, Unavailable
from lab_app.services.corpora import corpora
from lab_app.services.corpora.corpora import CorpusOptions
from lab_app.services.lab import Lab
from tests.fake_hub import FakeHub, Repo

NAME = "datasets/org/tales"
REFERENCE = f"hub:{NAME}"


def parquet(*texts: str) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table({"text": list(texts)}), file)
    return file.getvalue()


FILES = {
    "README.md": b"# Tales",
    "data/train-0.parquet": parquet("Once upon a time", "there was"),
    "data/train-1.parquet": parquet("a lexicographer"),
    "data/test-0.parquet": parquet("The end"),
    "extra.jsonl": json.dumps({"text": "notes"}).encode(),
}


@pytest.fixture
def hub():
    with FakeHub({NAME: Repo(dict(FILES), large=("data/train-0.parquet",))}).running() as running:
        yield running


@pytest.fixture
def lab(settings):
    return Lab(settings)


def files_fetched(hub) -> list[str]:
    return [
        asked.rpartition("/resolve/")[2].partition("/")[2] for asked in hub.asked if asked.startswith("GET /datasets")
    ]


def test_all_parquet_files_are_the_corpus(hub, lab, cache: Path):
    added = corpora.add(lab, [REFERENCE], CorpusOptions())
    assert (added.id, added.title, added.files, added.documents) == ("tales", "tales", 3, 4)
    assert {"Once upon a time", "The end"} <= {each.text for each in added.sample}
    commit = hub.repos[NAME].commit
    assert all(Path(file.path).is_relative_to(cache) and commit in file.path for file in added.first_files)


def test_some_files_by_pattern_and_revision(hub, lab):
    commit = hub.repos[NAME].commit
    added = corpora.add(lab, [f"{REFERENCE}@{commit}:data/train-*.parquet"], CorpusOptions())
    assert (added.files, added.documents) == (2, 3)
    assert corpora.add(lab, [f"{REFERENCE}:extra.jsonl"], CorpusOptions()).format == "jsonl"


def test_what_is_there_is_not_fetched_again(hub, lab):
    first = corpora.add(lab, [REFERENCE], CorpusOptions())
    hub.asked.clear()
    assert corpora.add(lab, [REFERENCE], CorpusOptions()).id == first.id
    assert files_fetched(hub) == []


def test_nothing_but_adding_downloads(hub, lab):
    with pytest.raises(BadValue, match="is a dataset of the Hub, and not here yet") as error:
        corpora.named_corpus(lab, [REFERENCE])
    assert f"tokenlab corpus add {REFERENCE}" in error.value.on_terminal
    assert hub.asked == []


def test_more_than_the_disk_has_room_for(hub, lab, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=100))
    with pytest.raises(TooLarge, match=r"3 files of org/tales have \d+ bytes, and .* has room for 100") as error:
        corpora.add(lab, [REFERENCE], CorpusOptions())
    assert "data/train-0.parquet" in error.value.hint
    assert files_fetched(hub) == []


def test_what_is_not_there(hub, lab):
    with pytest.raises(NotFound, match=r"org/tales has no file \*\.csv at main") as error:
        corpora.add(lab, [f"{REFERENCE}:*.csv"], CorpusOptions())
    assert "data/train-0.parquet" in error.value.hint
    with pytest.raises(NotFound, match="no repository org/nothing"):
        corpora.add(lab, ["hub:datasets/org/nothing"], CorpusOptions())
    with pytest.raises(NotFound, match="no revision v9"):
        corpora.add(lab, [f"{REFERENCE}@v9"], CorpusOptions())
    with pytest.raises(BadValue, match="not the name of a Hub repository"):
        corpora.add(lab, ["hub:datasets/a b"], CorpusOptions())


def test_terms_that_are_not_accepted(hub, lab):
    hub.repos[NAME].gated = True
    with pytest.raises(Gated) as error:
        corpora.add(lab, [REFERENCE], CorpusOptions())
    assert f"{hub.address}/datasets/org/tales" in error.value.hint


def test_a_damaged_file_is_refused_and_goes(hub, lab, cache: Path):
    hub.damaged.add("data/train-1.parquet")
    with pytest.raises(LoadFailed, match=r"train-1\.parquet of org/tales is damaged"):
        corpora.add(lab, [REFERENCE], CorpusOptions())
    assert not list(cache.rglob("train-1.parquet"))
    hub.damaged.clear()
    assert corpora.add(lab, [REFERENCE], CorpusOptions()).documents == 4


def test_without_a_network_the_corpus_that_was_added_is_read(hub, lab, settings, monkeypatch):
    added = corpora.add(lab, [REFERENCE], CorpusOptions())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(Unavailable, match="HF_HUB_OFFLINE"):
        corpora.add(lab, [REFERENCE], CorpusOptions(id="again"))
    assert corpora.describe(lab, added.id).problem is None
