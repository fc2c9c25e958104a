"""Benchmark: a run from the page to its results, what a kept run shows, and what axe says of every view."""

import csv
import json
import re

import pytest
from playwright.sync_api import Download, Page, expect

from tests.browser import kept_benchmarks
from tests.browser.conftest import Axe, Lab
from tests.scale import few

VIEWS = ("Results", "Where the time goes", "Growth", "Hard inputs", "Race", "History")
TEXT = "The quick brown fox jumps over the lazy dog 2048 times.\n" * 40
CENTRE = "e => { const { y, height } = e.getBoundingClientRect(); return y + height / 2; }"


@pytest.fixture
def preferences() -> dict:
    own = {"benchmark.rounds": 5, "benchmark.text": "@text", "benchmark.megabytes": 0.1}
    return {"chosen": ["gpt2", "bert-base-uncased"], "active": "gpt2", "theme": "light", **own}


@pytest.fixture
def kept(lab: Lab) -> Lab:
    """The screen with the example of a run."""
    kept_benchmarks.keep(lab.page)
    lab.go("benchmark")
    return lab


def rows(page: Page) -> list[str]:
    return [str(row.get_attribute("data-key")) for row in page.locator(".result-row").all()]


def test_a_run_is_started_saved_repeated_cancelled_and_deleted(lab: Lab):
    """Real processes, real engines: what the page asks for is what is measured."""
    page = lab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.set_text(TEXT)
    lab.go("benchmark")
    expect(page.locator(".benchmark first-invitation")).to_contain_text("Which tokenizer is fast on your text?")
    page.get_by_role("radio", name="BERT against GPT-2").click()
    page.get_by_role("radio", name="Spans").click()
    with lab.news_held():
        page.locator("[data-role=start-benchmark]").click()
        expect(page.locator(".bar [data-role=job]")).to_contain_text("BERT against GPT-2")
        expect(page.locator("[data-role=start-benchmark]")).to_be_disabled()
        expect(page.locator("benchmark-progress")).to_be_visible()
    expect(page.locator("benchmark-progress")).to_be_hidden(timeout=120_000)
    lab.ready()
    [line] = lab.server.call("GET", "benchmarks")["benchmarks"]
    run = lab.server.call("GET", f"benchmarks/{line['id']}")
    assert (run["settings"]["output"], run["settings"]["rounds"], run["state"]) == ("spans", 5, "done")
    assert run["settings"]["source"] == {"kind": "text", "name": "Text of Inspect", "text": TEXT}
    assert f"run={line['id']}" in page.url
    ranks = {row["key"]: row["rank"] for row in run["rows"]}
    assert rows(page) == sorted(ranks, key=lambda key: ranks[key])
    ratio = next(row["ratio"] for row in run["rows"] if row["ratio"])
    shown = page.locator(".result-row:not(.base) [data-role=main-figure]").inner_text()
    assert float(re.sub(r"[^\d.]", "", shown)) == pytest.approx(ratio["median"], rel=0.01)
    expect(page.locator("[data-role=noise]")).to_contain_text("Noise")
    expect(page.locator(".result-missing")).to_have_count(0)  # other engines have no part in this question
    expect(page.locator("[data-role=command]")).to_have_text(run["command"])
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(lab.live).to_contain_text("The command is copied")
    assert page.evaluate("navigator.clipboard.readText()") == run["command"]
    files = {format: _file(lab, format) for format in ("html", "md", "json", "csv")}
    assert json.loads(files["json"]) == run
    lines = list(csv.DictReader(files["csv"].splitlines()))
    assert [f"{line['tokenizer']}/{line['engine']}" for line in lines] == [row["key"] for row in run["rows"]]
    for row in run["rows"]:
        assert row["tokenizer"] in files["html"] and row["tokenizer"] in files["md"]
    assert files["html"].startswith("<!doctype html>") and "<table" in files["html"]

    # The same again, cancelled: what was measured is kept, and another run can start. It takes minutes instead, since
    # each sample loads the tokenizer again: the press comes in time. Esc does nothing.
    settings = {"source": {"kind": "text", "text": TEXT}, "preset": "bert-gpt2", "rounds": 1000, "temperature": "cold"}
    page.route(
        f"**/api/v1/benchmarks/{line['id']}/run",
        lambda route: route.continue_(
            url=route.request.url.removesuffix(f"/{line['id']}/run"), post_data=json.dumps(settings)
        ),
    )
    page.get_by_role("button", name="Run again").click()
    expect(page.locator("benchmark-progress b")).to_contain_text(re.compile("Loading|Checking|Warming|Round"))
    page.keyboard.press("Escape")
    expect(page.locator("[data-role=cancel-benchmark]")).to_be_enabled()
    page.locator("[data-role=cancel-benchmark]").click()
    expect(page.locator("benchmark-progress")).to_be_hidden()
    lab.ready()
    states = [each["state"] for each in lab.server.call("GET", "benchmarks")["benchmarks"]]
    assert states == ["cancelled", "done"]
    expect(page.locator("[data-role=start-benchmark]")).to_be_enabled()

    # Deleted after a second press; the other run is shown then.
    page.get_by_role("tab", name="History").click()
    lab.ready()
    shown = re.search(r"run=(\d+)", page.url)
    assert shown
    delete = page.get_by_role("button", name=re.compile(f"elete run {shown[1]}"))
    delete.click()
    assert len(lab.server.call("GET", "benchmarks")["benchmarks"]) == 2
    expect(delete).to_have_text(f"Confirm delete run {shown[1]}")
    delete.click()
    expect(page.locator(f"[data-run='{shown[1]}']")).to_have_count(0)
    lab.ready()
    [left] = lab.server.call("GET", "benchmarks")["benchmarks"]
    assert left["id"] != int(shown[1]) and f"run={left['id']}" in page.url
    expect(page.locator("benchmark-progress")).to_be_hidden()


