"""What the Hub or the network refuses is said in the words of the lab. Not here: what works (`test_hub`)."""

import pytest

from lab_app.errors import BadValue, Gated, NotFound, TokenRefused, Unavailable
from lab_app.library.hub import fetch
from lab_app.library.hub_reference import HubReference
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny
from tests.fake_hub import STRANGER, TOKEN, FakeHub, Repo
from tests.unit.library.sources import closed_address

NAME = "org/tiny"
REFERENCE = HubReference(NAME)
WORDS = ("\n".join(tiny.WORDS) + "\n").encode()


@pytest.fixture
def hub():
    with FakeHub({NAME: Repo({"vocab.txt": WORDS})}).running() as running:
        yield running


def test_a_gated_repository_is_explained_and_a_token_opens_it(hub, settings, monkeypatch):
    hub.repos[NAME].gated = True
    with pytest.raises(Gated, match="asks you to accept its terms") as error:
        add(Lab(settings), f"hub:{NAME}")
    assert f"{hub.address}/{NAME}" in error.value.hint and "HF_TOKEN" in error.value.hint
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert add(Lab(settings), f"hub:{NAME}").gated is True


def test_a_token_opens_a_gated_repository_once(hub, settings, folder):
    hub.repos[NAME].gated = True
    reference = HubReference.parse(NAME, TOKEN)
    assert fetch(reference, folder, settings).repository.gated
    assert TOKEN not in repr(reference)
    hub.repos[NAME].commit = "decade" + "0" * 34  # not in the cache
    with pytest.raises(Gated):
        fetch(REFERENCE, folder, settings)


@pytest.mark.parametrize(
    ("change", "reference", "error", "words"),
    [
        ({}, "org/missing", NotFound, "has no repository org/missing"),
        ({}, f"{NAME}@v9", NotFound, "has no revision v9"),
        ({}, f"{NAME}:other.json", NotFound, "has no file other.json"),
        ({"status": 429}, NAME, Unavailable, "refuses more requests"),
        ({"status": 503}, NAME, Unavailable, "failed with status 503"),
        ({"status": 403}, NAME, TokenRefused, "asks for a token"),
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


def test_a_token_that_the_hub_does_not_know_is_no_lack_of_a_network(hub, settings, folder):
    hub.repos[NAME].gated = True
    with pytest.raises(TokenRefused, match="does not accept the token") as error:
        fetch(HubReference.parse(NAME, "hf_mistyped"), folder, settings)
    assert error.value.code == "token_refused"
    assert error.value.hint.startswith("check the token") and "HF_TOKEN" not in error.value.hint
    assert "hf_mistyped" not in str(error.value)


def test_a_token_of_somebody_who_did_not_accept_the_terms_leads_to_them(hub, settings, folder):
    hub.repos[NAME].gated = True
    with pytest.raises(Gated, match="asks you to accept its terms"):
        fetch(HubReference.parse(NAME, STRANGER), folder, settings)


@pytest.mark.parametrize("token", ["hf_ä", "hf_a\nb", "hf_a b", "hf_\u200b", "“hf_a”"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_repeated(hub, settings, folder, token):
    with pytest.raises(TokenRefused, match="was not sent") as error:
        fetch(HubReference.parse(NAME, token), folder, settings)
    assert token not in str(error.value) and "hf_" not in str(error.value)
    assert hub.asked == []


def test_a_token_of_the_surroundings_that_cannot_be_sent_is_refused_and_not_repeated(
    hub, settings, folder, monkeypatch
):
    monkeypatch.setenv("HF_TOKEN", "hf_a\tb")
    with pytest.raises(TokenRefused, match="was not sent") as error:
        fetch(REFERENCE, folder, settings)
    assert "hf_a" not in str(error.value) and "HF_TOKEN" in error.value.hint
