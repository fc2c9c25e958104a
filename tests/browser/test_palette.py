"""The palette finds and runs what the lab can do; the page of keys shows them; keys and palette are one list.

How keys steer the list: `tests/js/command_palette.test.js`.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab


def palette(lab: Lab):
    return lab.page.locator("[data-role=palette]")


def options(lab: Lab) -> list[str]:
    return palette(lab).locator("[role=option]").all_inner_texts()


def find(lab: Lab, words: str) -> None:
    lab.page.keyboard.press("Control+k")
    expect(palette(lab)).to_be_visible()
    lab.page.keyboard.type(words)


def test_a_command_is_found_and_run_without_a_mouse(lab: Lab) -> None:
    lab.page.locator("[data-role=text-input]").focus()
    find(lab, "go comp")
    assert [words.split("\n")[0] for words in options(lab)] == ["Go to Compare"]
    lab.page.keyboard.press("Enter")
    expect(palette(lab)).to_be_hidden()
    lab.page.wait_for_url("**#/compare")


def test_what_no_command_is_called_is_looked_for_in_the_vocabulary(lab: Lab) -> None:
    find(lab, "hello ")
    assert [words.split("\n")[0] for words in options(lab)] == ["Find “hello” in the vocabulary"]
    lab.page.keyboard.press("Enter")
    expect(palette(lab)).to_be_hidden()
    lab.page.wait_for_url("**#/vocabulary?q=hello")
    lab.ready()
    expect(lab.page.locator("[data-role=found]")).to_contain_text("4 of")
    expect(lab.page.locator("vocabulary-screen, .vocabulary").first).to_contain_text("bytes per token, of 4 tokens")


def test_a_command_with_the_mouse(lab: Lab) -> None:
    for theme in ("dark", "light"):
        lab.page.locator("[data-role=open-palette]").click()
        lab.page.keyboard.type(f"{theme} theme")
        palette(lab).locator("[role=option]").first.click()
        assert lab.page.evaluate("document.documentElement.dataset.theme") == theme


def test_all_keys_are_on_one_page_and_do_what_it_says(lab: Lab) -> None:
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("?")
    keys = lab.page.locator("[data-role=key-map]")
    expect(keys).to_be_visible()
    for words in ("Next token", "Toggle IDs", "Go to Compare", "Open a text file"):
        expect(keys.get_by_text(words)).to_be_visible()
    lab.page.keyboard.press("2")
    expect(keys).to_be_visible()  # a dialog takes no single keys
    lab.page.keyboard.press("Escape")
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("2")
    lab.page.wait_for_url("**#/compare")


def test_single_keys_are_text_while_somebody_types(lab: Lab) -> None:
    lab.write("")
    lab.page.keyboard.type("2?s")
    lab.ready()
    assert lab.current_text == "2?s"
    assert lab.page.url.endswith("#/inspect") or "#" not in lab.page.url


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_the_largest_text_enlarges_text_tokens_and_counts_and_is_remembered(lab: Lab, screen: str) -> None:
    lab.go(screen)
    text = "The unaffordable café"
    lab.set_text(text)
    usual = sizes(lab)
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("largest text")
    lab.page.keyboard.press("Enter")
    lab.ready()
    large = sizes(lab)
    for name, times in (("letter", 1.8), ("token", 1.8), ("row", 1.8), ("count", 1.8)):
        assert large[name] == pytest.approx(times * usual[name], rel=0.06), name
    assert lab.tokens("gpt2") == lab.expected("gpt2", text)
    lab.idle()  # the preferences are saved
    lab.page.reload()
    lab.ready()
    assert sizes(lab) == pytest.approx(large, rel=0.02)
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("-")
    lab.page.keyboard.press("-")
    lab.ready()
    assert sizes(lab) == pytest.approx(usual, rel=0.02)


def sizes(lab: Lab) -> dict[str, float]:
    """Pixels: a letter of the text, the first token of GPT-2, a row, and the count of tokens."""
    return lab.page.evaluate(
        """() => {
            const text = [...document.querySelectorAll('token-text')].find(text => text.checkVisibility()), { view } = text;
            const at = position => view.coordsAtPos(position).left;
            return { letter: (at(12) - at(2)) / 10, row: view.defaultLineHeight, token: text.drawnLanes.at(-1).pieces[0].box.height, count: parseFloat(getComputedStyle(document.querySelector('[data-role=count]')).fontSize) };
        }"""
    )
