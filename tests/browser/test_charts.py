"""The chart element under the page's own policy: every chart in both themes, what it says without colour, what it leaves."""

import base64
import io
import re
from dataclasses import asdict
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from lab_app.charts.registry import CHARTS
from tests.browser.conftest import Axe, Lab
from tests.corpus_sample import HOSTILE, sample
from tests.scale import scaled

SHOW = """async charts => {
    location.hash = '#/corpus';  // which loads charts
    const LabChart = await customElements.whenDefined('lab-chart');
    const place = document.createElement('div');
    place.id = 'charts';
    place.style.cssText = 'position: fixed; inset: 0; overflow: auto; z-index: 9; background: var(--paper); padding: 1rem';
    document.body.append(place);
    window.picked = [];
    for (const chart of charts) {
        const element = new LabChart();
        element.addEventListener('pointpick', ({ detail }) => window.picked.push(detail));
        place.append(element);
        element.showFigure(chart);
        await element.drawn;
    }
}"""


def chart(name: str) -> dict[str, Any]:
    """A chart of the sample as JSON."""
    return asdict(CHARTS[name](sample()))


def show(lab: Lab, *names: str) -> None:
    lab.page.evaluate(SHOW, [chart(name) for name in names or CHARTS])
    expect(lab.page.locator("lab-chart .main-svg").first).to_be_attached()


def drawn(lab: Lab, name: str) -> Locator:
    return lab.page.locator(f"lab-chart[data-chart={name}]")


def colours(lab: Lab, name: str) -> set[str]:
    """Colours of the text and the marks of a chart."""
    found = drawn(lab, name).evaluate(
        """chart => [...chart.querySelectorAll('.xtick text, .point path, .point, path.js-line')]
            .flatMap(node => [node.style.fill, node.style.stroke])"""
    )
    return {colour for colour in found if colour.startswith("rgb(")}


def resolved(place: Locator, name: str) -> str:
    """A variable of the style sheet as a colour."""
    return place.evaluate(
        """(node, name) => { const probe = document.createElement('i'); probe.style.color = `var(--${name})`;
            node.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color; }""",
        name,
    )


def test_every_chart_is_drawn_in_the_colours_of_the_theme(lab: Lab, axe: Axe):
    show(lab)
    lab.page.locator("lab-chart summary").evaluate_all("all => all.forEach(summary => summary.click())")

    def look() -> None:
        for name in CHARTS:
            place = drawn(lab, name)
            expect(place.locator(".xtick text, .ytick text").first).to_have_css("fill", resolved(place, "ink-2"))
            expect(place.locator(".chart-title")).to_have_text(chart(name)["title"])
            assert place.locator(".point, .js-line, .hm image").count() > 0, name
        hues = {resolved(drawn(lab, "zipf"), letter) for letter in "abc"}
        assert hues <= colours(lab, "zipf")

    axe.check_themes(lab, "#charts", views=[look])


def test_a_chart_follows_the_theme_the_text_size_and_the_size_of_its_element(lab: Lab):
    lab.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    show(lab, "zipf")
    before = colours(lab, "zipf")
    assert {resolved(drawn(lab, "zipf"), letter) for letter in "abc"} <= before
    tick = lab.page.locator(".xtick text").first
    size = tick.evaluate("node => parseFloat(node.style.fontSize)")
    lab.page.evaluate("document.documentElement.dataset.theme = 'light'")
    hues = {resolved(drawn(lab, "zipf"), letter) for letter in "abc"}
    assert not hues & before
    lab.until(lambda: hues <= colours(lab, "zipf"), "the colours of the light theme")
    lab.page.evaluate("document.documentElement.style.setProperty('--text-scale', '1.8')")
    lab.until(lambda: tick.evaluate("node => parseFloat(node.style.fontSize)") > size * 1.5, "larger text")
    width = "document.querySelector('lab-chart .main-svg').getBoundingClientRect().width"
    wide = lab.page.evaluate(width)
    lab.page.evaluate("document.querySelector('#charts').style.right = '400px'")
    lab.until(lambda: abs(lab.page.evaluate(width) - (wide - 400)) < 2, "a narrower chart")


def test_the_values_are_read_by_key_and_in_a_table(lab: Lab):
    show(lab, "coverage")
    place = drawn(lab, "coverage")
    expect(place.locator(".chart-plot")).to_have_accessible_description(chart("coverage")["summary"])
    place.locator(".chart-plot").focus()
    lab.page.keyboard.press("ArrowRight")
    expect(place.locator("[aria-live]")).to_contain_text("A bert, the 1 most frequent: 33.3")
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("End")
    expect(place.locator("[aria-live]")).to_contain_text("99")
    expect(place.locator(".hoverlayer .hovertext")).to_have_count(1)
    place.locator("summary").click()
    expect(place.locator("tbody tr")).to_have_count(len(chart("coverage")["table"]["rows"]))
    expect(place.locator("tbody tr").first).to_contain_text("0.3333")


