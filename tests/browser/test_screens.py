"""Going from screen to screen and from text to text: what is shown belongs to the text and the screen that are shown."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Lab

LINE = "The unaffordable house of 2048 guests wasn't far from the city.\n"
HUNG = [re.compile(r"/api/v1/(tokenize|compare|documents|documents/excerpt)$")]
COUNT_LINES = """() => {
    window.lines = 0;
    new MutationObserver(changes => {
        for (const { addedNodes } of changes) for (const node of addedNodes) if (node.classList?.contains('cm-line')) window.lines++;
        for (const { addedNodes } of changes) for (const node of addedNodes) window.lines += node.querySelectorAll?.('.cm-line').length ?? 0;
    }).observe(document.body, { childList: true, subtree: true });
}"""


def open_file(lab: Lab, name: str, text: str) -> None:
    """As with the button Open; does not wait for the tokens."""
    lab.page.locator("[data-role=text-file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    )


def hang(lab: Lab) -> None:
    """From now on no text is encoded, and nobody says so."""
    for path in HUNG:
        lab.page.route(path, lambda route: None)


def status(lab: Lab) -> str:
    return lab.page.locator("footer.status").inner_text()


def test_a_long_text_from_another_screen_is_drawn_by_the_window(lab: Lab):
    """An editor that is out of sight maps the lines it has drawn through a change: here to all forty thousand."""
    lab.go("compare")
    lab.go("inspect")
    lab.page.evaluate(COUNT_LINES)
    open_file(lab, "long.txt", LINE * 40_000)
    expect(lab.page.locator("footer.status")).to_contain_text("40 001 lines".replace(" ", "\u202f"))
    lab.ready()
    lab.go("compare")
    lab.press(lab.radio("Side by side"))
    lab.ready()
    assert 0 < lab.page.evaluate("window.lines") < 2000
    assert lab.current_text.startswith(LINE)
    lab.go("inspect")
    lab.press(lab.radio("Table", exact=True))
    open_file(lab, "other.txt", "Another line.\n" * 40_000)
    lab.ready()
    lab.press(lab.radio("Text", exact=True))
    lab.ready()
    assert lab.page.evaluate("window.lines") < 4000


def test_nothing_said_of_the_old_text_stays_beside_the_new_one(lab: Lab):
    for screen, gone in (
        ("inspect", [".facts [data-count]", "token-drawer dd:visible"]),
        ("compare", ["[data-role=divergence]", ".card [data-count]"]),
    ):
        lab.go(screen)
        lab.write("the unaffordable house\nisn't far")
        assert "bytes" in status(lab)
        for selector in gone:
            expect(lab.page.locator(selector)).not_to_have_count(0)
        lab.point_at(lab.pieces("gpt2")[1]["box"])
        expect(lab.page.locator(".facts-now")).to_contain_text("token 2 of")
        hang(lab)
        open_file(lab, "new.txt", LINE)
        expect(lab.page.locator("footer.status")).to_contain_text("new.txt")
        for selector in gone:
            expect(lab.page.locator(selector)).to_have_count(0)
        expect(lab.page.locator(".facts-now")).to_have_text("")
        assert "bytes" not in status(lab) and "encoded in" not in status(lab)
        for path in HUNG:
            lab.page.unroute(path)
        lab.page.keyboard.press("Escape")


def test_a_screen_that_comes_back_shows_nothing_of_the_text_it_had(lab: Lab):
    lab.go("compare")
    lab.write("the unaffordable house")
    expect(lab.page.locator("[data-role=divergence]")).not_to_have_count(0)
    lab.go("inspect")
    open_file(lab, "new.txt", "entirely another text, much longer than the first")
    lab.ready()
    hang(lab)
    lab.page.locator(".rail a[href='#/compare']").click()
    lab.until(lambda: "bytes" not in status(lab), "the figures of Inspect go when Compare is shown")
    assert "new.txt" in status(lab)
    expect(lab.page.locator("[data-role=divergence]")).to_have_count(0)


def test_when_the_server_fails_the_status_says_nothing_of_the_old_text(lab: Lab):
    lab.write("one two three")
    assert "13 bytes" in status(lab)
    lab.tolerated = ("ERR_FAILED",)
    for path in HUNG:
        lab.page.route(path, lambda route: route.abort())
    lab.write("four")
    expect(lab.error).to_be_visible()
    assert "bytes" not in status(lab) and "encoded in" not in status(lab)


def test_a_screen_that_was_destroyed_comes_back_with_text_caret_and_undo(lab: Lab):
    lab.write("one two three")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(4)")
    lab.ready()
    lab.page.evaluate("window.before = new WeakRef(document.querySelector('token-text'))")
    for screen in ("vocabulary", "library", "reports", "compare"):
        lab.go(screen)
    lab.go("inspect")
    assert lab.page.locator("token-text").count() == 1
    assert lab.page.evaluate("document.querySelector('token-text') !== window.before.deref()")
    assert lab.page.evaluate("document.querySelector('token-text').caret") == 4
    lab.text.focus()
    lab.page.keyboard.press("Control+Z")
    lab.ready()
    assert lab.current_text != "one two three"
    assert lab.tokens("gpt2") == lab.expected("gpt2", lab.current_text)
    lab.page.keyboard.press("Control+Y")
    lab.ready()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "one two three")


def test_ids_that_were_typed_stay_while_other_screens_are_opened(lab: Lab):
    lab.press(lab.radio("IDs"))
    lab.page.locator("[data-role=ids]").fill("15496 11")
    lab.idle()
    for screen in ("vocabulary", "library", "reports", "compare"):
        lab.go(screen)
    lab.go("inspect")
    expect(lab.page.locator("[data-role=ids]")).to_have_value("15496 11")


def test_caret_and_place_belong_to_a_screen_and_undo_to_the_text(lab: Lab):
    long = "".join(f"line {n} of a text\n" for n in range(400))
    lab.set_text(long)
    lab.go("compare")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(4000)")
    lab.ready()
    top = lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop")
    assert top > 0
    lab.go("inspect")
    lab.text.focus()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.insert_text("typed in Inspect")
    lab.ready()
    lab.go("compare")
    assert lab.current_text == long + "typed in Inspect"
    assert lab.page.evaluate("document.querySelector('token-text').caret") == 4000
    assert abs(lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop") - top) < 2
    lab.text.focus()
    lab.page.keyboard.press("Control+Z")
    lab.ready()
    assert lab.current_text == long
    assert lab.page.evaluate("document.querySelector('token-text').caret") == len(long)
    lab.go("inspect")
    assert lab.current_text == long
    lab.text.focus()
    lab.page.keyboard.press("Control+Y")
    lab.ready()
    assert lab.current_text == long + "typed in Inspect"
    lab.page.keyboard.press("Control+Z")
    lab.ready()
    assert lab.current_text == long


def test_views_without_the_text_are_ready_with_their_answer(lab: Lab):
    """The text is hidden there: nothing waits for it to be drawn, and nothing says that it can be stopped."""
    lab.press(lab.radio("Table", exact=True))
    lab.ready()
    lab.page.evaluate("""() => {
        window.said = [];
        window.frames = 0;
        const progress = document.querySelector('[data-role=progress]'), count = () => { window.frames++; tested.nextFrame(count); };
        new MutationObserver(() => window.said.push(progress.textContent)).observe(progress, { childList: true, characterData: true, subtree: true });
        count();
    }""")
    before = lab.page.evaluate("window.frames")
    lab.press(lab.switch("Add special tokens"))
    lab.ready()
    assert lab.page.evaluate("window.frames") - before < 100, "it gives up waiting after 120 frames"
    assert not [words for words in lab.page.evaluate("window.said") if "Encoding" in words]


def test_a_screen_that_was_left_writes_nothing(lab: Lab):
    held: list[Route] = []
    lab.page.route("**/api/v1/tokenize", lambda route: held.append(route))
    lab.text.focus()
    lab.page.keyboard.insert_text("x")
    lab.until(lambda: held, "the text is asked for")
    lab.page.locator(".rail a[href='#/reports']").click()
    lab.ready()
    lab.tolerated = ("status of 500",)
    failure = {"error": {"code": "internal", "message": "The disk is full", "hint": ""}}
    lab.page.route("**/api/v1/sessions", lambda route: route.fulfill(status=500, json=failure))
    lab.page.get_by_role("button", name="Save this session").click()
    expect(lab.error).to_contain_text("The disk is full")
    lab.page.unroute("**/api/v1/tokenize")
    for route in held:
        _settle(route.continue_)
    lab.idle()
    expect(lab.error).to_contain_text("The disk is full")
    expect(lab.page.locator("[data-role=progress]")).to_have_text("")
    lab.go("inspect")
    expect(lab.error).to_be_hidden()
    assert lab.current_text.startswith("x") or "x" in lab.current_text
    assert lab.tokens("gpt2") == lab.expected("gpt2", lab.current_text)


def test_an_error_stays_on_its_screen(lab: Lab):
    lab.tolerated = ("status of 500",)
    lab.go("reports")
    failure = {"error": {"code": "internal", "message": "The disk is full", "hint": ""}}
    lab.page.route("**/api/v1/sessions", lambda route: route.fulfill(status=500, json=failure))
    lab.page.get_by_role("button", name="Save this session").click()
    expect(lab.error).to_contain_text("The disk is full")
    lab.go("library")
    expect(lab.error).to_be_hidden()


@pytest.mark.new_document
def test_the_file_that_was_chosen_last_is_shown(lab: Lab):
    lab.page.evaluate("""() => {
        const { arrayBuffer } = File.prototype;
        File.prototype.arrayBuffer = function () {
            return this.name === 'slow.txt' ? new Promise(resolve => { window.finish = () => resolve(arrayBuffer.call(this)); }) : arrayBuffer.call(this);
        };
    }""")
    open_file(lab, "slow.txt", "the older file")
    open_file(lab, "quick.txt", "the newer file")
    expect(lab.page.locator("footer.status")).to_contain_text("quick.txt")
    lab.page.evaluate("window.finish()")
    lab.ready()
    assert lab.current_text == "the newer file"
    assert "quick.txt" in status(lab)


def test_a_reload_shows_the_text_that_was_shown(lab: Lab):
    lab.page.goto(lab.server.address + "#/inspect?t=gpt2&text=hello")
    lab.page.reload()
    lab.ready()
    assert lab.current_text == "hello"
    lab.write("typed since then")
    assert lab.page.evaluate("location.hash") == "#/inspect"
    lab.page.reload()
    lab.ready()
    assert lab.current_text == "typed since then"


def test_the_browsers_own_copy_and_cut_are_no_reports(lab: Lab):
    """A component whose report has the name of an event of the browser would take that for its own."""
    lab.press(lab.radio("IDs", exact=True))
    lab.page.locator("[data-role=ids]").focus()
    lab.page.keyboard.press("Control+A")
    lab.page.keyboard.press("Control+C")
    lab.go("vocabulary")
    lab.page.get_by_role("tab", name="Size").click()
    lab.page.locator("[data-role=size-text]").fill("family 👩‍🔬 met 🇯🇵")
    lab.ready()
    faces = lab.page.locator("[data-role=size-tokens] .boundary").all_inner_texts()
    assert any("👩‍🔬" in face for face in faces) and any("🇯🇵" in face for face in faces)
    assert not any("ZWJ" in face for face in faces), "no character is drawn in parts"
    lab.page.locator("[data-role=size-text]").focus()
    lab.page.keyboard.press("Control+A")
    lab.page.keyboard.press("Control+X")
    lab.ready()
    expect(lab.page.locator("[data-role=size-tokens]")).to_have_text("no text")


def test_a_job_goes_on_after_a_reload_and_after_a_lost_connection(lab: Lab):
    job = {
        "id": "7",
        "kind": "fetch",
        "title": "org/tiny",
        "state": "running",
        "done": 1,
        "total": 4,
        "result": None,
        "error": None,
    }
    lab.page.route(
        "**/api/v1/jobs", lambda route: route.fulfill(json={"jobs": [job, {**job, "id": "6", "state": "done"}]})
    )
    backend = {"is there": True}
    # The stream ends after one event: the page listens again.
    asked = lambda route: (  # noqa: E731
        route.fulfill(body=f"data: {json.dumps({'jobs': [job]})}\n\n", content_type="text/event-stream")
        if backend["is there"]
        else route.abort()
    )
    lab.page.route("**/api/v1/jobs/events", asked)
    lab.tolerated = ("ERR_FAILED",)
    lab.page.reload()
    chip = lab.page.locator("header [data-role=job]")
    expect(chip).to_have_count(1)
    expect(chip).to_contain_text("org/tiny")
    backend["is there"] = False
    expect(chip).to_contain_text("Connection lost, trying again")
    job["done"] = 3
    backend["is there"] = True
    expect(chip).not_to_contain_text("Connection lost")
    expect(chip).to_contain_text("75")
    job.update(state="failed", error={"code": "hub", "message": "The Hub said no.", "hint": ""})
    expect(lab.error).to_contain_text("The Hub said no.")
    expect(chip).to_have_count(0)


def test_entries_that_cannot_be_read_are_asked_for_once(lab: Lab):
    lab.tolerated = ("ERR_FAILED",)
    lab.page.reload()
    lab.ready()
    asked: list[str] = []
    lab.page.route("**/api/v1/vocabulary/gpt2?ids=*", lambda route: (asked.append(route.request.url), route.abort()))
    lab.press(lab.radio("Table", exact=True))
    lab.set_text("words that were not met before: zymurgy, quokka, ytterbium")
    expect(lab.page.locator("token-table [data-row]", has_text="…")).not_to_have_count(0)
    lab.frames(60)  # in which sixty were asked
    assert 0 < len(asked) <= 6
    lab.page.unroute("**/api/v1/vocabulary/gpt2?ids=*")
    lab.set_text("others: zymurgy")
    expect(lab.page.locator("token-table [data-row]", has_text="urgy")).not_to_have_count(0)
    expect(lab.page.locator("token-table [data-row]", has_text="…")).to_have_count(0)


def test_tab_leads_into_a_list_wherever_it_was_scrolled_to(lab: Lab):
    lab.go("vocabulary")
    rows = lab.page.locator("[data-role=vocabulary-rows]")
    rows.locator("[data-row='3']").click()
    lab.page.locator("[data-role=vocabulary-search]").focus()
    for top in (40_000, 0):
        rows.evaluate("(list, top) => { list.scrollTop = top; }", top)
        lab.frames(2)
        assert rows.locator("[data-row][tabindex='0']").count() == 1
        lab.ready()


def test_the_vocabulary_says_what_is_wrong_once(lab: Lab):
    lab.tolerated = ("status of 400", "status of 422", "ERR_FAILED")
    lab.go("vocabulary")
    lab.press(lab.radio("regex"))
    lab.page.locator("[data-role=vocabulary-search]").fill("zzzzqqqq")
    expect(lab.page.locator(".empty-words").first).to_be_visible()
    lab.page.locator("[data-role=vocabulary-search]").fill("(")
    expect(lab.page.locator("[data-role=search-error]")).to_be_visible()
    expect(lab.page.locator(".vocabulary-work .empty-words")).to_be_hidden()
    for path in ("**/vocabulary/*/audit*", "**/vocabulary/*/search?*"):
        lab.page.route(path, lambda route: route.abort())
    lab.page.get_by_role("tab", name="Overview").click()
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased']").get_by_role("button").first.click()
    expect(lab.page.locator("[data-role=audit]")).to_contain_text("does not answer")
    expect(lab.page.locator("[data-role=audit]")).not_to_contain_text("Encoding every")


def test_a_tokenizer_that_was_replaced_under_its_id_is_read_again(lab: Lab, tmp_path: Path):
    def add(word: str) -> None:
        path = tmp_path / word / "vocab.txt"
        path.parent.mkdir()
        path.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", word, ""]), encoding="utf-8")
        lab.server.call("POST", "tokenizers", {"path": str(path), "id": "replaced"})

    add("zymurgy")
    lab.page.goto("about:blank")
    lab.page.goto(lab.server.address + "#/vocabulary?t=replaced&t=gpt2")
    lab.ready()
    rows = lab.page.locator("[data-role=vocabulary-rows]")
    expect(rows).to_contain_text("zymurgy")
    lab.go("library")
    lab.server.call("DELETE", "tokenizers/replaced")
    add("quokka")
    # Whatever changes the catalog makes the page read it again.
    lab.server.call("POST", "tokenizers", {"path": str(tmp_path / "quokka" / "vocab.txt"), "id": "another"})
    lab.page.locator(".tokenizer-row[data-tokenizer=gpt2]").scroll_into_view_if_needed()
    lab.page.evaluate("document.querySelector('[data-role=add-tokenizer]').click()")
    lab.page.locator("[data-role=vocabulary-files]").set_input_files(str(tmp_path / "quokka" / "vocab.txt"))
    expect(lab.page.locator("tokenizer-chips .chip")).to_have_count(3)
    expect(lab.page.get_by_role("dialog")).to_be_hidden()
    lab.go("vocabulary")
    lab.page.locator("tokenizer-chips [data-tokenizer=replaced]").get_by_role("button").first.click()
    expect(rows).to_contain_text("quokka")
    expect(rows).not_to_contain_text("zymurgy")


def test_letters_are_commands_with_caps_lock_on(lab: Lab):
    before = lab.switch("IDs").get_attribute("aria-checked")
    lab.page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'I', bubbles: true, cancelable: true }))"
    )
    expect(lab.switch("IDs")).not_to_have_attribute("aria-checked", before or "")


def test_a_column_that_is_gone_is_let_go(lab: Lab):
    lab.go("compare")
    lab.press(lab.radio("Side by side"))
    lab.ready()
    lab.page.evaluate("""() => {
        window.measured = [0, 0];
        [...document.querySelectorAll('side-by-side token-text')].forEach(({ view }, n) => {
            const { requestMeasure } = view;
            view.requestMeasure = function (...values) { window.measured[n]++; return requestMeasure.apply(this, values); };
        });
    }""")
    lab.page.locator("compare-cards [data-tokenizer=gpt2] button.toggle").click()
    expect(lab.page.locator("side-by-side token-text")).to_have_count(1)
    lab.ready()
    lab.page.evaluate("window.measured = [0, 0], document.fonts.dispatchEvent(new Event('loadingdone')), null")
    lab.frames(3)
    stays, gone = lab.page.evaluate("window.measured")
    assert stays > 0 and gone == 0


def _settle(act: Callable[[], None]) -> None:
    """A request that the page gave up cannot be answered."""
    try:
        act()
    except Exception:
        return
