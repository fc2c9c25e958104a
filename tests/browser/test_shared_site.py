"""The demonstration site: it has what it links, and every lesson and text of its first page works."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lab_app import paths
from lab_app.version import LAB
from tests.browser.opened_site import opened_site
from tests.page_engine import needs_engine
from tools.build_site import LESSONS, SHEETS, TOKENS, dead_links, main, write


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


def test_a_link_out_of_the_site_leads_nowhere(tmp_path: Path):
    """Wherever it leads on the machine that builds the site."""
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "index.html").touch()
    (site / "index.html").write_text(
        f'<a href="/"></a><a href="{tmp_path.as_posix()}/index.html"></a><a href="../index.html"></a>'
    )
    assert [each.partition(": ")[2] for each in dead_links(site)] == [
        "/",
        f"{tmp_path.as_posix()}/index.html",
        "../index.html",
    ]


CONTENTS = {"contents.json": json.dumps({"lab": f"{LAB} 1.0.0"}).encode()}


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "index.html").write_text('<a href="../index.html">')
    return folder


@pytest.mark.parametrize("kept", [{"index.html"}, {"contents.json"}, {"contents.json", "notes.txt"}, {".git"}])
def test_a_folder_of_others_is_left_alone(tmp_path: Path, guide: Path, kept: set[str]):
    site = tmp_path / "site"
    site.mkdir()
    for name in kept:
        (site / name).write_bytes(CONTENTS["contents.json"] if len(kept) > 1 else b"{}")
    with pytest.raises(SystemExit, match="files of others"):
        write(site, {**CONTENTS, "index.html": b""}, guide)
    assert {each.name for each in site.iterdir()} == kept


def test_a_site_with_a_dead_link_replaces_nothing(tmp_path: Path, guide: Path):
    site = tmp_path / "site"
    write(site, {**CONTENTS, "index.html": b"first", "tokenizer-1.bin": b""}, guide)
    with pytest.raises(SystemExit, match=r"index\.html: none\.html"):
        write(site, {**CONTENTS, "index.html": b'<a href="none.html">'}, guide)
    assert (site / "index.html").read_bytes() == b"first"
    write(site, {**CONTENTS, "index.html": b"second"}, guide)
    assert {each.name for each in site.iterdir()} == {"contents.json", "guide", "index.html"}
    assert {each.name for each in tmp_path.iterdir()} == {"guide", "site"}, "nothing is left beside it"