def test_keys_and_drag_zoom_and_return(lab: Lab):
    show(lab, "zipf")
    plot = drawn(lab, "zipf").locator(".chart-plot")
    span = """() => { const { range } = document.querySelector('lab-chart .js-plotly-plot')._fullLayout.xaxis;
        return range[1] - range[0]; }"""
    whole = lab.page.evaluate(span)
    plot.focus()
    lab.page.keyboard.press("+")
    lab.until(lambda: abs(lab.page.evaluate(span) - whole / 2) < 1e-6, "half of the range")
    lab.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    lab.frames()
    assert abs(lab.page.evaluate(span) - whole / 2) < 1e-6, "the theme keeps the zoom"
    lab.page.keyboard.press("0")
    lab.until(lambda: abs(lab.page.evaluate(span) - whole) < 0.2 * whole, "the whole range")
    box = plot.locator(".nsewdrag").first.bounding_box()
    assert box
    lab.page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 20)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] - 20, steps=4)
    lab.page.mouse.up()
    lab.until(lambda: lab.page.evaluate(span) < whole / 2, "the range that was dragged")
    lab.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    lab.until(lambda: abs(lab.page.evaluate(span) - whole) < 1e-6, "the whole range again")


def test_markup_in_a_name_stays_text(lab: Lab):
    one = chart("zipf")
    one["title"] = one["keys"][0]["name"] = HOSTILE
    lab.page.evaluate(SHOW, [one])
    place = drawn(lab, "zipf")
    place.locator(".chart-plot").focus()
    for _ in range(2):
        lab.page.keyboard.press("ArrowDown")
    expect(place.locator("[aria-live]")).to_contain_text("C <i>c</i>, rank 1: 300 occurrences")
    expect(place.locator(".hoverlayer")).to_contain_text("C <i>c</i>")
    picture = place.evaluate("async chart => (await chart.picture()).svg")
    assert "img src=x onerror" in picture and "<img" not in picture
    assert lab.page.locator("lab-chart img").count() == 0


def test_a_picture_has_title_unit_key_and_the_colours_of_the_theme(lab: Lab):
    show(lab, "zipf")
    found = drawn(lab, "zipf").evaluate("chart => chart.picture()")
    assert found["height"] > 320 and found["svg"].startswith("<svg")
    # A machine without the page's fonts finds another one.
    assert re.search(r"font-family: [^;]*sans-serif", found["svg"])
    for words in ("Rank and frequency", "occurrences by rank", "B gpt2"):
        assert words in found["svg"].replace("\u00a0", " "), words
    assert "var(--" not in found["svg"].split("<style", maxsplit=1)[0]
    # It is drawn by the browser as an image, which a PNG is made from.
    encoded = base64.b64encode(found["svg"].encode()).decode()
    width = lab.page.evaluate(
        """async data => { const image = new Image(); image.src = `data:image/svg+xml;base64,${data}`;
            await image.decode(); return image.naturalWidth; }""",
        encoded,
    )
    assert width == found["width"]


@pytest.mark.new_document
def test_a_chart_that_cannot_be_drawn_says_so_and_keeps_its_table(lab: Lab):
    lab.tolerated = ("Failed to load resource", "net::ERR_FAILED")
    lab.page.route("**/vendor/plotly.js", lambda route: route.abort())
    lab.page.evaluate(SHOW, [chart("zipf")])
    expect(lab.page.locator("lab-chart .warning")).to_contain_text("The chart cannot be drawn.")
    lab.page.locator("lab-chart summary").click()
    expect(lab.page.locator("lab-chart tbody td.number").nth(1)).to_have_text("90")


def test_series_differ_without_colour(lab: Lab):
    show(lab, "zipf")
    lines = (
        drawn(lab, "zipf")
        .locator(".trace")
        .evaluate_all(
            """traces => traces.map(trace => [trace.querySelector('.js-line')?.style.strokeDasharray,
            trace.querySelector('.point')?.getAttribute('d')?.replace(/[-\\d.]+/g, '')])"""
        )
    )
    curves = [(dash, shape) for dash, shape in lines if shape]
    assert len(curves) == len(set(curves)) == 3
    assert len({shape for _, shape in curves}) == 3


@pytest.mark.new_document(alone=True)
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
    rounds = scaled(1)
    for _ in range(rounds):
        open_and_leave()
    after = alive()
    assert lab.page.locator("#js-plotly-tester").count() == 0
    assert after[0] - before[0] < 25 * rounds and after[1] - before[1] < 5 * rounds, (before, after)


