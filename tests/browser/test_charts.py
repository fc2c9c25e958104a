"""The chart element under the page's own policy: every kind in both themes, what it says without colour, what it leaves.

No screen has a chart yet, so these tests put one into the page.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

HOSTILE = "<img src=x onerror=alert(1)>"
NAMES = {"label": "tokenizer"}
CHARTS: dict[str, dict[str, Any]] = {
    "line": {
        "title": "Bytes per token by size of the vocabulary",
        "x": {"label": "vocabulary size", "scale": "log"},
        "y": {"label": "bytes per token"},
        "series": [
            {"kind": "line", "name": "BPE", "x": [1000, 10_000, 100_000], "y": [2.1, 3.4, 4.2]},
            {"kind": "line", "name": "Unigram", "x": [1000, 10_000, 100_000], "y": [2.3, 3.3, 4.0]},
        ],
    },
    "points": {
        "title": "Rank and frequency",
        "x": {"label": "rank", "scale": "log"},
        "y": {"label": "frequency", "scale": "log"},
        "series": [{"kind": "points", "name": "words", "x": [1, 2, 3, 4], "y": [100, 50, 33, 25]}],
    },
    "bar": {
        "title": "Tokens by script",
        "x": {"label": "script"},
        "y": {"label": "tokens"},
        "series": [
            {"kind": "bar", "name": "BERT", "letter": "A", "x": ["Latin", HOSTILE, "2020-01"], "y": [70, 20, 10]},
            {"kind": "bar", "name": HOSTILE, "letter": "B", "x": ["Latin", HOSTILE, "2020-01"], "y": [60, 25, 15]},
        ],
    },
    "histogram": {
        "title": "Lengths of tokens",
        "x": {"label": "bytes"},
        "y": {"label": "tokens"},
        "series": [{"kind": "histogram", "name": "GPT-2", "values": [1, 1, 2, 2, 2, 3, 5, 8]}],
    },
    "heatmap": {
        "title": "Agreement",
        "x": NAMES,
        "y": NAMES,
        "series": [
            {"kind": "heatmap", "name": "share", "x": ["A", "B"], "y": ["A", HOSTILE], "z": [[1, 0.5], [0.5, 1]]}
        ],
    },
}
SHOW = """async charts => {
    const { LabChart } = await import(new URL('js/ui/chart.js', document.baseURI).href);
    const place = document.createElement('div');
    place.id = 'charts';
    place.style.cssText = 'position: fixed; inset: 0; overflow: auto; z-index: 9; background: var(--paper); padding: 1rem';
    document.body.append(place);
    for (const [kind, chart] of Object.entries(charts)) {
        const element = new LabChart();
        element.dataset.kind = kind;
        place.append(element);
        element.show(chart);
        await element.drawn;
    }
}"""


def show(lab: Lab, *kinds: str) -> None:
    lab.page.evaluate(SHOW, {kind: CHARTS[kind] for kind in kinds or CHARTS})
    expect(lab.page.locator("lab-chart .main-svg").first).to_be_attached()


def colours(lab: Lab, kind: str) -> set[str]:
    """What the text and the marks of a chart are filled with, patterns left out."""
    found = set(
        lab.page.locator(f"lab-chart[data-kind={kind}]").evaluate(
            """chart => [...chart.querySelectorAll('.xtick text, .point path, .point, path.js-line')]
                .flatMap(node => [node.style.fill, node.style.stroke])"""
        )
    )
    return {colour for colour in found if colour.startswith("rgb(")}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_is_drawn_in_the_colours_of_the_theme(lab: Lab, theme: str):
    lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    show(lab)
    for kind, chart in CHARTS.items():
        drawn = lab.page.locator(f"lab-chart[data-kind={kind}]")
        expect(drawn.locator("figcaption")).to_have_text(chart["title"])
        expect(drawn.locator(".xtitle")).to_have_text(chart["x"]["label"])
        assert drawn.locator(".point, .js-line, .hm image").count() > 0, kind
        ink = drawn.locator(".xtitle").evaluate("node => node.style.fill")
        assert ink == drawn.evaluate(
            """node => { const probe = document.createElement('i'); probe.style.color = 'var(--ink)';
                node.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; }"""
        ), kind


def test_a_chart_follows_the_theme_and_the_text_size(lab: Lab):
    show(lab, "bar")
    before = colours(lab, "bar")
    size = lab.page.locator(".xtitle").evaluate("node => parseFloat(node.style.fontSize)")
    lab.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    lab.until(lambda: not before & colours(lab, "bar"), "the colours of the dark theme")
    lab.page.evaluate("document.documentElement.style.setProperty('--text-scale', '1.8')")
    lab.until(
        lambda: lab.page.locator(".xtitle").evaluate("node => parseFloat(node.style.fontSize)") > size * 1.5,
        "larger text",
    )


def test_a_chart_has_the_size_of_its_element(lab: Lab):
    show(lab, "line")
    width = "document.querySelector('lab-chart .main-svg').getBoundingClientRect().width"
    before = lab.page.evaluate(width)
    lab.page.evaluate("document.querySelector('#charts').style.right = '400px'")
    lab.until(lambda: abs(lab.page.evaluate(width) - (before - 400)) < 2, "a narrower chart")


def test_markup_in_a_name_stays_text(lab: Lab):
    show(lab, "bar", "heatmap")
    page = lab.page
    assert page.locator("lab-chart img").count() == 0
    expect(page.locator("lab-chart[data-kind=bar] .xtick text").nth(1)).to_have_text(HOSTILE)
    expect(page.locator("lab-chart[data-kind=bar] .legendtext").nth(1)).to_have_text(HOSTILE)
    expect(page.locator("lab-chart[data-kind=heatmap] .ytick text").nth(1)).to_have_text(HOSTILE)


def test_names_are_no_dates_and_equal_names_stay_apart(lab: Lab):
    chart = json.loads(json.dumps(CHARTS["bar"]))
    chart["series"] = [{"kind": "bar", "name": "n", "x": ["2020-01", "1", "1"], "y": [1, 2, 3]}]
    lab.page.evaluate(SHOW, {"bar": chart})
    assert lab.page.locator("lab-chart .xtick text").all_text_contents() == ["2020-01", "1", "1"]
    assert lab.page.locator("lab-chart .point").count() == 3


def test_the_values_are_read_by_key_and_in_a_table(lab: Lab):
    show(lab, "bar", "histogram", "heatmap")
    bar = lab.page.locator("lab-chart[data-kind=bar]")
    bar.locator(".chart-plot").focus()
    lab.page.keyboard.press("ArrowRight")
    expect(bar.locator("[aria-live]")).to_have_text("script Latin, BERT: tokens 70")
    lab.page.keyboard.press("ArrowDown")
    expect(bar.locator("[aria-live]")).to_have_text(f"script Latin, {HOSTILE}: tokens 60")
    lab.page.keyboard.press("End")
    expect(bar.locator("[aria-live]")).to_have_text(f"script 2020-01, {HOSTILE}: tokens 15")
    expect(bar.locator(".hoverlayer .hovertext")).to_have_count(1)
    heatmap = lab.page.locator("lab-chart[data-kind=heatmap]")
    heatmap.locator(".chart-plot").focus()
    lab.page.keyboard.press("End")
    expect(heatmap.locator("[aria-live]")).to_contain_text(": 1")
    histogram = lab.page.locator("lab-chart[data-kind=histogram]")
    histogram.locator("summary").click()
    total = sum(int(cell) for cell in histogram.locator("tbody td:last-child").all_inner_texts())
    assert total == 8


def test_a_chart_that_cannot_be_drawn_says_so_and_keeps_its_table(lab: Lab):
    lab.tolerated = ("Failed to load resource", "net::ERR_FAILED")
    lab.page.route("**/vendor/plotly.js", lambda route: route.abort())
    lab.page.evaluate(SHOW, {"bar": CHARTS["bar"]})
    expect(lab.page.locator("lab-chart .warning")).to_contain_text("The chart cannot be drawn.")
    lab.page.locator("lab-chart summary").click()
    expect(lab.page.locator("lab-chart tbody td").first).to_have_text("70")


def test_series_differ_without_colour(lab: Lab):
    show(lab, "line", "bar")
    dashes = lab.page.locator("lab-chart[data-kind=line] .js-line").evaluate_all(
        "lines => lines.map(line => line.style.strokeDasharray)"
    )
    assert len(set(dashes)) == 2
    fills = lab.page.locator("lab-chart[data-kind=bar] .trace").evaluate_all(
        "traces => traces.map(trace => trace.querySelector('path').style.fill.startsWith('url'))"
    )
    assert sorted(fills) == [False, True]


def test_a_chart_leaves_nothing(lab: Lab):
    counters = lab.page.context.new_cdp_session(lab.page)

    def alive() -> tuple[int, int]:
        counters.send("HeapProfiler.collectGarbage")
        found = counters.send("Memory.getDOMCounters")
        return found["nodes"], found["jsEventListeners"]

    def open_and_leave() -> None:
        show(lab)
        lab.page.evaluate("document.querySelector('#charts').remove()")
        lab.idle()

    open_and_leave()
    before = alive()
    for _ in range(4):
        open_and_leave()
    after = alive()
    assert lab.page.locator("#js-plotly-tester").count() == 0
    assert after[0] - before[0] < 100 and after[1] - before[1] < 20, (before, after)


def test_a_chart_that_moves_stays(lab: Lab):
    show(lab, "line")
    lab.page.evaluate("document.body.append(document.querySelector('lab-chart'))")
    lab.frames()
    expect(lab.page.locator("body > lab-chart .main-svg").first).to_be_attached()


def test_axe_finds_nothing_in_charts(lab: Lab, axe: str):
    show(lab)
    for summary in lab.page.locator("lab-chart summary").all():
        summary.click()
    lab.page.evaluate(axe)
    found = lab.page.evaluate("axe.run('#charts').then(found => found.violations)")
    assert not found, [(one["id"], [node["html"][:90] for node in one["nodes"]]) for one in found]
