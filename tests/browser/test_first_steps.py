"""The ten tasks of docs/guide/first_steps.md, from a fresh start, each with at most four presses."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import tiny
from tests.browser.conftest import Lab

MOST = 4


class Newcomer:
    """Presses and counts. Typing a text, and choosing a file in the system's own dialog, count as nothing."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.page = lab.page
        self.presses = 0

    def press(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=False).locator("visible=true").first.click()
        self._pressed()

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)
        self._pressed()

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.lab.ready()

    def own_text(self, text: str) -> None:
        """The text has the focus from the start: select all of it and type."""
        self.key("Control+a")
        self.type(text)

    def press_first_token(self) -> None:
        box = next(piece["box"] for piece in self.lab.pieces() if piece["start"] == 0)
        self.lab.point_at(box)
        self.page.mouse.down()
        self.page.mouse.up()
        self._pressed()

    def choose_file(self, act: Callable[[], None], path: Path) -> None:
        with self.page.expect_file_chooser() as chooser:
            act()
        chooser.value.set_files(path)
        self.lab.ready()

    def _pressed(self) -> None:
        self.presses += 1
        self.lab.ready()


@pytest.fixture
def preferences() -> dict:
    return {}


@pytest.fixture
def newcomer(lab: Lab) -> Newcomer:
    """At the lab that was just opened: the text has the focus (`test_first_view.py`)."""
    lab.text.focus()
    return Newcomer(lab)


def own_sentence(one: Newcomer, _: Path) -> None:
    one.own_text("The unhappiest zebras sleep")
    assert one.lab.tokens() == one.lab.expected("bert-base-uncased", "The unhappiest zebras sleep")


def beside_gpt2(one: Newcomer, _: Path) -> None:
    one.press("link", "Compare")
    for tokenizer in ("bert-base-uncased", "gpt2"):
        assert one.lab.tokens(tokenizer)


def which_needs_more(one: Newcomer, _: Path) -> None:
    one.press("link", "Compare")
    one.page.locator("[data-role=text-input]").click()
    one.presses += 1
    one.own_text("日本語")
    assert one.lab.count("bert-base-uncased") == 3 and one.lab.count("gpt2") == 6


def id_of_hello(one: Newcomer, _: Path) -> None:
    one.own_text("hello")
    expect(one.page.locator(".token-labels span", has_text="7592")).to_be_visible()
    expect(one.page.locator(".text-legend")).not_to_contain_text("Not in the vocabulary")


def why_a_boundary(one: Newcomer, _: Path) -> None:
    one.press_first_token()
    one.press("button", "Why does it end here?")
    expect(one.page.locator(".reason-sentence")).to_contain_text("the longest entry that starts it is “token”")


def tokenizer_from_a_file(one: Newcomer, folder: Path) -> None:
    file = tiny.tokenizer_json(folder)
    one.press("button", "Add tokenizer")
    one.choose_file(lambda: one.press("button", "Open tokenizer files"), file)
    added = one.page.locator("tokenizer-chips [data-tokenizer]")
    expect(added).to_have_count(3)


def tokens_of_a_file(one: Newcomer, folder: Path) -> None:
    file = folder / "letter.txt"
    file.write_text("Dear reader,\n\nthe tokenizer counts words in pieces.\n", encoding="utf-8")
    one.press("button", "More…")
    one.choose_file(lambda: one.press("button", "Open a file…"), file)
    text = file.read_text(encoding="utf-8")
    assert one.lab.tokens() == one.lab.expected("bert-base-uncased", text)


def show_a_class(one: Newcomer, _: Path) -> None:
    one.press("button", "Present")
    expect(one.page.get_by_text("Guess GPT-2’s count")).to_be_visible()


def figure_for_a_paper(one: Newcomer, folder: Path) -> None:
    one.press("button", "Export")
    with one.page.expect_download() as download:
        one.press("button", "Picture (SVG)")
    download.value.save_as(folder / "figure.svg")
    assert "bert-base-uncased" in (folder / "figure.svg").read_text(encoding="utf-8")


def link_for_a_colleague(one: Newcomer, _: Path) -> None:
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.press("link", "Compare")
    one.press("button", "Export")
    one.press("button", "Copy the link")
    link = one.page.evaluate("navigator.clipboard.readText()").replace("127.0.0.1", "192.0.2.1")
    text = one.lab.current_text
    # The colleague looks at something else.
    one.lab.open("inspect")
    one.lab.set_text("other")
    other = Newcomer(one.lab)
    other.key("Control+k")
    one.page.keyboard.insert_text(link)
    other.key("Enter")
    one.lab.ready()
    assert one.lab.current_text == text
    expect(one.page.get_by_role("link", name="Compare")).to_have_attribute("aria-current", "page")
    assert other.presses <= MOST


@pytest.mark.parametrize(
    "task",
    [
        own_sentence,
        beside_gpt2,
        which_needs_more,
        id_of_hello,
        why_a_boundary,
        tokenizer_from_a_file,
        tokens_of_a_file,
        show_a_class,
        figure_for_a_paper,
        link_for_a_colleague,
    ],
    ids=lambda task: task.__name__,
)
def test_a_task_takes_four_presses_at_most(newcomer: Newcomer, tmp_path: Path, task: Callable[[Newcomer, Path], None]):
    task(newcomer, tmp_path)
    assert newcomer.presses <= MOST


def test_words_that_are_no_link_are_searched(newcomer: Newcomer):
    newcomer.key("Control+k")
    option = newcomer.page.get_by_role("option", name="Open this link")
    for words in ("http://127.0.0.1:8000/#/nowhere?text=a", "compare", "#"):
        newcomer.page.locator("[data-role=palette-field]").fill(words)
        expect(option).to_have_count(0)
    newcomer.page.locator("[data-role=palette-field]").fill("http://127.0.0.1:8000/#/library")
    expect(option).to_have_count(1)
