"""The demonstration site: it has what it links, and every lesson and text of its first page works."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lab_app import paths
from tests.browser.opened_site import opened_site
from tests.page_engine import needs_engine
from tools.build_site import LESSONS, SHEETS, TOKENS, dead_links, main


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Page]]:
    if not (paths.guide() / "index.html").is_file():
        pytest.skip("the guide is not built: make guide")
    site = tmp_path_factory.mktemp("site")
    main(site)  # fails if a link leads nowhere
    with opened_site(browser, site) as open_page:
        yield open_page


@needs_engine
def test_every_lesson_and_text_works(opened: Callable[[str], Page]):
    page = opened("")
    links = page.locator(".handout-start li a")
    expect(links).to_have_count(len(LESSONS) + len(TOKENS) + len(SHEETS))
    for number in range(links.count()):
        links.nth(number).click()
        expect(page.locator(".lesson-step, .handout-token, .exercise-marks button").first).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.get_by_role("link", name="All lessons and texts").click()
    page.get_by_role("link", name="The guide of the lab").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path):
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "index.html").write_text('<a href="../index.html#x"></a><img src="a%20b.png">')
    (tmp_path / "index.html").write_text('<a href="guide/"></a><a href="#x"></a><a href="https://example.org/no"></a>')
    assert dead_links(tmp_path) == ["guide/index.html: a%20b.png"]
    (tmp_path / "guide" / "a b.png").touch()
    assert dead_links(tmp_path) == []
