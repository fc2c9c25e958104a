"""What the Hub or the network refuses is said in the words of the lab. Not here: what works (`test_hub`)."""

import pytest

from lab_app.errors import BadValue, Gated, NotFound, Unavailable
from lab_app.library.hub import fetch
from lab_app.library.hub_reference import HubReference
from lab_app.services.lab import Lab
from lab_app.services.tokenizers import add
from lab_app.settings import Settings
from tests import tiny
from tests.fake_hub import TOKEN, FakeHub, Repo
from tests.unit.library.sources import closed_address

NAME = "org/tiny"
REFERENCE = HubReference(NAME)
WORDS = ("\n".join(tiny.WORDS) + "\n").encode()


@pytest.fixture
def hub():
    with FakeHub({NAME: Repo({"vocab.txt": WORDS})}).running() as running:
        yield running


@pytest.fixture
def settings(hub, tmp_path):
    return Settings(data_dir=tmp_path / "data", hub_endpoint=hub.address)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "target").mkdir()
    return tmp_path / "target"


def test_a_gated_repository_is_explained_and_a_token_opens_it(hub, settings, monkeypatch):
    hub.repos[NAME].gated = True
    with pytest.raises(Gated, match="asks you to accept its terms") as error:
        add(Lab(settings), f"hub:{NAME}")
    assert f"{hub.address}/{NAME}" in error.value.hint and "HF_TOKEN" in error.value.hint
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert add(Lab(settings), f"hub:{NAME}").gated is True


@pytest.mark.parametrize(
    ("change", "reference", "error", "words"),
    [
        ({}, "org/missing", NotFound, "has no repository org/missing"),
        ({}, f"{NAME}@v9", NotFound, "has no revision v9"),
        ({}, f"{NAME}:other.json", NotFound, "has no file other.json"),
        ({"status": 429}, NAME, Unavailable, "refuses more requests"),
        ({"status": 503}, NAME, Unavailable, "failed with status 503"),
        ({"status": 403}, NAME, Unavailable, "does not accept the token"),
        ({"status": 200}, NAME, Unavailable, "not from a Hugging Face Hub"),
    ],
)
def test_refusals_are_told(hub, settings, folder, change, reference, error, words):
    for name, value in change.items():
        setattr(hub, name, value)
    with pytest.raises(error, match=words) as raised:
        fetch(HubReference.parse(reference), folder, settings)
    assert raised.value.hint


def test_nobody_listening_is_told_at_once(tmp_path, folder):
    with pytest.raises(Unavailable, match="does not answer") as error:
        fetch(REFERENCE, folder, Settings(data_dir=tmp_path, hub_endpoint=closed_address()))
    assert "Errno" not in error.value.message and "refused" in error.value.message


def test_an_address_that_is_none_is_refused(tmp_path, folder):
    with pytest.raises(BadValue, match="is not an address"):
        fetch(REFERENCE, folder, Settings(data_dir=tmp_path, hub_endpoint="nowhere"))


def test_a_name_that_no_repository_can_have_is_refused(settings, folder):
    with pytest.raises(BadValue, match="not the name of a Hub repository"):
        fetch(HubReference("org/a--b"), folder, settings)


def test_a_file_that_the_hub_takes_away_meanwhile_is_named(hub, settings, folder, monkeypatch):
    describe = hub._describe

    def forget(*given):
        describe(*given)
        hub.repos[NAME].files = {}

    monkeypatch.setattr(hub, "_describe", forget)
    with pytest.raises(NotFound, match="has no such file"):
        fetch(REFERENCE, folder, settings)
