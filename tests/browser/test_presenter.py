"""Presenter mode: keys and clicker, covers and counts, six lines in every window, the address, leaving, accessibility."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests import tiny
from tests.browser.conftest import Axe, Lab, Server
from tests.browser.pictures import upload
from tests.scale import few

TEXT = "unaffordable words\n\nTokenization isn't neutral\n東京 ramen"
STEPS = [line for line in TEXT.split("\n") if line]
BUILT_IN = ["bert-base-uncased", "gpt2", "cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "r50k_base"]
SIZES = [(1280, 720), (1440, 900), (1920, 1080)]


@pytest.fixture
def show(lab: Lab) -> Lab:
    """A text of three lines, presented from Inspect."""
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.set_text(TEXT)
    present(lab)
    return lab


def present(lab: Lab) -> None:
    lab.page.locator(".rail a").first.press("Shift+P")
    expect(lab.page.locator(".presenter")).to_be_visible()
    lab.ready()


def press(lab: Lab, *keys: str) -> None:
    for key in keys:
        lab.page.keyboard.press(key)
        lab.ready()


def head(lab: Lab, tokenizer: str) -> str:
    return lab.page.locator(f"presenter-head [data-tokenizer='{tokenizer}'] .big").inner_text().split("\n")[0]


def counts(lab: Lab, letter: str) -> list[str]:
    return lab.page.locator(f".line-count[data-letter='{letter}']").all_inner_texts()


def covers(lab: Lab) -> list[str]:
    return lab.page.locator(".line-marks .cover").all_inner_texts()


def current(lab: Lab) -> str:
    """The line that the band is behind."""
    return lab.page.evaluate("""() => {
        const band = document.querySelector('.current-line').getBoundingClientRect();
        const inside = line => {
            const range = document.createRange();
            range.selectNodeContents(line);
            const [first] = range.getClientRects();
            return first && first.top >= band.top && first.bottom <= band.bottom;
        };
        return [...document.querySelectorAll('.presenter .cm-line')].find(inside)?.textContent;
    }""")


def own_tokens(lab: Lab, tokenizer: str, text: str) -> list[int]:
    """How many tokens start in each line, by the interface; a line break belongs to its line."""
    starts = [len(line.encode()) for line in text.splitlines(keepends=True)]
    ends = [sum(starts[: n + 1]) for n in range(len(starts))]
    found = [0] * len(ends)
    for token in lab.expected(tokenizer, text):
        found[next(n for n, end in enumerate(ends) if token["start"] < end)] += 1
    return found


def shown_tokens(lab: Lab, tokenizer: str) -> int:
    lanes = lab.page.locator(".presenter token-text").evaluate("e => e.drawnLanes")
    lane = next(lane for lane in lanes if lane["tokenizer"] == tokenizer)
    return len({piece["token"] for piece in lane["pieces"]})


def test_a_clicker_walks_the_lines(show: Lab):
    assert [current(show), covers(show)] == [STEPS[0], ["Hidden. How many tokens?", "?", "?", "?"]]
    bert, gpt2 = (own_tokens(show, name, TEXT) for name in ("bert-base-uncased", "gpt2"))
    assert counts(show, "A") == [str(n) for n in bert]
    assert counts(show, "B") == ["?"] * 4
    for number, key in enumerate(["PageDown", "ArrowRight", " "], 1):
        press(show, key)
        assert current(show) == STEPS[min(number, 2)]
    assert counts(show, "B") == [str(n) for n in gpt2], "each line's own count"
    assert [head(show, "bert-base-uncased"), head(show, "gpt2")] == [f"{sum(bert)} + 2", str(sum(gpt2))]
    assert covers(show) == []
    press(show, "PageUp")
    assert [current(show), covers(show)] == [STEPS[2], ["Hidden. How many tokens?"]]
    assert counts(show, "B") == [*[str(n) for n in gpt2[:3]], "?"]
    press(show, ".")
    assert [current(show), len(covers(show)), head(show, "gpt2")] == [STEPS[0], 4, "?"]


def test_covered_tokens_are_nowhere_in_the_page(show: Lab):
    assert shown_tokens(show, "gpt2") == 0
    assert "gpt2" in show.page.locator(".presenter token-text").evaluate("e => e.drawnLanes.map(l => l.tokenizer)")
    press(show, "PageDown")
    assert shown_tokens(show, "gpt2") == sum(own_tokens(show, "gpt2", TEXT)[:2])
    # The other lane is grey where the answer is hidden, and not where it is shown.
    lanes = show.page.locator(".presenter token-text").evaluate("e => e.drawnLanes")
    end = TEXT.index("Token")
    for piece in next(lane for lane in lanes if lane["tokenizer"] == "bert-base-uncased")["pieces"]:
        assert piece["shade"].startswith("g") or piece["start"] < end, piece
    assert any(piece["shade"].startswith("d") for lane in lanes for piece in lane["pieces"])


def test_the_hidden_count_is_not_read_aloud(show: Lab):
    hidden = str(sum(own_tokens(show, "gpt2", TEXT)))
    press(show, "PageDown")
    tree = show.page.locator(".presenter").aria_snapshot()
    assert "count hidden" in tree
    assert "Line 2 of 3. BERT base, uncased: " in tree
    assert "GPT-2: hidden." in tree
    assert not re.search(rf"\b{hidden}\b", tree), tree
    said = show.live.inner_text()
    first, second = own_tokens(show, "gpt2", TEXT)[0], own_tokens(show, "gpt2", TEXT)[2]
    assert f"Line 1 revealed. BERT base, uncased: {own_tokens(show, 'bert-base-uncased', TEXT)[0]} tokens." in said
    assert f"GPT-2: {first} tokens." in said
    assert f"{second} tokens" not in said
    assert said.endswith(f"Line 2: {STEPS[1]}")


def test_letters_choose_what_is_hidden_and_h_shows_it(show: Lab):
    ask = show.page.locator("presenter-head .ask")
    expect(ask).to_have_text("Guess GPT-2’s count")
    press(show, "a")
    expect(ask).to_have_text("Guess BERT base, uncased’s count")
    assert [head(show, "bert-base-uncased"), shown_tokens(show, "bert-base-uncased")] == ["?", 0]
    assert head(show, "gpt2") == str(sum(own_tokens(show, "gpt2", TEXT)))
    press(show, "h")
    expect(ask).to_have_attribute("aria-pressed", "false")
    assert [covers(show), "?" in counts(show, "A")] == [[], False]
    ask.click()
    expect(ask).to_have_attribute("aria-pressed", "true")
    show.ready()
    assert len(covers(show)) == 4


def test_six_lines_with_two_lanes_fit_every_window(show: Lab):
    press(show, "PageDown", "PageDown", "PageDown", "PageDown")
    expect(show.page.locator("presenter-foot")).to_contain_text("Text 2 of 5")
    for width, height in SIZES:
        show.page.set_viewport_size({"width": width, "height": height})
        show.idle()
        six_lines_fit(show, width, height)


def six_lines_fit(show: Lab, width: int, height: int) -> None:
    boxes = show.page.evaluate("""() => {
        const box = e => { const { top, bottom, left, right } = e.getBoundingClientRect(); return [top, bottom, left, right]; };
        const of = selector => [...document.querySelectorAll(selector)].map(box);
        return { head: of('presenter-head')[0], foot: of('presenter-foot')[0], lines: of('.presenter .cm-line'),
            badges: of('.line-marks .badge'), counts: of('.line-count'), fonts: parseFloat(getComputedStyle(
            document.querySelector('.presenter .cm-line')).fontSize) };
    }""")
    assert len(boxes["lines"]) == 6, (width, height)
    assert len(boxes["badges"]) == len(boxes["counts"]) == 12
    top, bottom = boxes["head"][1], boxes["foot"][0]
    stack = sorted([*boxes["badges"], *boxes["counts"]], key=lambda box: box[0])
    assert top <= stack[0][0]
    assert max(box[1] for box in stack) <= bottom
    for above, below in pairwise(sorted(boxes["badges"])):
        assert above[1] <= below[0]
    scroller = show.page.locator(".presenter .cm-scroller")
    assert scroller.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1")
    # It grows with the window: 32 px at 1280 by 720.
    assert boxes["fonts"] == pytest.approx(32 * min(width / 1280, height / 720), rel=0.02)
    for name in (".rail", ".bar", ".status", ".compare"):
        expect(show.page.locator(name)).to_be_hidden()


def test_the_size_key_is_remembered(show: Lab):
    def size() -> float:
        return show.page.locator(".presenter .cm-line").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")

    before = size()
    press(show, "+")
    assert size() == pytest.approx(before * 1.15)
    show.idle()
    show.page.reload()
    show.ready()
    assert size() == pytest.approx(before * 1.15)
    press(show, "-", "-")
    assert size() == pytest.approx(before * 0.9)


def test_other_keys_walk_change_the_palette_of_the_presentation_alone_or_do_nothing(show: Lab):
    press(show, "Enter", "Enter", "ArrowLeft")
    assert current(show) == STEPS[1]
    press(show, "Backspace")
    assert current(show) == STEPS[0]
    presenter = show.page.locator(".presenter")
    expect(presenter).to_have_attribute("data-palette", "light")
    press(show, "t")
    expect(presenter).to_have_attribute("data-palette", "dark")
    assert show.page.locator("html").get_attribute("data-theme") == "light"
    press(show, "s", "w", "n", "1")
    expect(presenter).to_be_visible()
    show.idle()
    assert show.server.call("GET", "preferences").get("addSpecialTokens", True) is True


def test_the_address_shows_the_same_after_a_reload(show: Lab):
    press(show, "a", "PageDown")
    assert "present=1" in show.page.url
    before = [current(show), covers(show), counts(show, "B")]
    show.page.reload()
    show.ready()
    assert [current(show), covers(show), counts(show, "B")] == before
    press(show, "Escape")
    expect(show.page.locator(".rail a[href='#/inspect']")).to_have_attribute("aria-current", "page")
    assert show.current_text == TEXT


def test_leaving_brings_back_what_was_there(lab: Lab):
    lab.go("compare")
    lab.set_text(TEXT)
    lab.text.click()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.type("!")
    lab.ready()
    lab.page.get_by_role("radio", name="Side by side").click()
    lab.ready()
    lab.page.locator(".rail a").first.focus()
    present(lab)
    press(lab, "PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "Escape")
    expect(lab.page.locator(".presenter")).to_be_hidden()
    expect(lab.page.locator(".rail")).to_be_visible()
    assert "present" not in lab.page.url
    expect(lab.page.get_by_role("radio", name="Side by side")).to_be_checked()
    lab.page.get_by_role("radio", name="Aligned").click()
    lab.ready()
    assert lab.current_text == f"{TEXT}!"
    lab.text.focus()
    lab.page.keyboard.press("Control+z")
    lab.ready()
    assert lab.current_text == TEXT, "the history of the text is kept"
    assert lab.tokens("gpt2") == lab.expected("gpt2", TEXT)


def test_no_second_copy_is_kept_after_leaving(lab: Lab):
    lab.go("compare")
    lab.set_text("word " * 1000)
    present(lab)
    text = lab.page.locator(".presenter token-text").element_handle()
    assert text.evaluate("e => e.text.length") == 5000
    shown = counts(lab, "A")
    assert shown
    with lab.page.expect_request(lambda request: request.method == "DELETE" and "/documents/" in request.url):
        press(lab, "Escape")
    lab.idle()
    assert text.evaluate("e => [e.text, e.view.state.doc.length]") == ["", 0]
    assert lab.current_text == "word " * 1000
    present(lab)
    assert counts(lab, "A") == shown


def test_the_button_in_the_bar_presents_and_gets_the_focus_back(lab: Lab):
    lab.go("compare")
    button = lab.page.get_by_role("button", name="Present", exact=True)
    button.click()
    expect(lab.page.locator(".presenter")).to_be_focused()
    lab.ready()
    press(lab, "PageDown", "Escape")
    expect(button).to_be_focused()


def test_going_to_another_screen_ends_it(show: Lab):
    show.page.keyboard.press("Control+k")
    show.page.keyboard.type("go to library")
    show.page.keyboard.press("Enter")
    show.ready()
    expect(show.page.locator(".rail")).to_be_visible()
    show.go("compare")
    expect(show.page.locator(".compare")).to_be_visible()
    expect(show.page.locator(".presenter")).to_be_hidden()


def test_back_ends_it(show: Lab):
    show.page.evaluate("location.hash = '#/compare'")
    expect(show.page.locator(".presenter")).to_be_hidden()
    show.ready()
    assert show.current_text == TEXT


def test_without_single_keys_a_clicker_still_works(lab: Lab, preferences: dict):
    lab.server.call("PUT", "preferences", {**preferences, "singleKeys": False})
    lab.page.goto("about:blank")
    lab.open("compare?present=1")
    before = current(lab)
    press(lab, "a")
    assert head(lab, "gpt2") == "?", "a letter is not a key then"
    press(lab, "PageDown")
    assert current(lab) != before


def test_full_screen_ends_with_the_presentation(show: Lab):
    full = "Boolean(document.fullscreenElement)"
    press(show, "f")
    show.until(lambda: show.page.evaluate(full), "the page is in full screen")
    press(show, "PageDown")
    show.page.get_by_role("button", name="Leave").click()
    show.until(lambda: not show.page.evaluate(full), "the page is no longer in full screen")
    expect(show.page.locator(".presenter")).to_be_hidden()


def test_the_buttons_do_what_their_keys_do(show: Lab):
    def button(name: str) -> None:
        show.page.locator("presenter-foot").get_by_role("button", name=name).click()
        show.ready()

    button("Reveal line 1")
    assert current(show) == STEPS[1]
    show.page.keyboard.press("Enter")  # presses the button that has the focus, and is no second step
    show.ready()
    assert current(show) == STEPS[2]
    button("Back")
    assert current(show) == STEPS[1]
    button("Cover all")
    assert current(show) == STEPS[0]
    expect(show.page.get_by_role("button", name="Back")).to_have_attribute("aria-disabled", "true")


def test_texts_follow_each_other(show: Lab):
    foot = show.page.locator("presenter-foot")
    expect(foot).to_contain_text("Text 1 of 5")
    press(show, "PageDown", "PageDown", "PageDown", "PageDown")
    expect(foot).to_contain_text("Text 2 of 5")
    assert current(show).startswith("Tokenization isn't neutral")
    assert len(covers(show)) == 6
    press(show, "PageUp")
    expect(foot).to_contain_text("Text 1 of 5")
    assert covers(show) == []
    expect(foot.get_by_role("button", name="Next text")).to_be_visible()
    press(show, *["PageDown"] * 29)
    expect(foot).to_contain_text("Text 5 of 5")
    expect(foot.get_by_role("button", name="End of the list")).to_have_attribute("aria-disabled", "true")


def the_list(lab: Lab) -> Locator:
    return lab.page.get_by_role("dialog", name="Prepared texts")


def names(lab: Lab) -> list[str]:
    return the_list(lab).locator(".ordered-name bdi").all_inner_texts()


def test_the_list_of_texts_can_be_changed(show: Lab, tmp_path: Path):
    press(show, "l")
    page = show.page
    texts = the_list(show)
    expect(texts).to_be_visible()
    first = names(show)
    page.get_by_label("Add a text").fill("one line\ntwo lines")
    texts.get_by_role("button", name="Add", exact=True).click()
    assert names(show) == [*first, "one line"]
    (tmp_path / "lesson.txt").write_bytes("第一行\r\nzwei\r\n".encode())
    page.locator("[data-role=prepared-files]").set_input_files(tmp_path / "lesson.txt")
    expect(texts.get_by_role("status")).to_have_text("Added: 第一行")
    (tmp_path / "latin.txt").write_bytes("café".encode("latin-1"))
    page.locator("[data-role=prepared-files]").set_input_files(tmp_path / "latin.txt")
    expect(texts.get_by_role("status")).to_have_text(
        "latin.txt is not UTF-8 text: byte 3 is 0xe9. Save it as UTF-8, then add it again."
    )
    assert names(show) == [*first, "one line", "第一行"]
    texts.get_by_role("button", name="Move up: 第一行").click()
    assert names(show)[-2:] == ["第一行", "one line"]
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Move up: 第一行")
    texts.get_by_role("button", name="Remove: one line").click()
    assert names(show) == [*first, "第一行"]
    show.idle()
    texts.get_by_role("button", name="第一行").first.click()
    show.ready()
    expect(texts).to_be_hidden()
    expect(page.locator("presenter-foot")).to_contain_text("Text 6 of 6")
    page.reload()
    show.ready()
    expect(page.locator("presenter-foot")).to_contain_text("Text 6 of 6")
    assert page.locator(".presenter token-text").evaluate("e => e.text") == "第一行\nzwei"
    press(show, "l")
    texts.get_by_role("button", name="Restore the built-in texts").click()
    assert names(show) == first


def test_a_reset_of_the_settings_keeps_the_list(show: Lab):
    press(show, "l")
    the_list(show).get_by_role("button", name="Remove: don't").click()
    press(show, "Escape", "+", "Control+k")
    show.page.keyboard.type("reset all settings")
    press(show, "Enter")
    expect(show.page.locator("presenter-foot")).to_contain_text("Text 1 of 4")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert show.page.locator(".presenter .cm-line").first.evaluate(size) == pytest.approx(32)


def test_a_text_too_long_for_the_list_says_so(show: Lab):
    press(show, "l")
    before = names(show)
    show.page.get_by_label("Add a text").fill("long " * 8000)
    the_list(show).get_by_role("button", name="Add", exact=True).click()
    expect(the_list(show).get_by_role("status")).to_contain_text("32 kB")
    assert names(show) == before
    press(show, "Escape")
    expect(the_list(show)).to_be_hidden()
    expect(show.page.locator(".presenter")).to_be_visible()


def test_an_empty_text_invites(lab: Lab):
    lab.write("")
    present(lab)
    expect(lab.page.locator(".presenter-empty")).to_contain_text("This text is empty")
    press(lab, "PageDown")
    expect(lab.page.locator(".presenter-empty")).to_be_hidden()
    assert len(covers(lab)) == 6


class TestManyScripts:
    @pytest.fixture
    def preferences(self) -> dict:
        return {"chosen": ["gpt2"], "active": "gpt2", "theme": "light"}

    def test_one_tokenizer_hides_nothing_until_it_is_asked_for(self, show: Lab):
        assert [covers(show), head(show, "gpt2")] == [[], str(sum(own_tokens(show, "gpt2", TEXT)))]
        press(show, "a")
        assert [len(covers(show)), head(show, "gpt2")] == [4, "?"]

    def test_covers_are_over_the_whole_lane(self, show: Lab):
        for text in ("مرحبا بالعالم، هذه جملة قصيرة.", "नमस्ते दुनिया", "👩‍🔬 met 👨‍👩‍👧‍👦", "word " * 60):
            press(show, "Escape")
            show.set_text(text)
            present(show)
            self.covers_are_over_the_whole_lane(show)
            press(show, "a")  # as it was

    def covers_are_over_the_whole_lane(self, show: Lab) -> None:
        blocks = show.page.locator(".presenter token-text").evaluate("e => e.drawnLanes[0].pieces.map(p => p.box)")
        press(show, "a")
        boxes = [cover.bounding_box() for cover in show.page.locator(".line-marks .cover").all()]
        assert blocks and boxes
        for block in blocks:
            assert any(
                box["x"] <= block["x"] + 1
                and box["x"] + box["width"] >= block["x"] + block["width"] - 1
                and abs(box["y"] - block["y"]) <= 1.5
                and abs(box["height"] - block["height"]) <= 1.5
                for box in boxes
            ), (block, boxes)


class TestEight:
    @pytest.fixture
    def preferences(self, server: Server, tmp_path: Path) -> dict:
        upload(server, "vocab.txt", tiny.vocab_txt(tmp_path).read_bytes(), "eighth")
        return {"chosen": [*BUILT_IN, "eighth"], "active": "gpt2", "theme": "light"}

    def test_eight_lanes_have_their_places_and_letters_are_keys(self, show: Lab):
        page = show.page
        tops = sorted(box["y"] for box in map(Locator.bounding_box, page.locator(".line-count").all()) if box)
        assert len(tops) == 8 * 4
        assert all(below - above >= 28 for above, below in pairwise(tops))
        names = page.locator("presenter-head li")
        assert names.count() == 8
        for above, below in pairwise([*names.all(), page.locator("presenter-head .ask")]):
            left, right = above.bounding_box(), below.bounding_box()
            assert left and right
            assert left["x"] + left["width"] <= right["x"]
        ask = page.locator("presenter-head .ask")
        press(show, "h")
        expect(page.locator("presenter-head li").nth(7).locator(".big")).to_contain_text("?")
        expect(ask).to_have_attribute("data-letter", "H")
        press(show, "Shift+H")
        expect(ask).to_have_attribute("aria-pressed", "false")


class TestLarge:
    @pytest.mark.parametrize("joint", few([pytest.param("\n", id="lines"), pytest.param(" ", id="one line")]))
    def test_a_megabyte_is_drawn_in_the_window_alone(self, lab: Lab, joint: str):
        lab.set_text(joint.join(f"line {n} of unaffordable 日本語 things" for n in range(25_000)))
        present(lab)
        expect(lab.page.locator("presenter-head .big").first).to_have_text(re.compile(r"\d"))
        lab.ready()
        assert lab.page.locator(".line-marks > *").count() < 400
        assert lab.page.locator(".presenter *").count() < 3000
        press(lab, "PageDown", "PageDown")
        expect(lab.page.locator(".presenter")).to_be_visible()
        if joint == "\n":
            assert current(lab) == "line 2 of unaffordable 日本語 things"


def test_axe_finds_nothing_serious_while_presenting(lab: Lab, axe: Axe):
    present(lab)
    axe.check(lab.page)
    press(lab, "l")
    axe.check(lab.page)
    press(lab, "Escape", "t", "PageDown")
    expect(lab.page.locator(".presenter")).to_have_attribute("data-palette", "dark")
    axe.check(lab.page)
