import hashlib
from contextlib import contextmanager

import pytest

from lab_app.errors import NotFound, Unavailable
from lab_app.library.adding import add
from lab_app.library.entry import HubSource, Known
from lab_app.library.fetching import download, fetch
from lab_app.library.progress import Progress
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests import tiny
from tests.fake_hub import FakeHub, Repo
from tests.unit.library.sources import closed_address

CONTENT = ("\n".join(tiny.WORDS) + "\n").encode()
HUB = HubSource("org/tiny-bert", "main", "vocab.txt")


def known(*sources, content=CONTENT) -> Known:
    digest = hashlib.sha256(content).hexdigest()
    facts = {"id": "tiny-bert", "name": "Tiny", "family": "WordPiece", "licence": "MIT", "origin": "org"}
    return Known(**facts, sha256=digest, size_bytes=len(content), file="vocab.txt", sources=sources)


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


def test_a_source_without_the_file_is_left_for_the_next(folder):
    with FakeHub({"org/tiny-bert": Repo({"vocab.txt": CONTENT})}).running() as running:
        settings = Settings(data_dir=folder.parent, hub_endpoint=running.address)
        found = download(
            known(HubSource("org/gone"), HubSource("org/tiny-bert", file="other.txt"), HUB), folder, settings
        )
    assert found.files[0].read_bytes() == CONTENT


def test_every_reason_is_reported_if_no_source_has_the_file(folder):
    with hub(None) as (address, _), pytest.raises(Unavailable) as error:
        settings = Settings(data_dir=folder.parent, hub_endpoint=address)
        download(known(HUB, HubSource("org/gone")), folder, settings)
    assert "org/tiny-bert has no file vocab.txt" in error.value.message and "org/gone" in error.value.message
    assert "--id tiny-bert" in error.value.on_terminal
    assert not (folder / "vocab.txt").exists()


def test_a_hub_that_does_not_answer_is_reported(folder):
    with pytest.raises(Unavailable):
        download(known(HUB), folder, Settings(data_dir=folder.parent, hub_endpoint=closed_address()))


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
    for module in ("known", "catalog", "fetching"):
        monkeypatch.setattr(f"lab_app.library.{module}.known_tokenizers", lambda: (one,))


@pytest.mark.usefixtures("tiny_is_known")
def test_fetching_puts_the_tokenizer_into_the_catalog(tmp_path):
    with hub() as (address, asked):
        settings = Settings(data_dir=tmp_path, hub_endpoint=address)
        assert not Lab(settings).catalog.entry("tiny-bert").available
        assert fetch(Lab(settings).catalog, "tiny-bert").source == "downloaded"
        before = len(asked)
        assert fetch(Lab(settings).catalog, "Tiny-BERT").available  # again, in another run: it is there
        assert len(asked) == before
    assert Lab(settings).loaded.get("tiny-bert")[1].encode("hello").ids.tolist() == [2, 5, 3]


@pytest.mark.usefixtures("tiny_is_known")
def test_a_wrong_file_leaves_the_catalog_as_it_was(tmp_path):
    with hub(b"x" + CONTENT) as (address, _):
        lab = Lab(Settings(data_dir=tmp_path, hub_endpoint=address))
        with pytest.raises(Unavailable, match="sha256"):
            fetch(lab.catalog, "tiny-bert")
    assert not lab.catalog.entry("tiny-bert").available
    assert not list(tmp_path.glob("tokenizers/*"))
    with pytest.raises(NotFound, match="tiny-bert"):
        fetch(lab.catalog, "gpt9")


@pytest.mark.usefixtures("tiny_is_known")
def test_adding_the_very_file_makes_the_known_one_available(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    entry = add(lab.catalog, [tiny.vocab_txt(tmp_path / "Tiny-BERT")], "Tiny-BERT")
    assert (entry.id, entry.source, entry.licence) == ("tiny-bert", "added", "MIT")
