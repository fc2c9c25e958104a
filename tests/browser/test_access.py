"""The lab without a mouse, and with settings of the system for those who see less."""

import io

from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_keyboard_alone(lab: Lab):
    """From the first Tab to tokens, the switch, another screen and a divergence, without a mouse."""
    page = lab.page
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(e => e.ariaLabel || e.getAttribute('aria-label') || e.textContent.trim().slice(0, 40))(document.activeElement)"
        )
        reached.append(name)
        if name == "Text to tokenize":
            break
    assert "View options" in reached and "Add tokenizer" in reached and reached[-1] == "Text to tokenize"
    page.keyboard.press("Control+A")
    page.keyboard.type("hello world")
    lab.ready()
    assert lab.count("gpt2") == 2
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    expect(lab.live).to_have_text("token 1 of 2: hello, id 31373, 5 bytes")
    page.keyboard.press("ArrowRight")
    expect(lab.live).to_have_text("token 2 of 2: space world, id 995, 6 bytes")
    page.keyboard.press("i")
    expect(lab.switch("ids")).not_to_be_checked()
    page.keyboard.press("w")
    expect(lab.switch("Whitespace")).not_to_be_checked()
    page.keyboard.press("s")
    expect(lab.switch("Add special tokens")).not_to_be_checked()
    page.keyboard.press("b")
    expect(lab.radio("Bytes")).to_be_checked()
    page.keyboard.press("b")


def test_arrows_inside_groups(lab: Lab):
    lab.page.locator("[data-role=view-options]").click()
    text = lab.radio("Text", exact=True)
    text.focus()
    lab.page.keyboard.press("ArrowRight")
    table = lab.radio("Table")
    expect(table).to_be_checked()
    expect(table).to_be_focused()
    lab.ready()
    lab.page.locator("token-table [data-row][tabindex='0']").focus()
    lab.page.keyboard.press("Home")
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("ArrowDown")
    expect(lab.page.locator("token-drawer")).to_contain_text("Token 3 of")
    lab.page.keyboard.press("End")
    total = lab.count("gpt2")
    expect(lab.page.locator("token-drawer")).to_contain_text(f"Token {total} of {total}")


def test_dialog_gives_the_focus_back(lab: Lab):
    button = lab.page.locator("[data-role=add-tokenizer]")
    button.focus()
    lab.page.keyboard.press("Enter")
    expect(lab.page.get_by_role("dialog")).to_be_visible()
    lab.page.keyboard.press("Escape")
    expect(lab.page.get_by_role("dialog")).to_be_hidden()
    expect(button).to_be_focused()


def test_focus_can_be_seen(lab: Lab):
    lab.page.locator("[data-role=open-palette]").focus()
    lab.page.keyboard.press("Tab")
    style = lab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


def test_reduced_motion_and_forced_colours(lab: Lab):
    lab.page.emulate_media(reduced_motion="reduce", forced_colors="active")
    assert lab.page.evaluate("getComputedStyle(document.querySelector('toggle-switch .track')).transitionDuration") in (
        "0s",
        "none",
        "",
    )
    border = lab.page.locator(".token-blocks .shade").first.evaluate("e => getComputedStyle(e).stroke")
    assert border.startswith("rgb"), "boundaries are seen without colours"


def test_white_space_and_cuts_are_seen_behind_the_text_in_forced_colours(lab: Lab):
    lab.write("a b\tc")
    for scheme in ("light", "dark"):
        lab.page.emulate_media(forced_colors="active", color_scheme=scheme)
        seen_in_forced_colours(lab)


def seen_in_forced_colours(lab: Lab) -> None:
    lab.page.locator("h1, body").first.click(position={"x": 5, "y": 5}, force=True)  # no caret in the picture
    for glyph in (".white-space.space", ".white-space.tab"):
        box = lab.page.locator(glyph).first.bounding_box()
        middle = {"x": box["x"], "y": box["y"] + box["height"] / 2 - 6, "width": max(box["width"], 3), "height": 12}
        picture = Image.open(io.BytesIO(lab.page.screenshot(clip=middle))).convert("L")
        darkest, lightest = picture.getextrema()
        assert lightest - darkest > 100, glyph
    chosen = lab.reveal(lab.page.locator("segmented-control button[aria-checked=true]").first)
    colours = chosen.evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]")
    assert len(set(colours)) == 2
    picture = Image.open(io.BytesIO(chosen.screenshot())).convert("RGB")
    assert max(count for count, _ in picture.getcolors(100_000)) > 0.5 * picture.width * picture.height, "no plate"
