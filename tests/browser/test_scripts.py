"""Any text can be shown: hostile markup, invisible characters, right-to-left, lone marks, many scripts."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab
from tests.scale import few

HOSTILE = [
    "<script>window.hacked = 1</script>",
    '<img src=x onerror="window.hacked = 1">',
    "\"'`><svg onload=window.hacked=1>&lt;&amp;&#x41;",
    "</textarea></style><style>*{display:none}</style>",
    "javascript:window.hacked=1 ${window.hacked=1} {{hacked}}",
    "a\u202eb\u202dc\u2066d\u2069e",
    "nul \x00 bell \x07 escape \x1b delete \x7f",
    "\u0301 lone \u0308\u0308 marks \u0e33",
    "zero\u200bwidth\u200djoiner\ufeffmark",
    "e\u0301\u0302\u0303\u0304" * 20,
    "\r\nwindows\r\nlines\rold mac",
    "\u2028line\u2029paragraph",
]


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_hostile_text_stays_text(lab: Lab, screen: str):
    lab.go(screen)
    elements = (
        "document.querySelectorAll('script, style:not([nonce]), img:not(.cm-widgetBuffer), svg:not(.icon)').length"
    )
    before = lab.page.evaluate(elements)
    lab.page.set_viewport_size({"width": 1280, "height": 2000})  # all of a text is drawn
    for text in [*(HOSTILE if screen == "inspect" else few(HOSTILE, 0)), "\n".join(HOSTILE)]:
        lab.set_text(text)
        assert lab.current_text == text
        assert lab.tokens("gpt2") == lab.expected("gpt2", text), repr(text)
        assert lab.page.evaluate("window.hacked") is None, repr(text)
        assert lab.page.evaluate(elements) == before, repr(text)
        expect(lab.error).to_be_hidden()
    for view in ("Table", "Bytes", "IDs", "Text") if screen == "inspect" else ():
        lab.press(lab.radio(view, exact=True))
        lab.ready()
        assert lab.page.evaluate("window.hacked") is None, view
        assert lab.page.evaluate(elements) == before, view


def test_direction_controls_are_named_and_steer_nothing(lab: Lab):
    lab.set_text("abc\u202edef")
    expect(lab.page.locator(".hidden-character")).to_have_text("RLO")
    left = "pos => document.querySelector('token-text').view.coordsAtPos(pos, 1).left"
    assert lab.page.evaluate(left, 4) < lab.page.evaluate(left, 5) < lab.page.evaluate(left, 6)


def test_lone_surrogate_is_refused_with_a_reason(lab: Lab):
    lab.tolerated = ("status of 4",)
    lab.page.evaluate(
        "(() => { const { view } = document.querySelector('token-text'); view.dispatch({ changes: { from: 0, insert: '\\ud800' } }); })()"
    )
    lab.ready()
    expect(lab.error).to_be_visible()
    lab.write("good again")
    expect(lab.error).to_be_hidden()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "good again")


def test_right_to_left_lines_stand_right_and_run_leftwards(lab: Lab):
    lab.write("مرحبا بالعالم")
    boxes = {piece["start"]: piece["box"] for piece in lab.pieces()}
    ordered = [boxes[start]["x"] for start in sorted(boxes)]
    assert ordered == sorted(ordered, reverse=True), "logical order runs from right to left"
    editor = lab.page.locator("token-text").bounding_box()
    start = boxes[0]
    assert editor and start["x"] + start["width"] > editor["x"] + editor["width"] - 60


def test_letters_keep_their_joining(lab: Lab):
    """The same picture of the text with tokens and without: no element stands between letters."""
    lab.write("جملة عربية नमस्ते दुनिया")
    line = lab.page.locator(".cm-line").first
    assert line.evaluate("line => line.querySelectorAll('span').length") == 0
    assert line.evaluate("line => line.textContent") == "جملة عربية नमस्ते दुनिया"


def test_an_emoji_family_is_one_glyph_over_its_tokens(lab: Lab):
    lab.write("👩‍🔬")
    boxes = [piece["box"] for piece in lab.pieces()]
    assert len(boxes) == len(lab.expected("gpt2", "👩‍🔬"))
    widths = [box["width"] for box in boxes]
    assert max(widths) - min(widths) < 0.1
    expect(lab.page.locator(".text-range.cluster")).to_have_count(1)


# A language for each of 27 scripts.
SCRIPTS = [
    "amh", "arb", "ben", "bod", "bul", "chr_cased", "cmn_hans", "div", "ell_monotonic", "eng", "guj", "heb", "hin", "hye",
    "jpn", "kan", "kat", "khm", "kor", "lao", "mal", "mya", "pan", "sin", "tam", "tel", "tha",
]  # fmt: skip


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_scripts_of_the_world(lab: Lab, shared: Path, screen: str):
    lab.page.set_viewport_size({"width": 1280, "height": 2000})  # all of a text is drawn
    lab.go(screen)
    texts = {}
    for name in SCRIPTS:
        lines = (shared / "corpus" / "parallel" / "udhr" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        texts[name] = "\n".join(lines[:3])[:250]
    groups = list(zip(*[iter(SCRIPTS)] * 3, strict=True))
    for names in groups if screen == "compare" else few(groups, 3):
        text = "\n".join(texts[name] for name in names)
        lab.set_text(text)
        for tokenizer in ["gpt2"] if screen == "inspect" else ["gpt2", "bert-base-uncased"]:
            assert lab.tokens(tokenizer) == lab.expected(tokenizer, text), (names, tokenizer)


def test_a_line_ends_behind_its_last_row_whichever_way_its_last_word_runs(lab: Lab):
    for line, is_leftwards in (("abc مرحبا", False), ("مرحبا hello", True), ("מה 12", True), ("plain", False)):
        lab.write(f"{line}\nplain")
        start = len(line.encode())
        pieces = [piece for piece in lab.pieces("gpt2") if piece["end"] <= start + 1]
        [newline] = [piece for piece in pieces if piece["start"] == start]
        others = [piece["box"] for piece in pieces if piece is not newline]
        if is_leftwards:
            assert newline["box"]["x"] + newline["box"]["width"] <= min(box["x"] for box in others) + 1, line
        else:
            assert newline["box"]["x"] >= max(box["x"] + box["width"] for box in others) - 1, line
