"""What is seen, saved as a picture: every token once, where it is on the screen, and letters that are letters."""

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script> & \"q\" 'x' \u202eevil\u202c \x00 日本語 👩\u200d🔬 नमस्ते مرحبا بالعالم 42\nend"


@pytest.fixture
def preferences() -> dict:
    return {"chosen": ["bert-base-uncased", "gpt2"], "active": "gpt2", "theme": "light"}


def save(lab: Lab, format: str) -> Path:
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type(f"picture {format}")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    assert started.value.suggested_filename.endswith(f".{format}")
    return Path(started.value.path())


def tokens_in(root: ElementTree.Element, tokenizer: str) -> list[dict]:
    groups = root.iterfind(f".//{SVG}g[@class='token'][@data-tokenizer='{tokenizer}']")
    found = [{name: int(group.attrib[f"data-{name}"]) for name in ("id", "start", "end")} for group in groups]
    return sorted(found, key=lambda token: (token["start"], token["end"]))


def letters_of(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iterfind(f".//{SVG}text[@class='text']")]


@pytest.mark.parametrize("screen", ["inspect", "compare"])
@pytest.mark.parametrize("text", ["Hello, unaffordable world", HOSTILE, "word " * 60 + "\n\ttab"])
def test_the_picture_has_every_token_once(lab: Lab, screen: str, text: str):
    lab.go(screen)
    lab.set_text(text)
    content = save(lab, "svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(content)
    for tokenizer in ["gpt2"] if screen == "inspect" else ["bert-base-uncased", "gpt2"]:
        assert tokens_in(root, tokenizer) == lab.expected(tokenizer, text)
    assert root.find(f".//{SVG}script") is None
    assert not {"\x00", "\u202e", "\u202c"} & set(content)
    # Letters in the order of the text, those without a picture of their own apart.
    hidden = {"\x00", "\u202e", "\u202c"}
    seen = [c for c in text if not c.isspace() and c not in hidden]
    assert sorted("".join(letters_of(root))) == sorted(seen)
    expect(lab.live).to_contain_text("is saved")


def test_tokens_and_letters_stand_where_they_are_on_the_screen(lab: Lab):
    lab.go("compare")
    lab.write("the unaffordable house שלום עולם")
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    pane = lab.page.locator(".compare-pane").bounding_box()
    assert pane
    for tokenizer in ("bert-base-uncased", "gpt2"):
        for piece in lab.pieces(tokenizer):
            token = (
                f".//{SVG}g[@data-tokenizer='{tokenizer}'][@data-start='{piece['start']}'][@data-end='{piece['end']}']"
            )
            rects = [
                [float(rect.attrib[name]) for name in ("x", "y", "width")]
                for rect in root.findall(f"{token}/{SVG}rect")
            ]
            true = [piece["box"]["x"] - pane["x"], piece["box"]["y"] - pane["y"], piece["box"]["width"]]
            assert any(rect == pytest.approx(true, abs=0.01) for rect in rects)
    first = lab.page.evaluate("document.querySelector('token-text').view.coordsAtPos(0, 1)")
    words = {"".join(text.itertext()): text.attrib for text in root.iterfind(f".//{SVG}text[@class='text']")}
    assert float(words["the"]["x"]) == pytest.approx(first["left"] - pane["x"], abs=0.5)
    assert words["שלום"]["direction"] == "rtl" and "direction" not in words["the"]
    right = lab.page.evaluate("document.querySelector('token-text').view.coordsAtPos(23, 1)")
    assert float(words["שלום"]["x"]) == pytest.approx(right["left"] - pane["x"], abs=1)
    assert "JetBrains Mono" in words["the"]["font-family"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_is_light_or_dark_as_the_screen_is(lab: Lab, theme: str):
    lab.go("compare")
    lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    ground = root.find(f"./{SVG}rect").attrib["fill"]
    assert ground == {"light": "#fbfaf7", "dark": "#141517"}[theme]


def test_of_a_long_text_the_part_in_the_window(lab: Lab):
    text = "\n".join(f"line {n} of things" for n in range(2000))
    lab.set_text(text)
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 20000")
    lab.idle()
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    found, every = tokens_in(root, "gpt2"), lab.expected("gpt2", text)
    assert 20 < len(found) < 300
    at = every.index(found[0])
    assert found == every[at : at + len(found)] and at > 500
    expect(lab.live).to_contain_text("the part in the window")


def test_columns_and_added_tokens(lab: Lab):
    lab.go("compare")
    lab.write("side by side")
    lab.page.get_by_role("radio", name="Side by side").click()
    lab.ready()
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    for tokenizer in ("bert-base-uncased", "gpt2"):
        assert tokens_in(root, tokenizer) == lab.expected(tokenizer, "side by side")
    assert letters_of(root) == ["side", "by", "side"] * 2
    lab.go("inspect")
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.ready()
    content = save(lab, "svg").read_text(encoding="utf-8")
    assert "[CLS]" in content and "[SEP]" in content and 'data-id="101"' in content


def test_png_has_two_pixels_for_one_and_is_not_blank(lab: Lab):
    lab.go("compare")
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    data = save(lab, "png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    assert (width, height) == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
    parts, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        parts += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    rows = zlib.decompress(parts)
    assert depth == 8 and len(rows) == height * (1 + width * {2: 3, 6: 4}[colour])
    assert len(set(rows)) > 50, "one colour all over"


def test_without_a_text_on_the_screen_there_is_no_picture(lab: Lab):
    for screen, view in (("vocabulary", None), ("compare", "Table"), ("inspect", "Bytes")):
        lab.go(screen)
        if view:
            lab.page.get_by_role("radio", name=view).click()
            lab.ready()
        lab.page.keyboard.press("Control+e")
        lab.page.keyboard.type("picture png")
        lab.page.keyboard.press("Enter")
        expect(lab.error).to_contain_text("no text with tokens on the screen")
        lab.page.evaluate("document.querySelector('error-banner').error = null")


def test_every_token_has_its_colour_of_the_screen(lab: Lab):
    """By length, neighbours of one length have two shades, each of which is another colour in the picture, too."""
    lab.page.locator("[data-role=colour-by]").select_option("length")
    lab.write("aa bb cc dd unaffordable ee ff internationalization gg")
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    colours = lab.page.evaluate(
        """() => document.querySelector('token-text').drawnLanes[0].pieces.map(({ className }) => {
            const shade = className.split(' ').filter(name => /^(l\\d|odd)$/.test(name)).join(' ');
            return getComputedStyle(document.querySelector(`path[class="shade ${shade}"]`)).fill;
        })"""
    )
    assert len(set(colours)) > 3
    tokens = root.findall(f".//{SVG}g[@class='token']")
    painted = [next(iter(token.iterfind(f"{SVG}rect"))).attrib["fill"] for token in tokens]
    in_page = "colour => { const c = document.createElement('canvas').getContext('2d'); c.fillStyle = colour; return c.fillStyle; }"
    assert painted == [lab.page.evaluate(in_page, colour) for colour in colours]
