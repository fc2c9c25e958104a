"""What must hold whatever is shown: errors lose nothing, stale answers are never drawn, choices are remembered."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Lab, Server


def test_rejected_special_text_says_what_and_where(lab: Lab):
    lab.tolerated = ("status of 422",)
    lab.write("fine")
    lab.treat_special_text("error")
    lab.ready()
    expect(lab.error).to_be_hidden()
    lab.write("ab <|endoftext|> cd")
    expect(lab.error).to_contain_text("<|endoftext|>")
    assert lab.current_text == "ab <|endoftext|> cd"
    lab.treat_special_text("ordinary text")
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "ab <|endoftext|> cd")


def test_stale_answers_are_never_drawn(lab: Lab):
    held: list[Route] = []

    def handle(route: Route) -> None:
        if '"slow"' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    lab.page.route("**/api/v1/tokenize", handle)
    lab.text.focus()
    lab.page.keyboard.press("Control+A")
    lab.page.keyboard.insert_text("slow")
    lab.until(lambda: held, "the first text is asked for")
    lab.write("the newer text")
    wanted = lab.expected("gpt2", "the newer text")
    assert lab.tokens("gpt2") == wanted
    for route in held:
        route.continue_()
    lab.idle()
    assert lab.tokens("gpt2") == wanted


def test_old_marks_stay_until_the_answer_comes(lab: Lab):
    lab.write("hello world")
    held: list[Route] = []
    lab.page.route("**/api/v1/tokenize", lambda route: held.append(route))
    lab.page.keyboard.press("Home")
    lab.page.keyboard.insert_text("X")
    lab.until(lambda: held, "the new text is asked for")
    lab.frames()
    assert [token["id"] for token in lab.tokens("gpt2")] == [31373, 995], "the old tokens moved along"
    box = lab.box(31373)
    left = lab.page.evaluate("document.querySelector('token-text').view.coordsAtPos(1, 1).left")
    assert box["x"] == pytest.approx(left, abs=1)
    held[-1].continue_()
    lab.ready()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "Xhello world")


def test_long_work_can_be_stopped(lab: Lab):
    lab.page.route("**/api/v1/tokenize", lambda route: None)
    lab.page.keyboard.press("Escape")
    lab.text.focus()
    lab.page.keyboard.insert_text("x")
    progress = lab.page.locator("[data-role=progress]")
    expect(progress).to_have_text("Encoding… Esc to stop")
    lab.page.keyboard.press("Escape")
    expect(progress).to_contain_text("Stopped")
    lab.ready()
    lab.page.unroute_all()
    lab.text.focus()
    text = lab.current_text
    lab.page.keyboard.press("Control+Enter")
    lab.ready()
    assert lab.current_text == text, "the key encodes again and types nothing"
    assert lab.tokens("gpt2") == lab.expected("gpt2", text)


def test_backend_gone_is_said_and_nothing_is_lost(open_page: Callable[..., Lab], tmp_path: Path):
    own = Server(tmp_path)
    lab = open_page()
    lab.server = own
    lab.tolerated = ("ERR_CONNECTION", "Failed to load resource")
    try:
        lab.open()
        own.process.kill()
        own.process.wait()
        lab.write("still here")
        expect(lab.error).to_contain_text("does not answer")
        assert lab.current_text == "still here"
    finally:
        own.stop()


def test_theme(lab: Lab):
    root = lab.page.locator("html")
    button = lab.page.locator("[data-role=theme]")
    expect(root).to_have_attribute("data-theme", "light")
    button.click()
    expect(root).to_have_attribute("data-theme", "dark")
    background = lab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    button.click()
    assert button.get_attribute("data-theme") == "system"
    lab.page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")
    lab.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    assert lab.page.evaluate("getComputedStyle(document.body).backgroundColor") != background


def test_choices_are_remembered(lab: Lab):
    lab.press(lab.switch("Add special tokens"))
    lab.press(lab.switch("ids"))
    lab.page.locator("[data-role=theme]").click()
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").press("Delete")
    lab.ready()
    lab.idle()
    assert lab.server.call("GET", "preferences")["chosen"] == ["gpt2"]
    lab.page.reload()
    lab.ready()
    expect(lab.switch("Add special tokens")).not_to_be_checked()
    expect(lab.switch("ids")).not_to_be_checked()
    expect(lab.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert lab.page.locator("tokenizer-chips .chip").count() == 1


@pytest.mark.parametrize(
    "saved", [{"chosen": "no list", "theme": 3, "letters": None}, {"chosen": ["gone", 7], "specials": {}}]
)
def test_odd_preferences_do_no_harm(lab: Lab, saved: dict):
    lab.server.call("PUT", "preferences", saved)
    lab.start_again()
    assert lab.tokens()
    expect(lab.error).to_be_hidden()


def test_unknown_address_shows_the_start_page(lab: Lab):
    lab.page.goto(f"{lab.server.address}#/nowhere")
    lab.ready()
    expect(lab.page.locator(".inspect")).to_be_visible()


def test_nothing_is_loaded_from_elsewhere(lab: Lab):
    entries = lab.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert entries and all(entry.startswith(lab.server.origin) for entry in entries)


def test_widths(lab: Lab):
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    expected = lab.expected("gpt2", lab.current_text)
    for screen in ("inspect", "compare"):
        lab.go(screen)
        for width in (1920, 1280, 1000, 700):
            lab.page.set_viewport_size({"width": width, "height": 720})
            lab.idle()
            assert lab.page.evaluate(overflow) <= 0, (screen, width)
            assert lab.tokens("gpt2") == expected, (screen, width)


def test_the_status_line_says_what_the_screen_shows(lab: Lab):
    lab.write("to be")
    status = lab.page.locator(".status")
    expect(status).to_contain_text("5 bytes")
    lab.go("library")
    expect(status).not_to_contain_text("bytes")
    expect(status).not_to_contain_text("updated in")
    expect(status).to_contain_text("tokenizers installed")
    lab.go("reports")
    expect(status).to_contain_text("saved session")
    expect(status).not_to_contain_text("tokenizers installed")
    lab.go("inspect")
    expect(status).to_contain_text("5 bytes")
    expect(status).to_contain_text("updated in")
    expect(status).not_to_contain_text("saved session")


def test_tokenizers_fit_the_bar_of_a_small_window(lab: Lab):
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    chosen = ["bert-base-uncased", "gpt2", "cl100k_base", "o200k_base"]
    for n in (3, 4):
        lab.server.call("PUT", "preferences", {"chosen": chosen[:n], "active": "gpt2", "theme": "light"})
        lab.start_again()
        bar = lab.page.locator("tokenizer-chips").evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert bar[0] <= bar[1], f"{n} chips are clipped: {bar}"
        names = lab.page.locator("tokenizer-chips .name").evaluate_all("all => all.map(e => e.clientWidth)")
        assert min(names) >= 30


def test_controls_stay_in_their_row_at_twice_the_size(lab: Lab):
    """A window of 1280 by 720 at 200 %: rows of controls grow, and nothing lies over what is under them."""
    lab.page.set_viewport_size({"width": 640, "height": 360})
    for screen in ("compare", "vocabulary", "library", "reports"):
        lab.go(screen)
        expect(lab.page.locator(".screen .tools").first).to_be_visible()
        assert lab.page.evaluate(OUTSIDE) == [], screen


OUTSIDE = """() => [...document.querySelectorAll('.screen .tools')].flatMap(row => {
        const { top, bottom } = row.getBoundingClientRect();
        return [...row.children].filter(child => {
            const box = child.getBoundingClientRect();
            return box.height && (box.top < top - 1 || box.bottom > bottom + 1);
        }).map(child => child.outerHTML.slice(0, 100));
    })"""
