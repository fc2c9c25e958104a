"""The guide as a site: beside the lab, in its own address, with a search that works without a network."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Lab
from tests.conftest import ROOT

GUIDE_PAGES = ROOT / "lab_ui" / "js" / "app" / "guide.js"


def test_the_rail_opens_the_page_of_the_screen_beside_the_lab(lab: Lab):
    with lab.page.context.expect_page() as opened:
        lab.page.locator(".rail").get_by_role("link", name="Guide").click()
    guide = opened.value
    try:
        complaints: list[str] = []
        guide.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        expect(guide.get_by_role("heading", name="Inspect")).to_be_visible()
        assert guide.url == f"{lab.server.origin}/guide/guide/inspect.html"
        guide.get_by_role("link", name="Tokenization Laboratory").first.click()
        expect(guide.get_by_role("heading", name="Tokenization Laboratory")).to_be_visible()
        guide.get_by_placeholder("Search").fill("premium")
        guide.keyboard.press("Enter")
        expect(guide.locator("#search-results")).to_contain_text("What a language costs")
        guide.get_by_role("link", name="What a language costs").first.click()
        expect(guide.get_by_role("heading", name="What a language costs")).to_be_visible()
        assert complaints == []
    finally:
        guide.close()


def test_every_link_of_the_lab_has_its_place_in_the_guide(lab: Lab):
    """The addresses of lab_ui/js/app/guide.js, in the guide as it was built."""
    pages = re.findall(r"^  '?[\w ]+'?: '([\w/]+)#?([\w-]*)',$", GUIDE_PAGES.read_text(encoding="utf-8"), re.M)
    assert len(pages) > 20
    for page, part in pages:
        answer = lab.page.request.get(f"{lab.server.origin}/guide/{page}.html")
        assert answer.ok and (not part or f'id="{part}"' in answer.text()), (page, part)
