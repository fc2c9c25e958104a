"""The browser is given a file that leads to the lab: so the secret is on no command line."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from lab_app.desktop import browser as opening
from tests.browser.conftest import Server


def test_the_page_of_a_file_opens_the_lab(browser: Browser, server: Server, tmp_path: Path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(opening.webbrowser, "open", lambda address: bool(asked.append(address) or True))
    assert opening.open_browser(server.address, tmp_path / "window.html")
    context = browser.new_context()
    page = context.new_page()
    page.goto(asked[0])
    page.wait_for_url(f"{server.origin}/**")
    expect(page.locator("tokenizer-chips").first).to_be_visible()
    assert server.token not in page.url and server.token not in asked[0]
    assert any(cookie["value"] == server.token for cookie in context.cookies())
    context.close()
