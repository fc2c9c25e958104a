"""Menus, the line of samples above the text, and the panel on the right: with the mouse and with the keyboard alone."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Lab

FIRST = "Tokenization isn't neutral: unaffordable words fall apart.\n東京の寿司は高い。"


@pytest.fixture
def button(lab: Lab) -> Locator:
    return lab.page.locator("[data-role=view-options]")


def corner(lab: Lab) -> tuple[float, float, float]:
    """Left, top and width of the text."""
    box = lab.page.locator("token-text").first.bounding_box()
    return box["x"], box["y"], box["width"]


@pytest.fixture
def menu(lab: Lab) -> Locator:
    return lab.page.locator(".menu-panel:popover-open")


def test_a_menu_opens_and_closes_by_keyboard(lab: Lab, button: Locator, menu: Locator):
    press = lab.page.keyboard.press
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    press("Enter")
    expect(menu).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert button.get_attribute("aria-controls") == menu.get_attribute("id")
    press("Escape")
    expect(menu).to_have_count(0)
    expect(button).to_be_focused()
    press("ArrowDown")
    first = lab.page.get_by_role("radio", name="Text", exact=True)
    expect(first).to_be_focused()
    press("Tab")
    expect(lab.switch("Show token IDs")).to_be_focused()
    press("ArrowDown")
    expect(lab.switch("Show whitespace")).to_be_focused()
    press("ArrowUp")
    press("Space")
    expect(lab.switch("Show token IDs")).not_to_be_checked()
    expect(menu).to_be_visible()
    press("Escape")
    expect(button).to_be_focused()
    expect(lab.switch("Show token IDs")).not_to_be_checked()


def test_arrows_in_a_menu_choose_no_token(lab: Lab, button: Locator):
    lab.switch("Show token IDs").evaluate("control => { control.closest('menu-button').open = true; control.focus(); }")
    lab.page.keyboard.press("ArrowRight")
    lab.ready()
    expect(lab.page.locator("token-drawer")).to_be_hidden()


def test_a_menu_closes_on_a_press_outside_and_when_the_focus_leaves(lab: Lab, button: Locator, menu: Locator):
    button.click()
    expect(menu).to_be_visible()
    lab.page.locator("footer.status").click()
    expect(menu).to_have_count(0)
    button.focus()
    lab.page.keyboard.press("ArrowDown")
    expect(menu).to_be_visible()
    lab.page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    expect(menu).to_be_visible()
    lab.page.keyboard.press("Shift+Tab")
    expect(menu).to_have_count(0)
    expect(button).not_to_be_focused()


def test_a_menu_stays_within_the_window(lab: Lab, button: Locator, menu: Locator):
    for width, height in ((1280, 720), (1000, 260)):
        lab.page.set_viewport_size({"width": width, "height": height})
        button.click()
        box = menu.bounding_box()
        assert box["x"] >= 0 and box["y"] >= 0
        assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height, (width, height)
        last = menu.locator("select").last
        last.scroll_into_view_if_needed()
        inside = last.bounding_box()
        assert box["y"] <= inside["y"] and inside["y"] + inside["height"] <= box["y"] + box["height"], (width, height)
        lab.page.keyboard.press("Escape")
        expect(menu).to_have_count(0)


def test_special_tokens_are_among_the_view_options(lab: Lab, button: Locator, menu: Locator):
    text = "a <|endoftext|>"
    lab.write(text)
    assert lab.tokens() == lab.expected("gpt2", text)
    choice = lab.page.locator("[data-role=special-text]")
    button.click()
    expect(menu).to_contain_text("Text like <|endoftext|>")
    choice.select_option("special token")
    lab.ready()
    assert lab.tokens() == lab.expected("gpt2", text, specials="parse")
    assert any(token["id"] == 50256 for token in lab.tokens())
    lab.tolerated = ("status of 422",)
    choice.select_option("error")
    expect(lab.error).to_contain_text("<|endoftext|>")
    expect(lab.error).to_contain_text("View options")
    choice.select_option("ordinary text")
    expect(lab.error).to_be_hidden()
    lab.page.keyboard.press("Escape")
    lab.go("compare")
    lab.press(lab.switch("Add special tokens"))
    expect(lab.switch("Add special tokens")).not_to_be_checked()
    expect(lab.page.locator("[data-role=special-text]")).to_have_value("text")
    for screen in ("vocabulary", "library", "reports"):
        lab.go(screen)
        expect(lab.page.locator("[data-role=specials], [data-role=special-text]")).to_have_count(0)


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_the_line_above_the_text_invites(lab: Lab, screen: str, menu: Locator):
    lab.go(screen)
    page = lab.page
    words = page.locator(".invitation-words")
    line = page.locator("text-invitation")
    first = line.get_by_role("button", name="English + Japanese")
    assert lab.current_text == FIRST
    expect(words).to_be_visible()
    expect(words).to_contain_text("Type, or try:")
    expect(first).to_have_attribute("aria-pressed", "true")
    place = corner(lab)
    assert line.bounding_box()["y"] < place[1]

    first.focus()
    page.keyboard.press("ArrowLeft")
    expect(line.get_by_role("button", name="More…")).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()

    lab.text.press("Control+End")
    page.keyboard.type("!")
    lab.ready()
    expect(words).to_be_hidden()
    expect(first).to_have_attribute("aria-pressed", "false")
    assert corner(lab) == place, "nothing moves while somebody types"

    lab.write("")
    expect(words).to_be_visible()
    assert corner(lab) == place
    line.get_by_role("button", name="Numbers").click()
    lab.ready()
    assert lab.current_text.startswith("3.14159265358979")
    expect(words).to_be_visible()
    expect(line.get_by_role("button", name="Numbers")).to_have_attribute("aria-pressed", "true")
    line.get_by_role("button", name="More…").click()
    menu.get_by_role("button", name="Arabic").click()
    lab.ready()
    assert "1948" in lab.current_text
    expect(menu).to_have_count(0)
    line.get_by_role("button", name="More…").click()
    expect(menu.get_by_role("button", name="Arabic")).to_have_attribute("aria-pressed", "true")
    with page.expect_file_chooser() as chosen:
        menu.get_by_role("button", name="Open a file…").click()
    chosen.value.set_files({"name": "own.txt", "mimeType": "text/plain", "buffer": b"from a file"})
    lab.ready()
    assert lab.current_text == "from a file"
    expect(words).to_be_hidden()


def test_the_panel_can_be_hidden_and_stays_so(lab: Lab):
    page = lab.page
    panel = page.locator("side-panel")
    text = page.locator("token-text").first
    wide = text.bounding_box()["width"]
    hide = page.get_by_role("button", name="Hide the panel")
    hide.click()
    expect(page.locator("how-to-read")).to_be_hidden()
    show = page.get_by_role("button", name="Show the panel")
    expect(show).to_have_attribute("aria-expanded", "false")
    assert text.bounding_box()["width"] > wide + 200
    lab.idle()
    page.reload()
    lab.ready()
    expect(show).to_be_visible()
    lab.go("compare")
    expect(page.locator("tab-list")).to_be_hidden()
    page.locator(".rail a").first.focus()
    page.keyboard.press("r")
    expect(page.locator("tab-list")).to_be_visible()
    lab.go("inspect")
    lab.choose(3)
    page.locator("token-drawer button[aria-label='Next token']").focus()
    page.keyboard.press("r")
    expect(panel.get_by_role("button", name="Show the panel")).to_be_focused()


def test_nothing_slides_under_the_button_of_the_panel(lab: Lab):
    page = lab.page
    page.set_viewport_size({"width": 1280, "height": 400})
    lab.choose(2)
    cross = page.get_by_role("button", name="Deselect the token")
    before = cross.bounding_box()
    page.locator(".panel-body").evaluate("e => e.scrollBy(0, 60)")
    lab.frames()
    hide = page.get_by_role("button", name="Hide the panel").bounding_box()
    assert page.locator(".panel-body").evaluate("e => e.scrollTop") == 60
    assert cross.bounding_box() == before
    assert hide["y"] + hide["height"] <= before["y"]


def test_the_width_of_the_panel_follows_keys_and_pointer(lab: Lab):
    page = lab.page
    panel = page.locator("side-panel")
    edge = page.get_by_role("separator", name="Width of the panel")
    start = panel.bounding_box()["width"]
    assert edge.get_attribute("aria-valuenow") == str(int(start))
    edge.focus()
    page.keyboard.press("ArrowLeft")
    assert panel.bounding_box()["width"] == start + 16
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert panel.bounding_box()["width"] == start - 16
    expect(edge).to_have_attribute("aria-valuenow", str(int(start) - 16))
    page.keyboard.press("Home")
    assert panel.bounding_box()["width"] == 240
    box = edge.bounding_box()
    page.mouse.move(box["x"] + 3, 300)
    page.mouse.down()
    page.mouse.move(box["x"] - 97, 320, steps=4)
    page.mouse.up()
    assert panel.bounding_box()["width"] == 340
    lab.idle()
    page.reload()
    lab.ready()
    assert panel.bounding_box()["width"] == 340
    lab.go("compare")
    assert panel.bounding_box()["width"] == 340
    edge.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Show the panel")).to_be_visible()


def test_the_export_menu_saves_and_shares(lab: Lab, menu: Locator):
    page = lab.page
    page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    page.get_by_role("button", name="Export", exact=True).click()
    menu.get_by_role("button", name="Copy the link").click()
    expect(lab.live).to_contain_text("Link copied")
    assert "#/inspect?t=bert-base-uncased&t=gpt2" in page.evaluate("window.copied")
    page.evaluate("delete navigator.clipboard.writeText")
    lab.go("compare")
    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download() as saved:
        menu.get_by_role("button", name="Tokens (CSV)").click()
    assert saved.value.suggested_filename.endswith(".csv")
    for screen in ("vocabulary", "library", "reports"):
        lab.go(screen)
        expect(page.get_by_role("button", name="Export", exact=True)).to_be_hidden()
        expect(page.locator("[data-role=present]")).to_be_hidden()
        expect(page.locator("[data-role=open-palette]")).to_be_visible()
