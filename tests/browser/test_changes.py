"""Inspect: what the normalizer lost and added, in lanes under the text."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab


@pytest.fixture
def preferences() -> dict:
    two = ["bert-base-uncased", "gpt2"]
    return {"chosen": two, "active": two[0], "theme": "light", "inspect.showChanges": True}


def shown(lab: Lab) -> list[tuple[int, str, bool]]:
    """Position (UTF-16), words, and whether they are struck through."""
    found = lab.page.locator("[data-role=text-change]").evaluate_all(
        "all => all.map(e => [+e.dataset.at, e.textContent, getComputedStyle(e).textDecorationLine === 'line-through'])"
    )
    return sorted((at, words, lost) for at, words, lost in found)


def test_lost_and_added_text(lab: Lab):
    lab.set_text("Café É\0x\ty 語")
    added = [(0, "c", False), (3, "e", False), (5, "e", False), (8, "·", False), (11, "·", False), (12, "·", False)]
    assert shown(lab) == sorted([*added, (6, "NUL", True)])


def test_lanes_are_under_what_they_are_of(lab: Lab):
    lab.set_text("ab Café\nÉ")
    boxes = lab.page.locator("[data-role=text-change]").evaluate_all(
        "all => all.map(e => { const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top]; })"
    )
    places = lab.page.evaluate(
        """() => [3, 6, 8].map(pos => {
            const { view } = document.querySelector('token-text'), a = view.coordsAtPos(pos, 1), b = view.coordsAtPos(pos + 1, -1);
            return [(a.left + b.left) / 2, a.bottom];
        })"""
    )
    # The line break becomes a space, which has no width of its own.
    boxes = [box for n, box in enumerate(sorted(boxes, key=lambda box: (box[1], box[0]))) if n != 2]
    for (x, top), (middle, bottom) in zip(boxes, places, strict=True):
        assert abs(x - middle) < 1.5
        assert 0 < top - bottom < 40


def test_the_switch_gives_the_room_back(lab: Lab):
    lab.write("Café\nÉ")
    rows = "document.querySelector('token-text .cm-line').getBoundingClientRect().height"
    high = lab.page.evaluate(rows)
    lab.press(lab.switch("Normalizer changes"))
    lab.ready()
    assert shown(lab) == []
    assert lab.page.evaluate(rows) < high
    lab.page.keyboard.press("l")
    lab.ready()
    assert len(shown(lab)) == 4
    lab.page.locator("tokenizer-chips [role=radio], .chip", has_text="GPT-2").first.click()
    lab.ready()
    assert shown(lab) == []
    assert lab.page.evaluate(rows) < high, "GPT-2 changes nothing: no room is taken"


def test_lanes_of_a_megabyte_are_those_of_the_window(lab: Lab):
    line = "The quick Brown fox jumps over the lazy Dog\n"
    lab.set_text(line * (1_000_000 // len(line)))
    assert 0 < len(shown(lab)) < 400
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 300000")
    lab.idle()
    found = shown(lab)
    assert found
    capitals = {at: letter.lower() for at, letter in enumerate(line) if letter.isupper()}
    for at, words, lost in found:
        assert not lost
        assert words == capitals.get(at % len(line), "·")
    lab.text.focus()
    lab.page.keyboard.insert_text("É")
    lab.ready()
    expect(lab.error).to_be_hidden()