def test_a_row_in_every_state(kept: Lab):
    page = kept.page
    order = ["tokenlab", "tiktoken", "tokenizers", "alpha", "beta", "gamma", "delta"]
    assert [key.split("/")[1] for key in rows(page)] == order
    main = page.locator(".result-main")
    assert [text.split("\n")[0] for text in main.all_inner_texts()] == [
        "37.6\u202f×", "1\u202f×", "0.136\u202f×", "42.7\u202f×", "–", "–", "–",
    ]  # fmt: skip
    row = {name: page.locator(f".result-row[data-key='cl100k_base/{name}']") for name in order}
    expect(row["tokenlab"]).to_contain_text("fastest")
    expect(row["alpha"]).to_contain_text("3 of 487 differ")
    expect(row["alpha"]).not_to_contain_text("fastest")
    expect(row["beta"]).to_contain_text("crashed with signal 11")
    assert "0" not in row["gamma"].inner_text().replace("0.10.1", "").replace("60 s", "")
    page.get_by_text("Not installed: tokie").click()
    expect(page.locator(".result-missing").first).to_contain_text("pip install tokie")
    # Marks of the chart are on their rows.
    marks = page.locator(".result-chart .scatterlayer path.point")
    expect(marks).to_have_count(4)
    at = sorted(mark.evaluate(CENTRE) for mark in marks.all())
    for place, name in zip(at, order, strict=False):
        assert place == pytest.approx(row[name].evaluate(CENTRE), abs=2)

    for columns, head in (("Latency", "Median call"), ("Load and memory", "Peak memory"), ("Speed", "Times tiktoken")):
        page.get_by_role("radio", name=columns, exact=True).click()
        kept.ready()
        expect(page.locator(".result-head")).to_contain_text(head)
    row["alpha"].get_by_role("button").click()
    expect(page.locator("benchmark-row-details")).to_contain_text("First difference: document 3, token 412")
    assert "row=cl100k_base%2Falpha" in page.url

    with page.expect_download() as saved:
        page.locator("[data-role=export-benchmark]").click()
        page.locator("[data-role=chart-speed_rows-svg]").click()
    content = _text(saved.value)
    assert "Speed of each engine" in content and "2 Tokenlab" in content
    # From the slowest document to its tokens.
    page.get_by_role("tab", name="Where the time goes").click()
    kept.ready()
    profile = page.locator("document-profile")
    page.get_by_role("button", name="Profile document 17").click()
    kept.ready()
    expect(profile).to_contain_text("Document 17: where its time goes")
    expect(profile.locator(".profile-slowest")).to_contain_text("Slowest per byte")
    expect(profile.locator("[data-chart=profile] svg").first).to_be_visible()
    expect(profile.locator("[data-chart=stages] svg").first).to_be_visible()
    page.get_by_role("button", name="Close the profile").click()
    expect(profile).to_be_hidden()
    page.get_by_role("button", name="Open document 17 in Inspect").click()
    kept.ready()
    assert kept.current_text.startswith("日本語のとても長い文。")