def test_a_chart_that_moves_stays(lab: Lab):
    show(lab, "zipf")
    lab.page.evaluate("document.body.append(document.querySelector('lab-chart'))")
    lab.frames()
    expect(lab.page.locator("body > lab-chart .main-svg").first).to_be_attached()


def test_a_bar_that_is_clicked_or_chosen_by_key_is_reported(lab: Lab):
    show(lab, "frequency")
    place = drawn(lab, "frequency")
    box = place.locator(".bars .point").first.bounding_box()
    assert box
    lab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(place.locator(".hoverlayer .hovertext")).to_contain_text("[UNK]")
    lab.page.mouse.down()
    lab.page.mouse.up()
    first = {"chart": "frequency", "data": {"tokenizer": "bert", "id": 101, "token": "[UNK]"}}
    lab.until(lambda: lab.page.evaluate("window.picked") == [first], "the token of the bar is reported")
    place.locator(".chart-plot").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        lab.page.keyboard.press(key)
    assert lab.page.evaluate("window.picked")[1]["data"] == {"tokenizer": "bert", "id": 102, "token": HOSTILE}


def test_files_of_a_chart(lab: Lab):
    one = {**chart("zipf"), "csv": "a,b\r\n"}
    lab.page.evaluate(SHOW, [one])
    files = drawn(lab, "zipf").evaluate(
        """async chart => {
            const { CHART_FORMATS, chartFile } = await import(new URL('js/app/exports/chart_files.js', document.baseURI).href);
            const settings = new Map([['figureWidth', 'column'], ['figureText', '8'], ['figureTitle', true]]);
            return Promise.all(CHART_FORMATS.map(async format => {
                const { name, data } = await chartFile(chart, format, settings);
                return [name, data.type, Array.from(new Uint8Array(await data.arrayBuffer()))];
            }));
        }"""
    )
    png, svg, table = [(name, media_type, bytes(data)) for name, media_type, data in files]
    assert png[:2] == ("zipf.png", "image/png") and png[2].startswith(b"\x89PNG")
    assert b"Rank and frequency" in png[2], "its texts say what it shows"
    assert svg[:2] == ("zipf.svg", "image/svg+xml") and b"Rank and frequency" in svg[2]
    assert svg[2].startswith(b'<svg width="8.5cm" height="') and b'viewBox="0 0 321 ' in svg[2][:200]
    picture = Image.open(io.BytesIO(png[2]))
    assert picture.width == 1003 and round(picture.info["dpi"][0]) == 300
    assert table == ("zipf.csv", "text/csv", b"a,b\r\n")


@pytest.mark.new_document(alone=True)
def test_a_chart_is_printed_on_a_page_of_its_size(lab: Lab):
    show(lab, "zipf")
    title = lab.page.title()
    lab.page.evaluate("window.print = () => {}")  # the browser prints below
    drawn(lab, "zipf").evaluate(
        """async chart => {
            const { printChart } = await import(new URL('js/app/exports/chart_files.js', document.baseURI).href);
            const settings = new Map([['figureWidth', 'column'], ['figureText', '8'], ['figureTitle', true]]);
            await printChart(chart, settings);
            await Promise.all([printChart(chart, settings), printChart(chart, settings)]);
        }"""
    )
    assert lab.page.title() == "zipf", "browsers take the name of the file from it"
    pdf = lab.page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 1
    assert b"/FontDescriptor" in pdf, "letters stay letters"
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [round(float(side) / 72 * 2.54, 1) for side in box] == [8.5, 11.1]
    expect(lab.page.locator(".printed")).to_have_count(0)
    assert lab.page.title() == title


def test_a_menu_offers_the_charts_that_are_shown(lab: Lab):
    show(lab, "zipf", "coverage")
    lab.page.evaluate(
        """async () => {
            const { offerCharts } = await import(new URL('js/app/exports/chart_files.js', document.baseURI).href);
            const menu = document.createElement('menu-button');
            const place = document.querySelector('#charts');
            place.prepend(menu);
            menu.label = 'Export';
            const save = (chart, format) => window.picked.push([chart.chart.name, format]);
            offerCharts(menu, place, document.createElement('div'), save, () => window.picked.push(['all']));
            place.querySelector('[data-chart=coverage]').hidden = true;
        }"""
    )
    menu = lab.page.locator("#charts menu-button")
    menu.get_by_role("button", name="Export").click()
    offered = menu.locator(".menu-item")
    expect(offered).to_have_count(5)
    menu.get_by_role("button", name="SVG: Rank and frequency").click()
    expect(offered.first).to_be_hidden()
    menu.get_by_role("button", name="Export").click()
    menu.get_by_role("button", name="All charts of this result (ZIP)").click()
    assert lab.page.evaluate("window.picked") == [["zipf", "svg"], ["all"]]
    expect(offered.first).to_be_hidden()
