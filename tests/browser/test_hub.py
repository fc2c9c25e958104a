"""Library: a tokenizer from a Hub, here one of this machine, with its progress, its end and its refusals."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from lab_app.library.hub import CHUNK_BYTES
from tests import tiny
from tests.browser.conftest import Lab, Server
from tests.fake_hub import FakeHub, Repo

# Longer than the chunk after which a download reports.
WORDS = ("\n".join([*tiny.WORDS, *(f"word{number}" for number in range(10_000))]) + "\n").encode()
SERIOUS = {"serious", "critical"}


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    repos = {"org/tiny": Repo({"vocab.txt": WORDS}), "FacebookAI/roberta-base": Repo({"vocab.txt": WORDS})}
    with FakeHub(repos).running() as running:
        yield running


@pytest.fixture
def lab(open_page, hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """The Library of a lab that asks this Hub."""
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "TOKENLAB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOKENLAB_HUB_ENDPOINT", hub.address)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    server = Server(tmp_path / "data")
    fresh = open_page()
    fresh.server = server
    fresh.open("library")
    yield fresh
    fresh.page.goto("about:blank")  # the page saves what it remembers when it is left
    server.stop()


def ask(lab: Lab, reference: str) -> None:
    lab.page.locator("[data-role=hub]").fill(reference)
    lab.page.keyboard.press("Enter")


def volume(lab: Lab, id: str) -> Locator:
    return lab.page.locator(f".volume[data-tokenizer='{id}']")


def test_a_repository_is_fetched_and_used(lab: Lab, hub: FakeHub):
    ask(lab, "org/tiny")
    expect(volume(lab, "tiny")).to_contain_text("downloaded: org/tiny")
    expect(volume(lab, "tiny")).to_contain_text(hub.repos["org/tiny"].commit[:12])
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=tiny]")).to_be_visible()
    expect(lab.page.locator("[data-role=job]")).to_have_count(0)
    expect(lab.page.locator("[data-role=hub]")).to_have_value("")


def test_progress_is_shown_and_the_download_can_be_stopped(lab: Lab, hub: FakeHub, axe: str):
    hub.hold = threading.Event()
    ask(lab, "org/tiny")
    job = lab.page.locator("[data-role=job]")
    expect(job).to_contain_text("org/tiny")
    expect(job.get_by_role("progressbar")).to_have_attribute("value", str(CHUNK_BYTES))
    assert _serious(lab, axe) == []
    # The file goes on only when the lab has taken the order to stop: before, it could still end in time.
    with lab.page.expect_response(lambda answer: answer.request.method == "DELETE"):
        job.get_by_role("button", name="Stop fetching org/tiny").click()
    hub.hold.set()
    expect(job).to_have_count(0)
    expect(volume(lab, "tiny")).to_have_count(0)
    expect(lab.page.locator("[data-role=hub-answer]")).to_be_empty()
    hub.hold = None
    lab.page.get_by_role("button", name="Fetch", exact=True).click()
    expect(volume(lab, "tiny")).to_be_visible()
    assert hub.ranges == [None, None]  # it begins again


def test_a_gated_repository_is_explained(lab: Lab, hub: FakeHub, axe: str):
    hub.repos["org/tiny"].gated = True
    ask(lab, "org/tiny")
    answer = lab.page.locator("[data-role=hub-answer]")
    expect(answer).to_contain_text("org/tiny asks you to accept its terms")
    expect(answer).to_contain_text("HF_TOKEN")
    expect(answer.get_by_role("link")).to_have_attribute("href", f"{hub.address}/org/tiny")
    assert _serious(lab, axe) == []
    answer.get_by_role("button", name="Open vocabulary files").click()
    expect(lab.page.locator("dialog[open]")).to_be_visible()


@pytest.mark.parametrize(
    ("reference", "words"),
    [("org/missing", "has no repository org/missing"), ("a b", "not the name of a Hub repository")],
)
def test_what_cannot_be_fetched_is_told(lab: Lab, reference: str, words: str):
    lab.tolerated = ("status of 422",)
    ask(lab, reference)
    expect(lab.page.locator("[data-role=hub-answer]")).to_contain_text(words)
    expect(lab.page.locator("[data-role=hub]")).to_have_value(reference)


def test_known_ones_stand_apart_with_what_they_need(lab: Lab, hub: FakeHub):
    away = lab.page.get_by_role("region", name="Available to download")
    expect(away.locator(".volume[data-tokenizer='llama-3']")).to_contain_text("gated: ask for access at")
    away.get_by_role("button", name="Download RoBERTa base").click()
    here = lab.page.get_by_role("region", name="Installed")
    expect(here.locator(".volume[data-tokenizer='roberta-base']")).to_contain_text("Stop using")


def _serious(lab: Lab, axe: str) -> list[str]:
    lab.page.evaluate(f"(() => {{ {axe} }})()")
    found = lab.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in SERIOUS]
