"""The whole text, saved as a picture: every token once, where it is on the screen, and letters that are letters."""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from lab_app.version import lab_version
from tests.browser.conftest import Lab
from tests.scale import few

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
def test_the_picture_has_every_token_once(lab: Lab, screen: str):
    lab.go(screen)
    for text in ("Hello, unaffordable world", HOSTILE, "word " * 60 + "\n\ttab"):
        lab.set_text(text)
        every_token_once(lab, screen, text)


def every_token_once(lab: Lab, screen: str, text: str) -> None:
    content = save(lab, "svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(content)
    for tokenizer in ["gpt2"] if screen == "inspect" else ["bert-base-uncased", "gpt2"]:
        assert tokens_in(root, tokenizer) == lab.expected(tokenizer, text), text
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
        upright = [piece for piece in lab.pieces(tokenizer) if not piece["stripe"]]
        assert len(upright) > 3
        for piece in upright:
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


def test_the_picture_is_light_or_dark_as_the_screen_is(lab: Lab):
    lab.go("compare")
    for theme, paper in (("light", "#fbfaf7"), ("dark", "#141517")):
        lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
        assert root.find(f"./{SVG}rect").attrib["fill"] == paper


def test_a_picture_has_all_of_a_text_of_many_screens(lab: Lab):
    text = "\n".join(f"line {n} of things" for n in range(300)) + "\n" + "a long line " * 200
    lab.set_text(text)
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 4000")
    lab.idle()
    scroll_top = "document.querySelector('token-text').view.scrollDOM.scrollTop"
    top, before = lab.page.evaluate(scroll_top), lab.pieces("gpt2")
    assert top > 3000
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    assert tokens_in(root, "gpt2") == lab.expected("gpt2", text)
    assert float(root.attrib["height"]) > 10 * 800
    assert sorted("".join(letters_of(root))) == sorted(c for c in text if not c.isspace())
    lab.idle()
    assert lab.page.evaluate(scroll_top) == top
    assert lab.pieces("gpt2") == before, "what is on the screen is as it was"


def test_a_picture_spells_the_tokens_of_the_whole_text(lab: Lab):
    lab.go("compare")
    text = "\n".join(f"unaffordable line {n} of many" for n in range(100, 160)) + "\nzygomorphic ending"
    lab.set_text(text)
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    written = ["".join(each.itertext()) for each in root.iterfind(f".//{SVG}text[@class='spelled']")]
    assert written.count("##able") == 60 and "·ending" in written, "far below the window, too"


def test_a_text_that_is_too_long_is_refused(lab: Lab):
    lab.set_text("word " * 10_001)
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("picture svg")
    lab.page.keyboard.press("Enter")
    expect(lab.error).to_contain_text("The text has 50,005 UTF-16 code units; a picture holds at most 50,000.")
    expect(lab.error).to_contain_text("HTML, CSV or JSON")


def test_a_png_that_is_too_high_is_refused(lab: Lab):
    lab.set_text("a\n" * 500)
    assert float(ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8")).attrib["height"]) > 16_384
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("picture png")
    lab.page.keyboard.press("Enter")
    expect(lab.error).to_contain_text("PNG holds at most 16384")
    expect(lab.error).to_contain_text("SVG")


@pytest.mark.parametrize(("width", "pixels"), few([("column", 480), ("page", 720)]))
def test_a_picture_has_the_width_that_was_chosen(lab: Lab, preferences: dict, width: str, pixels: int):
    lab.server.call("PUT", "preferences", {**preferences, "pictureWidth": width})
    lab.start_again()
    text = "many words that wrap " * 12
    lab.write(text)
    has_the_width(lab, pixels, text)
    lab.go("compare")
    has_the_width(lab, pixels, text)


def has_the_width(lab: Lab, pixels: int, text: str) -> None:
    root = ElementTree.fromstring(save(lab, "svg").read_text(encoding="utf-8"))
    assert int(root.attrib["width"]) == pixels
    assert tokens_in(root, "gpt2") == lab.expected("gpt2", text)
    rights = [
        float(r.attrib["x"]) + float(r.attrib["width"]) for r in root.iterfind(f".//{SVG}g[@class='token']/{SVG}rect")
    ]
    assert 0.8 * pixels < max(rights) <= pixels


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_a_picture_brings_its_fonts(lab: Lab, browser, tmp_path: Path, screen: str):
    lab.go(screen)
    lab.write("the unaffordable house\nпривет мир, γειά\tend")
    file = tmp_path / "picture.svg"
    file.write_bytes(save(lab, "svg").read_bytes())
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.evaluate("document.fonts.ready")
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "text"})["nodeIds"]
    assert len(nodes) > 10
    for node in nodes:
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert fonts and all(font["isCustomFont"] for font in fonts), fonts
        # Arrows come from the other font of the lab.
        assert {font["familyName"] for font in fonts} <= {"JetBrains Mono", "Inter Variable"}
    page.close()
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]


def chunks_of(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kind and the content of each chunk of a PNG, whose checksums are compared."""
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content, (crc,) = data[at + 8 : at + 8 + length], struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert crc == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + length


def texts_of(data: bytes) -> dict[str, str]:
    """The texts of a PNG by their keywords."""
    parts = [content.split(b"\0", 1) for kind, content in chunks_of(data) if kind == b"iTXt"]
    return {keyword.decode(): rest.removeprefix(b"\0\0\0\0").decode() for keyword, rest in parts}


def test_a_picture_says_how_it_was_made(lab: Lab):
    lab.write("Hello, 日本 👩\u200d🔬")
    for screen in ("inspect", "compare"):
        lab.go(screen)
        says_how_it_was_made(lab, screen)


def says_how_it_was_made(lab: Lab, screen: str) -> None:
    svg, texts = save(lab, "svg"), texts_of(save(lab, "png").read_bytes())
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    ids = ["gpt2"] if screen == "inspect" else ["bert-base-uncased", "gpt2"]
    expected = lab.server.call("POST", "citation", {"tokenizers": ids, "text": lab.current_text})
    for told in (json.loads(root.find(f"./{SVG}metadata").text), json.loads(texts["Comment"])):
        assert {**told, "made_at": ""} == {**expected["provenance"], "made_at": ""}
    caption = " ".join("".join(line.itertext()) for line in root.iterfind(f".//{SVG}text[@class='caption']"))
    assert caption == expected["caption"] == texts["Description"]
    assert texts["Software"].startswith(f"Tokenization Laboratory {lab_version()}") and texts["Creation Time"]


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
    parts = b"".join(content for kind, content in chunks_of(data) if kind == b"IDAT")
    rows = zlib.decompress(parts)
    assert depth == 8 and len(rows) == height * (1 + width * {2: 3, 6: 4}[colour])
    assert len(set(rows)) > 50, "one colour all over"


def test_without_a_text_on_the_screen_there_is_no_picture(lab: Lab):
    for screen, view in (("vocabulary", None), ("compare", "Table"), ("inspect", "Bytes")):
        lab.go(screen)
        if view:
            lab.press(lab.radio(view))
            lab.ready()
        lab.page.keyboard.press("Control+e")
        lab.page.keyboard.type("picture png")
        lab.page.keyboard.press("Enter")
        expect(lab.error).to_contain_text("no text with tokens on the screen")
        lab.page.evaluate("document.querySelector('error-banner').error = null")


def test_every_token_has_its_colour_of_the_screen(lab: Lab):
    """By length, neighbours of one length have two shades, each of which is another colour in the picture, too."""
    lab.select("colour-by", "length")
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
