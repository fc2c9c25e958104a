"""The lab looks the same on every machine: its own fonts where they have the letters, and in tests only Noto beside them."""

import itertools
import subprocess

import pytest

from tests.browser.conftest import FONTS, Lab

pytestmark = pytest.mark.new_document  # which faces are loaded is the document's


def fonts_of(lab: Lab, selector: str) -> dict[str, bool]:
    """The fonts that Chromium draws an element with: name, and whether the page brought it."""
    devtools = lab.page.context.new_cdp_session(lab.page)
    for domain in ("DOM", "CSS"):
        devtools.send(f"{domain}.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    found = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"]: font["isCustomFont"] for font in found}


def faces(lab: Lab) -> list[tuple[str, str]]:
    """Family and state of every face of the page."""
    found = "[...document.fonts].map(face => [face.family.replaceAll('\"', ''), face.status])"
    return [tuple(face) for face in lab.page.evaluate(found)]


def test_the_page_brings_its_fonts(lab: Lab):
    assert {family for family, _ in faces(lab)} == {"Inter", "JetBrains Mono"}
    lab.write("Hello, naïve κόσμε мир Việt Łódź")
    assert [status for _, status in faces(lab)].count("unloaded") == 1, "the face of extended Cyrillic"
    assert fonts_of(lab, ".rail a span") == {"Inter Variable": True}
    assert fonts_of(lab, "token-text .cm-line") == {"JetBrains Mono": True}


def test_a_face_is_loaded_when_a_text_needs_it(lab: Lab):
    lab.write("plain text")
    assert sorted(status for _, status in faces(lab)).count("loaded") == 3, faces(lab)
    boxes = [piece["box"] for piece in lab.pieces()]
    text = "plain мир text"
    lab.write(text)
    assert [status for _, status in faces(lab)].count("loaded") == 4, faces(lab)
    assert lab.tokens("gpt2") == lab.expected("gpt2", text)
    drawn = lab.pieces()
    assert drawn[0]["box"] == boxes[0]
    for left, right in itertools.pairwise(drawn):
        assert abs(left["box"]["x"] + left["box"]["width"] - right["box"]["x"]) < 1, "measured with the new face"


def test_signs_of_the_page_are_in_its_fonts(lab: Lab):
    """Arrows, the mark of a line's end and check marks look the same everywhere."""
    lab.write("← → ↵ ≠ □ ✓")
    assert all(fonts_of(lab, "token-text .cm-line").values())


def test_other_scripts_are_drawn_with_noto(lab: Lab):
    """Of all fonts of the system, tests see only those that `fonts.conf` names."""
    lab.write("مرحبا שלום नमस्ते 日本語 👍")
    drawn = fonts_of(lab, "token-text .cm-line")
    assert drawn and all(own or name.startswith("Noto ") for name, own in drawn.items()), drawn


def test_fontconfig_hides_every_other_font():
    names = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert FONTS.is_file() and all(name.startswith("Noto ") for name in names), sorted(set(names))[:20]
