"""The lab without a mouse and with assistive tools. axe finds nothing serious, in every view and state, light and dark."""

import io
from collections.abc import Callable
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import Lab

SERIOUS = {"serious", "critical"}


def inspect_text(lab: Lab) -> None:
    pass


def inspect_split(lab: Lab) -> None:
    lab.write("日本語 नमस्ते 👩‍🔬")


def pressed(screen: str, role: Literal["radio", "tab"], name: str) -> Callable[[Lab], None]:
    """The state of a screen after one of its views or tabs was chosen."""

    def act(lab: Lab) -> None:
        lab.go(screen)
        lab.press(lab.page.get_by_role(role, name=name, include_hidden=True))
        lab.ready()

    act.__name__ = f"{screen}_{name.lower().replace(' ', '_')}"
    return act


def inspect_stage(lab: Lab) -> None:
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.show_steps()
    lab.page.locator("[data-stage=normalizer]").click()
    lab.select("colour-by", "length")
    lab.ready()


def inspect_everything_drawn(lab: Lab) -> None:
    """Lanes of lost and added text, marks, a legend, what is near in the vocabulary."""
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.set_text("Café É\0x 語 the quick brown fox jumps over the lazy dog")
    lab.press(lab.switch("Normalizer changes"))
    lab.press(lab.switch("Mark every"))
    lab.choose(3)
    lab.reveal(lab.page.locator("[data-role=chunk-size]")).fill("4")
    lab.select("colour-by", "script")
    lab.page.get_by_role("tab", name="Neighbours").click()
    lab.ready()
    expect(lab.page.locator("[data-role=text-change].lost")).to_be_visible()
    expect(lab.page.locator("[data-role=chunk-mark]").first).to_be_visible()


def inspect_budget(lab: Lab) -> None:
    lab.press(lab.switch("Context and cost"))
    lab.page.locator("[data-role=contextSize]").fill("8192")
    lab.page.locator("[data-role=price]").fill("1,500")


def inspect_pieces(lab: Lab) -> None:
    lab.press(lab.page.locator("[data-role=pieces]"))
    lab.page.locator("[data-role=pieces-every]").fill("20")


def inspect_explained(lab: Lab) -> None:
    lab.choose(3)
    lab.page.locator("[data-role=why-end]").click()
    lab.page.locator("[data-role=origin]").click()
    lab.ready()


def inspect_empty(lab: Lab) -> None:
    lab.write("")


def inspect_error(lab: Lab) -> None:
    lab.tolerated = ("status of 422",)
    lab.treat_special_text("error")
    lab.write("a <|endoftext|>")
    expect(lab.error).to_be_visible()


def dialog(lab: Lab) -> None:
    lab.page.locator("[data-role=add-tokenizer]").click()


def palette(lab: Lab) -> None:
    lab.page.keyboard.press("Control+k")


def palette_without_a_find(lab: Lab) -> None:
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("zebra")


def key_map(lab: Lab) -> None:
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("?")


def compare(lab: Lab) -> None:
    lab.go("compare")


def compare_at_a_divergence(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator("[data-role=next-divergence]").click()


def compare_with_one(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").press("Delete")
    lab.ready()


def compare_with_a_hidden_one(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator(".card .toggle").first.click()
    lab.ready()


def compare_empty(lab: Lab) -> None:
    lab.go("compare")
    lab.write("")


def vocabulary(lab: Lab) -> None:
    lab.go("vocabulary")


def vocabulary_entry(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.locator("[data-role=vocabulary-rows] [data-row='7']").click()
    lab.ready()


def vocabulary_size(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.get_by_role("tab", name="Size").click()
    lab.page.locator("[data-role=size-slider]").fill("400")
    lab.ready()


def library(lab: Lab) -> None:
    lab.go("library")


def reports(lab: Lab) -> None:
    lab.go("reports")


def reports_run(lab: Lab) -> None:
    lab.go("reports")
    lab.page.get_by_role("button", name="Save this session").click()
    lab.page.get_by_role("button", name="Compare with now").first.click()
    lab.ready()


def inspect_finding(lab: Lab) -> None:
    lab.text.focus()
    lab.page.keyboard.press("Control+f")
    lab.page.keyboard.type("e")
    lab.page.keyboard.press("Enter")
    lab.ready()


STATES = [
    library,
    vocabulary,
    vocabulary_entry,
    vocabulary_size,
    reports,
    reports_run,
    palette,
    palette_without_a_find,
    key_map,
    inspect_text,
    inspect_finding,
    inspect_split,
    inspect_explained,
    inspect_stage,
    inspect_everything_drawn,
    inspect_budget,
    inspect_pieces,
    pressed("inspect", "radio", "Table"),
    pressed("inspect", "radio", "Bytes"),
    pressed("inspect", "radio", "IDs"),
    inspect_empty,
    inspect_error,
    dialog,
    compare,
    compare_at_a_divergence,
    pressed("compare", "tab", "Agreement"),
    pressed("compare", "tab", "Transfer"),
    pressed("compare", "tab", "Vocab"),
    compare_with_one,
    compare_with_a_hidden_one,
    pressed("compare", "radio", "Side by side"),
    pressed("compare", "radio", "Table"),
    compare_empty,
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_serious(lab: Lab, axe: str, state: Callable[[Lab], None]):
    state(lab)
    lab.page.mouse.move(0, 0)
    lab.page.evaluate(f"(() => {{ {axe} }})()")
    for theme in ("light", "dark"):
        lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        lab.idle()  # colours have changed
        found = lab.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = {
            one["id"]: [node["html"][:200] + " " + node.get("failureSummary", "")[:300] for node in one["nodes"][:3]]
            for one in found["violations"]
            if one["impact"] in SERIOUS
        }
        assert not serious, (theme, serious)


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_white_space_and_cuts_are_seen_behind_the_text_in_forced_colours(lab: Lab, scheme: str):
    lab.write("a b\tc")
    lab.page.emulate_media(forced_colors="active", color_scheme=scheme)
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