def test_two_runs_are_compared(kept: Lab):
    page = kept.page
    page.get_by_role("checkbox", name="Compare with run 11").check()
    kept.ready()
    assert "before=11" in page.url
    changes = page.locator("side-panel [data-role=changes] tbody tr")
    expect(changes.filter(has_text="Tokenlab")).to_contain_text(re.compile("−30.%.*Slower", re.S))
    expect(changes.filter(has_text="alpha")).to_contain_text("Within noise")
    expect(page.locator("side-panel changes-list")).to_contain_text("Not comparable: ")
    page.get_by_role("tab", name="History").click()
    kept.ready()
    expect(page.locator("[data-figure=history] svg").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^10 ")).click()
    kept.ready()
    assert "run=10" in page.url and "before" not in page.url
    page.reload()
    kept.ready()
    expect(page.get_by_role("tab", name="History")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".run-open[aria-current=true]").first).to_contain_text("10")


def test_every_view_is_accessible_and_usable_by_keyboard(kept: Lab, axe: Axe):
    page = kept.page
    page.get_by_role("checkbox", name="Compare with run 11").check()
    page.locator(".result-pick").first.press("Enter")
    page.get_by_text("Not installed: tokie").click()
    page.get_by_role("tab", name=VIEWS[1]).click()
    page.get_by_role("button", name="Profile document 17").click()
    expect(page.locator("document-profile h2")).to_be_focused()
    tab = page.get_by_role("tab", name=VIEWS[0])
    tab.focus()
    page.keyboard.press("ArrowLeft")

    def next_view() -> None:
        page.keyboard.press("ArrowRight")
        seen.append(page.locator("[role=tab]:focus").inner_text())

    seen: list[str] = []
    views = [next_view] * len(VIEWS)
    axe.check_themes(kept, views=views, dark=few(views, 2))
    assert seen == [*VIEWS, *few(VIEWS, 2)], "the arrow goes round"
    # The chart is let go of with the screen.
    assert page.locator(".js-plotly-plot").count() > 0
    kept.go("inspect")
    for _ in range(2):
        kept.frames()
    kept.go("library")
    page.evaluate("location.hash = '#/benchmark'")
    kept.ready()
    expect(page.locator(".result-row")).to_have_count(7)


def _file(lab: Lab, format: str) -> str:
    """What the menu saves."""
    with lab.page.expect_download() as saved:
        lab.page.locator("[data-role=export-benchmark]").click()
        lab.page.locator(f"[data-role=benchmark-{format}]").click()
    assert saved.value.suggested_filename.endswith(f".{format}")
    return _text(saved.value)


def _text(saved: Download) -> str:
    path = saved.path()
    return path.read_text(encoding="utf-8")
