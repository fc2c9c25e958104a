"""The guide as a site: beside the lab, in its own address, with a search that works without a network."""

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_the_rail_opens_the_guide_beside_the_lab(lab: Lab):
    with lab.page.context.expect_page() as opened:
        lab.page.locator(".rail").get_by_role("link", name="Guide").click()
    guide = opened.value
    try:
        complaints: list[str] = []
        guide.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        expect(guide.get_by_role("heading", name="Tokenization Laboratory")).to_be_visible()
        assert guide.url == f"{lab.server.origin}/guide/"
        guide.get_by_placeholder("Search").fill("premium")
        guide.keyboard.press("Enter")
        expect(guide.locator("#search-results")).to_contain_text("What a language costs")
        guide.get_by_role("link", name="What a language costs").first.click()
        expect(guide.get_by_role("heading", name="What a language costs")).to_be_visible()
        assert complaints == []
    finally:
        guide.close()
