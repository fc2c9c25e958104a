"""The first seconds in the lab: few controls, a text that can be typed into, and an empty one that invites."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

MOST_CONTROLS = 20
# Stops of Tab in the window: a row of tabs, of choices or of chips is one. The text itself is the work, not a control.
STOPS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  .filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !e.closest('[contenteditable]'))
  .filter(e => { const { left, top, right, bottom } = e.getBoundingClientRect();
    return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right > left && bottom > top; })
  .map(e => e.ariaLabel || e.getAttribute('aria-label') || e.textContent.trim() || e.outerHTML.slice(0, 80))"""


@pytest.fixture
def preferences() -> dict:
    return {}


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_few_controls_are_in_view_at_first_and_typing_works_at_once(lab: Lab, screen: str):
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.page.mouse.move(600, 600)
    lab.page.goto("about:blank")
    lab.page.goto(f"{lab.server.address}#/{screen}")
    lab.ready()
    stops = lab.page.evaluate(STOPS)
    assert len(stops) <= MOST_CONTROLS, stops
    expect(lab.text).to_be_focused()
    lab.page.keyboard.type("so ")
    lab.ready()
    assert lab.current_text.startswith("so Tokenization")


def test_an_empty_text_invites(lab: Lab):
    for screen in ("inspect", "compare"):
        lab.go(screen)
        lab.write("")
        empty_text_invites(lab)


def empty_text_invites(lab: Lab) -> None:
    text = lab.page.locator("token-text")
    words = text.locator(".cm-line").evaluate("e => getComputedStyle(e, '::before').content")
    assert words == '"Type or paste text, or drop a file"'
    expect(lab.text).to_have_attribute("aria-placeholder", "Type or paste text, or drop a file")
    for count in lab.page.locator("[data-role=count]").all():
        expect(count).to_have_text("0")
    expect(lab.page.locator(".pill, .warning:visible")).to_have_count(0)
    expect(lab.page.locator("footer.status")).not_to_contain_text("byte")
    expect(lab.page.locator(".work")).not_to_contain_text("%", use_inner_text=True)
    lab.page.keyboard.type("a")
    lab.ready()
    assert text.locator(".cm-line").evaluate("e => getComputedStyle(e, '::before').content") == "none"
    expect(lab.page.locator("[data-role=count]").first).to_have_text("1")


def test_the_status_line_is_short(lab: Lab):
    status = lab.page.locator("footer.status")
    expect(status.locator("span").first).to_have_text("68 characters · 86 bytes · 2 lines")
    expect(status).not_to_contain_text("UTF-8")
    lab.set_text("a\r\nb")
    expect(status).to_contain_text("UTF-8, CRLF")
