"""Growth, hard inputs and the races on the Benchmark screen: measured for real, on texts as small as can be."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from lab_app.benchmarks.cost.inputs import PATHOLOGICAL
from lab_app.benchmarks.cost.pathological import LIMIT_MB_PER_S
from lab_app.benchmarks.cost.race import FAST, TEXTBOOK
from lab_app.training.race import ALGORITHMS
from tests.browser.conftest import Axe, Lab

SMALL = {
    "growth": {"max_bytes": 320, "rounds": 1},
    "pathological": {"bytes": 300, "rounds": 1},
    "race": {"max_bytes": 320, "rounds": 1},
    "trainers": {"max_bytes": 2000, "rounds": 1},
}
"""What makes a measurement short. The rest is what the page asks for."""
ENGINES = ("Tokenlab", "tiktoken")
REMEMBER_CHARTS = "() => (window.charts = [...document.querySelectorAll('.js-plotly-plot')]).length"
LIVE_CHARTS = "() => window.charts.filter(graph => graph._fullLayout).length"


@pytest.fixture
def preferences() -> dict:
    own = {"benchmark.what": "own", "benchmark.engines": ["tokenlab", "tiktoken"], "benchmark.text": "@text"}
    return {"chosen": ["gpt2"], "active": "gpt2", "theme": "light", **own}


@pytest.fixture
def asked(lab: Lab) -> dict[str, dict]:
    """What the page asks to measure, by the kind of measurement."""
    found: dict[str, dict] = {}

    def shrink(route: Route) -> None:
        kind = route.request.url.rsplit("/", 1)[-1]
        found[kind] = route.request.post_data_json
        route.continue_(post_data=json.dumps({**found[kind], **SMALL[kind]}))

    for kind in SMALL:
        lab.page.route(f"**/api/v1/benchmarks/{kind}", shrink)
    return found


def measure(lab: Lab, view: str, **choices: str) -> Page:
    """Opens a view, makes its choices and measures."""
    page = lab.page
    page.get_by_role("tab", name=view).click()
    panel = page.get_by_role("tabpanel", name=view)
    for name, choice in choices.items():
        panel.locator(f"[data-role=cost-{name}]:visible").select_option(choice)
    with lab.news_held():
        panel.locator("[data-role=measure-cost]:visible").click()
        expect(page.locator("benchmark-progress")).to_be_visible()
    expect(page.locator("benchmark-progress")).to_be_hidden(timeout=120_000)
    lab.ready()
    return page


def values(page: Page, chart: str) -> list[list[str]]:
    """The table below a chart."""
    found = page.locator(f"[data-chart={chart}]:visible details")
    found.locator("summary").click()
    expect(found.locator("tbody tr").first).to_be_visible()
    return [row.locator("th, td").all_inner_texts() for row in found.locator("tbody tr").all()]


def number(words: str) -> int:
    return int(words.replace("\u202f", ""))


def test_costs_are_measured_drawn_and_let_go_of(lab: Lab, asked: dict[str, dict]):
    page = lab.page
    lab.go("benchmark")
    subjects = [{"tokenizer": "gpt2", "engine": "tokenlab"}, {"tokenizer": "gpt2", "engine": "tiktoken"}]

    measure(lab, "Growth", input="words", max_bytes="100000")
    told = {"axis": "bytes", "input": "words", "max_bytes": 100_000}
    assert asked["growth"] == {"subjects": subjects, **told}
    points = values(page, "growth_bytes")
    assert [row[:3] for row in points] == [[name, size, "ok"] for name in ENGINES for size in ("100", "316")]
    assert all(number(row[4]) <= number(row[3]) <= number(row[5]) for row in points)
    assert all(number(row[4]) > 0 for row in points)

    measure(lab, "Hard inputs")
    assert asked["pathological"] == {"subjects": subjects}
    found = values(page, "pathological")
    assert [row[0] for row in found[::2]] == [each.description for each in PATHOLOGICAL]
    assert {(row[1], row[2], row[3]) for row in found} == {(name, "gpt2", "ok") for name in ("tokenlab", "tiktoken")}
    for row in found:
        assert row[7] == ("yes" if float(row[4]) >= LIMIT_MB_PER_S else "no")

    measure(lab, "Race", input="random_letters", max_bytes="100000")
    assert asked["race"] == {"tokenizer": "gpt2", "input": "random_letters", "max_bytes": 100_000}
    raced = values(page, "race")
    assert list(dict.fromkeys(row[0] for row in raced)) == [FAST, *TEXTBOOK, "textbook, Python"]
    assert {row[2] for row in raced} == {"ok"}
    merges = {(row[0], row[1]): number(row[2]) for row in values(page, "race_steps")}
    assert {name for name, _ in merges} == set(TEXTBOOK)
    # Letters without spaces are one word: all of them make the same merges.
    for size in ("100", "316"):
        [same] = {merges[name, size] for name in TEXTBOOK}
        assert same > 0

    # What was measured stays while other views are looked at, and is let go of with the screen.
    page.get_by_role("tab", name="Hard inputs").click()
    expect(page.locator("[data-chart=pathological] svg").first).to_be_visible()
    page.get_by_role("tab", name="Growth").click()
    expect(page.locator("[data-chart=growth_bytes] svg").first).to_be_visible()
    assert page.evaluate(REMEMBER_CHARTS) == 4
    lab.go("inspect")
    lab.until(lambda: page.evaluate(LIVE_CHARTS) == 0, "the charts are let go of")

    lab.go("benchmark")
    page.get_by_role("tab", name="Race").click()
    lab.ready()
    page.locator("[data-role=watch-how]:visible").click()
    lab.ready()
    expect(page.get_by_role("heading", name="Four BPE encoders", exact=True)).to_be_visible()
    expect(page.locator("lesson-view .lesson-sentence")).to_contain_text("Operations: merge loop")
    expect(page.locator("lesson-view .lesson-note")).to_have_text("Only the beginning of the text came along.")


def test_trainers_race(lab: Lab, asked: dict[str, dict], axe: Axe):
    """By keyboard; the practice corpus is the usual text, and a text of one's own takes its place."""
    page = lab.page
    lab.go("benchmark")
    page.get_by_role("tab", name="Race").click()
    page.get_by_role("radio", name="Encoding").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Training")).to_be_checked()
    lab.ready()
    assert "race=training" in page.url
    source = page.locator("[data-role=cost-source]")
    assert source.locator("option").first.inner_text().startswith("Python's documentation, ")
    expect(source).to_have_value("practice:topics")

    measure(lab, "Race", merges="100")
    told = {"merges": 100, "max_bytes": 1_000_000}
    assert asked["trainers"] == {"source": {"kind": "practice", "name": "topics"}, **told}
    raced = values(page, "trainers")
    assert list(dict.fromkeys(row[0] for row in raced)) == list(reversed(ALGORITHMS))
    assert {row[2] for row in raced} == {"ok"}
    expect(page.locator("[data-chart=trainers]")).to_contain_text("all make the same merges")
    steps = {(row[0], row[1]): row[2:] for row in values(page, "trainer_steps")}
    assert {name for name, _ in steps} == set(ALGORITHMS)
    export = page.locator(".benchmark .tools menu-button")
    export.get_by_role("button").first.click()
    expect(page.locator("[data-role=chart-trainers-csv]")).to_be_visible()
    expect(page.locator("[data-role=benchmark-json]")).to_be_hidden()
    page.keyboard.press("Escape")

    source.select_option("@typed")
    button = page.locator("[data-role=measure-cost]:visible")
    expect(button).to_be_disabled()
    page.locator("[data-role=cost-typed]:visible").fill("hug pug pun bun hugs")
    expect(button).to_be_enabled()
    measure(lab, "Race")
    assert asked["trainers"]["source"] == {"kind": "text", "name": "Pasted text", "text": "hug pug pun bun hugs"}
    expect(page.locator("[data-chart=trainers]")).to_contain_text("Pasted text, up to 100 merges")

    axe.check_themes(lab)

    # The choice is part of the address.
    page.reload()
    lab.ready()
    expect(page.get_by_role("radio", name="Training")).to_be_checked()

    page.locator("[data-role=watch-how]:visible").focus()
    page.keyboard.press("Enter")
    lab.ready()
    expect(page.get_by_role("textbox", name="Text of the lesson")).to_have_value("hug pug pun bun hugs")
    expect(page.get_by_role("heading", name="BPE training", exact=True)).to_be_visible()
    expect(page.locator("lesson-view .lesson-note")).to_contain_text("Merge 100 is beyond what this text can teach")


def test_the_text_of_inspect_trains(lab: Lab, asked: dict[str, dict]):
    lab.write("hug pug pun bun hugs")
    lab.go("benchmark")
    lab.page.get_by_role("tab", name="Race").click()
    lab.page.get_by_role("radio", name="Training").click()
    lab.ready()
    measure(lab, "Race", source="@text")
    assert asked["trainers"]["source"] == {"kind": "text", "name": "Text of Inspect", "text": "hug pug pun bun hugs"}
