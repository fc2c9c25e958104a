"""The core of every screen in the lab's own window, whose web view is another than the one of the browser tests."""

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.conftest import Lab
from tests.desktop.conftest import Program

PARAGRAPH = "The unaffordable naïve café served 2048 guests; 東京都 and नमस्ते, مرحبا بالعالم 👩‍🔬.\n"


@pytest.fixture(scope="module")
def lab(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One window for all tests of this file. What the interface would answer is not asked: its secret is the window's."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "TOKENLAB_DATA_DIR": str(tmp_path_factory.mktemp("window-data")),
    }
    program = Program([sys.executable, "-m", "lab_app.cli.main"], environment)
    try:
        program.says("open in a window")
        page = program.page(playwright)
        page.evaluate("location.hash = '#/inspect?t=gpt2&t=bert-base-uncased'")
        yield Lab(page, SimpleNamespace(address=page.url.partition("#")[0]))  # type: ignore[arg-type]
        program.process.terminate()
        assert program.status() == 0
    finally:
        program.kill()


def test_inspect_draws_every_script(lab: Lab):
    lab.go("inspect")
    text = PARAGRAPH * 3
    lab.set_text(text)
    drawn = {(token["start"], token["end"]) for token in lab.tokens()}
    covered = sorted(drawn)
    assert covered[0][0] == 0 and covered[-1][1] == len(text.encode())
    assert all(a[1] == b[0] for a, b in pairwise(covered)), "no byte is in no token"
    assert lab.count("gpt2") == len(lab.tokens())


def test_the_drawer_says_why(lab: Lab):
    lab.go("inspect")
    lab.write("unaffordable")
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("ArrowLeft")
    lab.page.keyboard.press("y")
    lab.ready()
    expect(lab.page.locator("boundary-reason")).to_contain_text("merge")


def test_a_megabyte_is_typed_into(lab: Lab):
    lab.go("inspect")
    lab.set_text(PARAGRAPH * (1_000_000 // len(PARAGRAPH.encode())))
    before = lab.count("gpt2")
    lab.text.focus()
    lab.page.keyboard.press("Control+Home")
    lab.page.keyboard.type("qz ")
    lab.ready()
    assert lab.count("gpt2") > before
    assert lab.tokens()[0]["start"] == 0 and len(lab.tokens()) < 5000


def test_compare_shows_lanes_and_walks_through_divergences(lab: Lab):
    lab.go("compare")
    lab.set_text("A 2048-token window: unaffordable 日本語")
    lanes = lab.page.locator("[data-role=lane]")
    assert lanes.count() == lab.page.locator("tokenizer-chips .chip").count() >= 2
    lab.page.locator("[data-role=next-divergence]").click()
    lab.page.keyboard.press("n")
    expect(lab.page.locator("[data-role=divergence-position]")).to_contain_text("2 of ")


def test_the_vocabulary_is_searched(lab: Lab):
    lab.go("vocabulary")
    lab.page.locator("[data-role=vocabulary-search]").fill("token")
    rows = lab.page.locator("[data-role=vocabulary-rows] [data-row]")
    expect(rows.filter(has_text="tokens").first).to_be_visible()
    rows.first.click()
    lab.ready()
    expect(lab.page.locator("vocabulary-entry")).to_contain_text("How it was built")


def test_library_and_reports(lab: Lab):
    lab.go("library")
    expect(lab.page.locator(".tokenizer-row[data-tokenizer=gpt2]")).to_contain_text("50\u202f257")
    lab.go("reports")
    lab.page.get_by_placeholder("Name of the session").fill("from the window")
    lab.page.get_by_role("button", name="Save this session").click()
    lab.ready()
    expect(lab.page.locator(".session").filter(has_text="from the window")).to_have_count(1)


def test_nothing_threw(lab: Lab):
    expect(lab.error).to_be_hidden()


PICTURE = """async () => {
    const [{ pictureOf, svgOf }, { pngOf }, { withWholeTexts }, { fontStyle }] = await Promise.all(
        ['picture', 'png', 'whole_text', 'fonts'].map(name => import(`./js/picture/${name}.js`)));
    const text = document.querySelector('token-text');
    const picture = withWholeTexts(text, [text], null, () =>
        pictureOf(text, [text], { heads: [], title: 'a <picture>', caption: 'a caption' }));
    const svg = svgOf(picture, { style: await fontStyle(picture.body), metadata: {} });
    const bitmap = await createImageBitmap(await pngOf({ ...picture, svg }, 2, {})), canvas = document.createElement('canvas');
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const pen = canvas.getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const drawn = text.drawnLanes[0].pieces.filter(piece => !piece.part).length;
    return { width: picture.width, height: picture.height, pixels: [bitmap.width, bitmap.height], colours: new Set(pixels).size,
        tokens: [...svg.matchAll(/<g class="token" data-tokenizer/g)].length, drawn };
}"""


def test_what_is_seen_becomes_a_picture(lab: Lab):
    lab.go("inspect")
    lab.write(PARAGRAPH)
    found = lab.page.evaluate(PICTURE)
    assert found["pixels"] == [2 * found["width"], 2 * found["height"]]
    assert found["tokens"] == found["drawn"] > 20 and found["colours"] > 50
