"""A walk through each screen without a mouse: everything is reached by Tab, and works by keys. Inspect: `test_access.py`,
Vocabulary: `test_vocabulary.py`."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Lab

FOCUSED = "(e => (e.ariaLabel || [...e.labels ?? []].map(label => label.textContent).join(' ') || e.textContent || e.placeholder || '').trim().slice(0, 60))(document.activeElement)"


def opened(lab: Lab, key: str) -> Page:
    """The page with the screen of a key."""
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press(key)
    lab.ready()
    return lab.page


def tab_to(lab: Lab, name: str, most: int = 200) -> None:
    """Presses Tab until the control with that name has the focus."""
    passed = []
    for _ in range(most):
        lab.page.keyboard.press("Tab")
        passed.append(lab.page.evaluate(FOCUSED))
        if name in passed[-1]:
            return
    raise AssertionError(f"{name!r} is not reached by Tab: {passed}")


def test_compare(lab: Lab):
    page = opened(lab, "2")
    tab_to(lab, "Text to compare")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("A 2048-token window: 日本語")
    lab.ready()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    position = page.locator("[data-role=divergence-position]")
    expect(position).to_contain_text("1 of ")
    page.keyboard.press("n")
    expect(position).to_contain_text("2 of ")
    page.keyboard.press("p")
    expect(position).to_contain_text("1 of ")
    tab_to(lab, "Divergences")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Agreement")).to_be_focused()
    expect(page.locator("agreement-matrix table")).to_be_visible()


def test_the_rail_is_one_stop(lab: Lab):
    page = opened(lab, "2")
    rail = page.get_by_role("navigation", name="Screens").get_by_role("link")
    rail.nth(1).focus()
    page.keyboard.press("ArrowDown")
    expect(rail.nth(2)).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(rail.last).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(rail.last).to_be_focused()
    page.keyboard.press("Tab")
    assert rail.filter(has=page.locator(":focus")).count() == 0
    page.keyboard.press("1")
    expect(page.locator(".rail [tabindex='0']")).to_have_attribute("href", "#/inspect")


def test_library(lab: Lab):
    page = opened(lab, "8")
    tab_to(lab, "Stop using")
    page.keyboard.press("Enter")
    lab.ready()
    assert page.locator("tokenizer-chips .chip").count() == 1
    tab_to(lab, "Compose a tokenizer")
    page.keyboard.press("Enter")
    tab_to(lab, "Base model")
    page.keyboard.type("GPT-2")
    tab_to(lab, "Sample text")
    page.keyboard.press("Control+A")
    page.keyboard.type("HELLO")
    expect(page.locator("[data-role=compose-count]")).to_have_text(f"{len(lab.expected('gpt2', 'HELLO'))} tokens")


def test_reports(lab: Lab):
    page = opened(lab, "9")
    tab_to(lab, "Name of the session")
    page.keyboard.type("kept by keys")
    tab_to(lab, "Save this session")
    page.keyboard.press("Enter")
    lab.ready()
    expect(page.locator(".session").filter(has_text="kept by keys")).to_have_count(1)
    tab_to(lab, "Compare with current results")
    page.keyboard.press("Enter")
    lab.ready()
    expect(page.locator(".session").filter(has_text="kept by keys").locator("table")).to_be_visible()
