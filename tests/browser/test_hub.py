"""A tokenizer from a Hub, here one of this machine, with its progress, its end and its refusals."""

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from lab_app.library.hub import CHUNK_BYTES
from tests import tiny
from tests.browser.conftest import Axe, Lab, Server
from tests.fake_hub import STRANGER, TOKEN, FakeHub, Repo

# Longer than the chunk after which a download reports.
WORDS = ("\n".join([*tiny.WORDS, *(f"word{number}" for number in range(10_000))]) + "\n").encode()


@pytest.fixture(scope="module")
def running_hub() -> Iterator[FakeHub]:
    with FakeHub({}).running() as running:
        yield running


@pytest.fixture
def hub(running_hub: FakeHub) -> FakeHub:
    """The Hub as it is at first."""
    repos = {"org/tiny": Repo({"vocab.txt": WORDS}), "FacebookAI/roberta-base": Repo({"vocab.txt": WORDS})}
    vars(running_hub).update(vars(FakeHub(repos, address=running_hub.address)))
    return running_hub


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hub")


@pytest.fixture(scope="module")
def asking(running_hub: FakeHub, folder: Path) -> Iterator[Server]:
    """A lab that asks this Hub."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "TOKENLAB_OFFLINE"):
            patch.delenv(name, raising=False)
        server = Server(folder / "data", TOKENLAB_HUB_ENDPOINT=running_hub.address, HF_HOME=str(folder / "hf"))
    yield server
    server.stop()


@pytest.fixture
def lab(open_page: Callable[..., Lab], asking: Server, hub: FakeHub, folder: Path) -> Lab:
    """The Library of that lab. Nothing was fetched before."""
    shutil.rmtree(folder / "hf", ignore_errors=True)
    fresh = open_page(asking)
    fresh.open("library")
    return fresh


def ask(lab: Lab, reference: str) -> None:
    """Opens the dialog, types the name of a repository and takes the first row, all with the keyboard."""
    if not lab.page.get_by_role("dialog").is_visible():
        lab.page.locator("[data-role=add-tokenizer]").focus()
        lab.page.keyboard.press("Enter")
    field = lab.page.locator("[data-role=add-field]")
    field.fill(reference)
    row = lab.page.locator("add-tokenizer [role=option]").first
    expect(row).to_contain_text(f"Fetch {reference} from the Hub")
    expect(row).to_have_attribute("aria-selected", "true")
    field.press("Enter")


def problem(lab: Lab) -> Locator:
    return lab.page.locator("[data-role=add-problem]")


def row(lab: Lab, id: str) -> Locator:
    return lab.page.locator(f".tokenizer-row[data-tokenizer='{id}']")


def test_a_repository_is_fetched_and_shown(lab: Lab, hub: FakeHub):
    lab.go("inspect")
    ask(lab, "org/tiny")
    expect(lab.page.get_by_role("dialog")).to_be_hidden()
    chip = lab.page.locator("tokenizer-chips [data-tokenizer=tiny]")
    expect(chip).to_have_attribute("data-active", "true")
    expect(lab.page.locator("[data-role=job]")).to_have_count(0)
    lab.ready()
    assert lab.tokens("tiny") == lab.expected("tiny", lab.current_text)
    lab.go("library")
    expect(row(lab, "tiny")).to_be_visible()
    row(lab, "tiny").get_by_role("button", name="tiny", exact=True).click()
    facts = lab.page.locator("[data-facts=tiny]")
    expect(facts).to_contain_text("downloaded: org/tiny")
    expect(facts).to_contain_text(hub.repos["org/tiny"].commit[:12])
    # It is here: it is offered as it is, not to be fetched again.
    lab.page.get_by_role("button", name="Add tokenizer").last.click()
    lab.page.locator("[data-role=add-field]").fill("org/tiny")
    expect(lab.page.locator("add-tokenizer [role=option]")).to_have_attribute("data-tokenizer", "tiny")


def test_progress_is_shown_and_the_download_can_be_stopped(lab: Lab, hub: FakeHub, axe: Axe):
    hub.hold = threading.Event()
    ask(lab, "org/tiny")
    job = lab.page.get_by_role("dialog").locator("[data-role=job]")
    expect(job).to_contain_text("org/tiny")
    expect(job.get_by_role("progressbar")).to_have_attribute("value", str(CHUNK_BYTES))
    fetching = lab.page.locator("add-tokenizer [role=option]").first
    expect(fetching).to_contain_text("Fetching…")
    expect(fetching).to_have_attribute("aria-disabled", "true")
    axe.check(lab.page)
    # The file goes on only when the lab has taken the order to stop: before, it could still end in time.
    with lab.page.expect_response(lambda answer: answer.request.method == "DELETE"):
        job.get_by_role("button", name="Stop fetching org/tiny").click()
    hub.hold.set()
    expect(job).to_have_count(0)
    expect(problem(lab)).to_be_empty()
    expect(lab.page.get_by_role("dialog")).to_be_visible()
    assert "tiny" not in [entry["id"] for entry in lab.server.call("GET", "tokenizers")["tokenizers"]]
    hub.hold = None
    ask(lab, "org/tiny")
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=tiny]")).to_be_visible()
    assert hub.ranges == [None, None]  # it begins again


def test_a_gated_repository_is_explained_and_a_token_opens_it(lab: Lab, hub: FakeHub, axe: Axe):
    lab.tolerated = ("status of 403",)  # of a token that cannot be sent
    hub.repos["org/tiny"].gated = True
    ask(lab, "org/tiny")
    expect(problem(lab)).to_contain_text("org/tiny asks you to accept its terms")
    expect(problem(lab).get_by_role("link")).to_have_attribute("href", f"{hub.address}/org/tiny")
    axe.check(lab.page)
    with lab.page.expect_file_chooser():
        problem(lab).get_by_role("button", name="Open tokenizer files").click()
    field = problem(lab).get_by_label("Token of the Hugging Face Hub")
    for wrong, words in [
        ("hf_mistyped", "does not accept the token for org/tiny"),
        ("hf_müll", "has a space or a character that no token has"),
        (STRANGER, "asks you to accept its terms"),
    ]:
        field.fill(wrong)
        field.press("Enter")
        expect(problem(lab)).to_contain_text(words)
        expect(field).to_have_value("")
        expect(field).to_be_focused()
        expect(problem(lab)).not_to_contain_text("HF_TOKEN")
        expect(problem(lab)).not_to_contain_text("These can be used now")  # the Hub answers
    field.fill(TOKEN)
    field.press("Enter")
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=tiny]")).to_be_visible()
    expect(lab.page.get_by_role("dialog")).to_be_hidden()


def test_what_cannot_be_fetched_is_explained(lab: Lab):
    for reference, words in (
        ("org/missing", "has no repository org/missing"),
        ("org/tiny:nothing.json", "org/tiny has no file nothing.json"),
    ):
        ask(lab, reference)
        expect(problem(lab)).to_contain_text(words)
        expect(lab.page.locator("[data-role=add-field]")).to_have_value(reference)
        expect(lab.page.locator("add-tokenizer [role=option]").first).to_contain_text(f"Fetch {reference}")


def test_without_a_network_the_dialog_lists_what_is_here(lab: Lab, hub: FakeHub):
    hub.status = 503
    ask(lab, "org/tiny")
    expect(problem(lab)).to_contain_text("failed with status 503")
    expect(problem(lab)).to_contain_text("These can be used now")
    expect(lab.page.get_by_role("group", name="Installed").get_by_role("option")).to_have_count(11)
    expect(lab.page.get_by_role("group", name="Available to download")).to_have_count(0)
    hub.status = None
    lab.page.locator("[data-role=add-field]").press("Enter")  # again
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=tiny]")).to_be_visible()


def test_an_error_of_the_dialog_stays_in_it(lab: Lab):
    ask(lab, "org/missing")
    expect(problem(lab)).to_contain_text("has no repository")
    lab.page.keyboard.press("Escape")
    expect(lab.error).to_be_hidden()
    lab.page.locator("[data-role=add-tokenizer]").click()
    expect(problem(lab)).to_be_empty()


def test_a_known_one_is_downloaded_in_its_row_of_the_library(lab: Lab, hub: FakeHub):
    roberta = row(lab, "roberta-base")
    expect(roberta).to_contain_text("Available to download")
    hub.repos["FacebookAI/roberta-base"].gated = True
    roberta.get_by_role("button", name="Download RoBERTa base").click()
    facts = lab.page.locator("[data-facts='roberta-base']")
    expect(facts.get_by_role("alert")).to_contain_text("asks you to accept its terms")
    lab.go("inspect")
    expect(lab.error).to_be_hidden()
    lab.go("library")
    facts.get_by_label("Token of the Hugging Face Hub").fill(TOKEN)
    facts.get_by_role("button", name="Fetch", exact=True).click()
    here = lab.page.locator("tbody[data-group=here]")
    expect(here.get_by_role("button", name="Stop using RoBERTa base")).to_be_visible()
    expect(facts.get_by_role("alert")).to_have_count(0)


def test_a_token_that_is_being_typed_stays_when_the_library_is_drawn_again(lab: Lab, hub: FakeHub):
    hub.repos["FacebookAI/roberta-base"].gated = True
    row(lab, "roberta-base").get_by_role("button", name="Download RoBERTa base").click()
    field = lab.page.locator("[data-facts='roberta-base']").get_by_label("Token of the Hugging Face Hub")
    field.press_sequentially("hf_")
    row(lab, "gpt2").locator(".use").dispatch_event("click")  # the table is drawn again, the focus stays
    expect(row(lab, "gpt2").locator(".use")).to_have_text("Use")
    expect(field).to_be_focused()
    lab.page.keyboard.type("of_this")
    expect(field).to_have_value("hf_of_this")
    lab.go("inspect")
    lab.go("library")
    expect(field).to_have_value("hf_of_this")


def test_what_a_gated_one_needs_is_in_its_facts(lab: Lab):
    row(lab, "llama-3").locator(".tokenizer-name").click()
    expect(lab.page.locator("[data-facts='llama-3']")).to_contain_text("gated: ask for access at")
