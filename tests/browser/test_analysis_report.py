"""The HTML report of an analysis, opened as a file: every chart is drawn, nothing is asked for, nothing is refused."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from lab_app.charts.registry import CHARTS
from lab_app.reports.analysis import report
from lab_app.reports.html import html
from tests.browser.conftest import Axe
from tests.corpus_sample import sample


def test_the_report_is_drawn_from_a_file_without_a_request(browser: Browser, tmp_path: Path, axe: Axe):
    path = tmp_path / "report.html"
    path.write_text("".join(html(report(sample()))), encoding="utf-8", newline="")
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    page.goto(path.as_uri())
    for name in CHARTS:
        plot = page.locator(f".plot[data-chart={name}]")
        expect(plot.locator(".point, .js-line, .hm image").first).to_be_attached()
    expect(page.get_by_role("row", name="Tokens tokens 270")).to_be_visible()
    assert asked == [path.as_uri()]
    assert not complaints
    page.set_viewport_size({"width": 700, "height": 800})
    wide = page.locator(".plot").first.locator(".main-svg").first
    expect(wide).not_to_have_attribute("width", "1040")
    page.close()
    # The policy of the report refuses a script from outside of it, such as axe: its context ignores policies.
    context = browser.new_context(bypass_csp=True)
    checked = context.new_page()
    checked.goto(path.as_uri())
    axe.check(checked, "body")
    context.close()
