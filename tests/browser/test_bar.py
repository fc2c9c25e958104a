"""The tokenizers in the bar: their names, how one is removed, and the keyboard."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import tiny
from tests.browser.conftest import Lab, Server

SEVEN = ["bert-base-uncased", "gpt2", "cl100k_base", "o200k_base", "p50k_base", "r50k_base", "o200k_harmony"]
LONG = "a-tokenizer-whose-name-does-not-fit-into-any-bar-of-this-world"


@pytest.fixture
def eight(server: Server, tmp_path: Path) -> list[str]:
    path = tiny.tokenizer_json(tmp_path / "words")
    server.call("POST", "tokenizers", {"path": str(path), "id": LONG})
    return [*SEVEN, LONG]


@pytest.mark.parametrize(("number", "widths"), [(5, [900, 1280, 1440, 1920]), (8, [1280, 1440, 1920])])
def test_many_tokenizers_fit_with_their_names(lab: Lab, eight: list[str], number: int, widths: list[int]):
    lab.server.call("PUT", "preferences", {"chosen": eight[-number:], "theme": "light"})
    lab.start_again("#/compare")
    for width in widths:
        lab.page.set_viewport_size({"width": width, "height": 720})
        lab.idle()
        names_fit(lab, number)


def names_fit(lab: Lab, number: int) -> None:
    chips = lab.page.locator("tokenizer-chips")
    scroll, client = chips.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert scroll <= client, "all of them are in view"
    bar = lab.page.locator(".bar").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert bar[0] <= bar[1], "nothing of the bar is pushed out"
    names = chips.locator(".name").evaluate_all("all => all.map(e => e.clientWidth)")
    assert len(names) == number
    assert min(names) >= 30, "no letter stands alone"
    cut = chips.locator(".name").evaluate_all("all => all.map(e => e.scrollWidth > e.clientWidth)")
    whole = [width for width, is_cut in zip(names, cut, strict=True) if not is_cut]
    shortened = [width for width, is_cut in zip(names, cut, strict=True) if is_cut]
    assert not shortened or max(whole, default=0) <= min(shortened) + 1, "only names that need more room are cut"
    pick = chips.locator(f"[data-tokenizer='{LONG}'] .pick")
    expect(pick).to_have_attribute("title", f"{LONG}. Inspect with {LONG}")


def test_a_long_name_does_not_cut_the_others(lab: Lab, eight: list[str]):
    lab.server.call("PUT", "preferences", {"chosen": ["gpt2", "cl100k_base", eight[-1]], "theme": "light"})
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.start_again("#/compare")
    names = lab.page.locator("tokenizer-chips .name")
    assert names.all_inner_texts() == ["GPT-2", "cl100k_base", "a-tokenizer-whose-n…"]
    assert not any(names.evaluate_all("all => all.map(e => e.scrollWidth > e.clientWidth)"))


def test_a_chip_shows_its_cross_when_it_is_pointed_at(lab: Lab):
    chip = lab.page.locator("tokenizer-chips [data-tokenizer=gpt2]")
    cross = chip.get_by_role("button", name="Remove GPT-2")
    lab.page.mouse.move(600, 500)
    expect(cross).to_be_hidden()
    place = chip.bounding_box()
    chip.hover()
    expect(cross).to_be_visible()
    assert chip.bounding_box() == place, "nothing moves"
    name, drawn = chip.locator(".name").bounding_box(), cross.locator(".icon").bounding_box()
    assert name["x"] + name["width"] <= drawn["x"], "the cross leaves the name whole"
    cross.click()
    expect(chip).to_have_count(0)
    expect(lab.page.locator("tokenizer-chips .chip")).to_have_count(1)
    lab.page.locator("tokenizer-chips .chip").hover()
    expect(lab.page.get_by_role("button", name="Remove BERT")).to_be_hidden()


def test_chips_by_keyboard(lab: Lab, server: Server):
    server.call("PUT", "preferences", {"chosen": SEVEN[:3], "active": "gpt2"})
    lab.start_again()
    press = lab.page.keyboard.press
    pick = {one: lab.page.locator(f"tokenizer-chips [data-tokenizer='{one}'] .pick") for one in SEVEN[:3]}
    stops = lab.page.locator("tokenizer-chips .pick[tabindex='0']")
    expect(stops).to_have_count(1)
    pick["gpt2"].focus()
    press("ArrowRight")
    expect(pick["cl100k_base"]).to_be_focused()
    press("ArrowRight")
    expect(pick["bert-base-uncased"]).to_be_focused()
    expect(stops).to_have_count(1)
    press("Enter")
    expect(pick["bert-base-uncased"]).to_have_attribute("aria-pressed", "true")
    press("Tab")
    expect(lab.page.get_by_role("button", name="Remove BERT base, uncased")).to_be_focused()
    press("Shift+Tab")
    press("Delete")
    expect(pick["bert-base-uncased"]).to_have_count(0)
    expect(pick["gpt2"]).to_be_focused()
    press("Delete")
    expect(pick["cl100k_base"]).to_be_focused()
    press("Delete")
    expect(pick["cl100k_base"]).to_be_visible()
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("remove ")
    expect(lab.page.locator("[role=option]").filter(has_text="Remove cl100k")).to_have_count(0)


def test_the_palette_removes_a_tokenizer(lab: Lab):
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("remove gpt-2")
    lab.page.keyboard.press("Enter")
    expect(lab.page.locator("tokenizer-chips .chip")).to_have_count(1)
