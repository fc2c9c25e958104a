"""Vocabulary: search, facets, entries, the audit, files, smaller vocabularies; by mouse and by keyboard."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Lab


@pytest.fixture
def vocabulary(lab: Lab) -> Lab:
    lab.go("vocabulary")
    return lab


def search(lab: Lab, text: str) -> None:
    lab.page.locator("[data-role=vocabulary-search]").fill(text)
    lab.idle()  # what is typed is waited for, then searched


def shown_ids(lab: Lab) -> list[int]:
    cells = lab.page.locator("[data-role=vocabulary-rows] [data-row] > :first-child").all_inner_texts()
    return [int(cell) for cell in cells]


def asked(lab: Lab, query: str) -> dict:
    return lab.server.call("GET", f"vocabulary/gpt2/search?{query}")


def found(lab: Lab) -> str:
    return re.sub(r"\D+", " ", lab.page.locator("[data-role=found]").inner_text().replace("\u202f", "")).strip()


def test_opens_on_whole_words_and_scrolls_through_all_tokens(vocabulary: Lab):
    words = asked(vocabulary, "order=words&limit=5")["tokens"]
    assert [token["text"] for token in words[:3]] == [" the", " an", " to"]
    assert found(vocabulary) == "50257" and shown_ids(vocabulary)[:5] == [token["id"] for token in words]
    rows = vocabulary.page.locator("[data-role=vocabulary-rows]")
    rows.evaluate("list => { list.scrollTop = list.scrollHeight; }")
    vocabulary.idle()
    assert shown_ids(vocabulary)[-1] == 50256
    assert rows.locator("[data-row]").count() < 100
    head = vocabulary.page.get_by_role("button", name="Order by id")
    head.click()
    vocabulary.ready()
    assert shown_ids(vocabulary)[:5] == [0, 1, 2, 3, 4]
    head.click()
    vocabulary.ready()
    assert shown_ids(vocabulary)[0] == 50256
    head.click()  # the first order again
    vocabulary.ready()
    assert shown_ids(vocabulary)[:5] == [token["id"] for token in words]


def test_unused_tokens_fold_into_one_row(vocabulary: Lab):
    page = vocabulary.page
    page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    vocabulary.ready()
    expect(page.locator("vocabulary-table [data-row='0'] .token-face")).to_have_text("the")
    rows = page.locator("[data-role=vocabulary-rows]")
    assert shown_ids(vocabulary)[0] == 1996
    rows.evaluate(
        "e => { while (e.scrollHeight <= e.clientHeight) e = e.parentElement; e.scrollTop = e.scrollHeight; }"
    )
    expect(page.locator("[data-role=unused-fold]")).to_contain_text("994 unused tokens")
    # It is the last row: the End key opens it.
    rows.evaluate("e => { while (e.scrollHeight <= e.clientHeight) e = e.parentElement; e.scrollTop = 0; }")
    page.locator("[data-row='0']").focus()
    page.keyboard.press("End")
    expect(page.locator("facet-chips [data-name=unused]")).to_have_attribute("aria-pressed", "true")
    vocabulary.ready()
    assert found(vocabulary) == "994 30522"
    expect(rows.locator("[data-row='0'] .token-face")).to_have_text("[unused0]")
    assert set(page.locator("vocabulary-table .verdict").all_inner_texts()) == {"no"}


def test_no_is_not_a_fault(vocabulary: Lab):
    """What no text gives is grey; red is for what went wrong."""
    page = vocabulary.page
    page.get_by_role("button", name="Unreachable", exact=True).click()
    vocabulary.ready()
    rows, found_ids = page.locator("vocabulary-table .verdict"), shown_ids(vocabulary)
    assert found_ids and set(rows.all_inner_texts()) == {"no"}
    grey, bad = page.evaluate(
        """() => ['--ink-2', '--bad'].map(name => {
            const probe = document.createElement('i');
            probe.style.color = `var(${name})`;
            document.body.append(probe);
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
        })"""
    )
    assert rows.first.evaluate("e => getComputedStyle(e).color") == grey != bad
    page.locator("[data-row='0']").click()
    vocabulary.ready()
    expect(page.locator("[data-role=reachability]")).to_contain_text(re.compile("^no: .{10}"))  # with the reason


def test_example_searches(vocabulary: Lab):
    row = vocabulary.page.get_by_role("group", name="Try")
    for example, query in (
        ("“token”", "q=token&order=words"),
        ("Digits", "kind=digits&order=words"),
        ("Longest tokens", "order=characters&descending=true"),
        ("Special", "kind=special&order=words"),
        ("Katakana", "script=Katakana&order=words"),
    ):
        chip = row.get_by_role("button", name=example)
        chip.click()
        vocabulary.ready()
        expect(chip).to_have_attribute("aria-pressed", "true")
        ids = [token["id"] for token in asked(vocabulary, query)["tokens"]]
        assert shown_ids(vocabulary)[:10] == ids[:10], example
        vocabulary.page.reload()
        vocabulary.ready()
        expect(chip).to_have_attribute("aria-pressed", "true")
        chip.click()
        vocabulary.ready()
        assert found(vocabulary) == "50257", example


def test_scripts_after_the_first_few_are_behind_a_button(lab: Lab):
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    lab.go("vocabulary")
    scripts = lab.page.get_by_role("group", name="Script")
    more = scripts.get_by_role("button", name="More")
    few = scripts.locator("[data-name]").count()
    more.click()
    assert scripts.locator("[data-name]").count() > few
    for chip in scripts.get_by_role("button").all():  # none is clipped
        inside, whole = chip.bounding_box(), scripts.bounding_box()
        assert inside and whole and inside["x"] + inside["width"] <= whole["x"] + whole["width"]
    scripts.get_by_role("button", name="Fewer").click()
    expect(scripts.locator("[data-name]")).to_have_count(few)


def test_the_address_says_which_entry_tab_and_size(vocabulary: Lab):
    page = vocabulary.page
    page.locator("[data-row='0']").click()
    vocabulary.ready()
    shown = page.locator("vocabulary-entry .hero").inner_text()
    page.reload()
    vocabulary.ready()
    expect(page.get_by_role("tab", name="Entry")).to_have_attribute("aria-selected", "true")
    expect(page.locator("vocabulary-entry .hero")).to_have_text(shown)
    page.get_by_role("tab", name="Size").click()
    vocabulary.ready()
    page.locator("[data-role=size-slider]").fill("400")
    vocabulary.ready()
    size = page.locator("[data-role=size-value]").inner_text()
    assert "size=" + re.sub(r"\D", "", size) in page.url
    page.reload()
    vocabulary.ready()
    expect(page.get_by_role("tab", name="Size")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-role=size-value]")).to_have_text(size)


def test_an_audit_that_fails_says_so(lab: Lab):
    lab.tolerated = ("Failed to load resource",)
    lab.page.route("**/audit*", lambda route: route.abort())
    lab.go("vocabulary")
    audit = lab.page.locator("[data-role=audit]")
    expect(audit.locator(".warning")).to_be_visible()
    expect(audit).not_to_contain_text("Encoding every token")
    lab.page.unroute("**/audit*")
    search(lab, "token")  # it is tried again
    expect(audit.locator("[data-verdict=reachable]")).to_be_visible()


def test_a_page_that_failed_is_asked_for_again(vocabulary: Lab):
    vocabulary.tolerated = ("Failed to load resource",)
    page, rows = vocabulary.page, vocabulary.page.locator("[data-role=vocabulary-rows]")
    page.route("**/search?*offset=2500&*", lambda route: route.abort())
    row = 2510
    rows.evaluate("(list, row) => { list.scrollTop = 28 * row; }", row)
    expect(vocabulary.error).to_be_visible()
    expect(rows.locator(f"[data-row='{row}']")).to_contain_text("…")
    page.unroute("**/search?*offset=2500&*")
    rows.evaluate("list => { list.scrollTop = 0; }")
    vocabulary.frames()
    rows.evaluate("(list, row) => { list.scrollTop = 28 * row; }", row)
    expect(rows.locator(f"[data-row='{row}'] .token-face")).to_be_visible()


def test_shows_rows_where_the_audit_answers_first(lab: Lab):
    lab.server.call("GET", "vocabulary/gpt2/audit")  # known by now, so that its answer is quick
    held: list[Route] = []
    answered: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if answered:
            route.continue_()
        else:
            held.append(route)

    lab.page.route("**/search?*", hold_the_first)
    with lab.page.expect_response("**/audit*"):
        lab.page.locator(".rail a[href='#/vocabulary']").click()
    lab.until(lambda: held, "the rows are asked for")
    while held:
        answered.append(held.pop())
        answered[-1].continue_()
    expect(lab.page.locator("[data-role=vocabulary-rows] [data-row='7']")).to_be_visible()


def test_every_mode_finds_what_the_interface_finds(vocabulary: Lab):
    vocabulary.tolerated = ("status of 422",)  # what was typed before is no pattern of the next mode
    for mode, text, query in (
        ("text", "token", "q=token"),
        ("regex", "^ ?[A-Z]+$", "q=%5E%20%3F%5BA-Z%5D%2B%24&mode=regex"),
        ("hex", "e6 97", "q=e6%2097&mode=hex"),
        ("ID range", "100-110", "q=100-110&mode=ids"),
    ):
        vocabulary.page.locator(".vocabulary").get_by_role("radio", name=mode, exact=True).click()
        search(vocabulary, text)
        expected = asked(vocabulary, query + "&order=words")
        assert found(vocabulary) == f"{expected['total']} 50257", mode
        ids = [token["id"] for token in expected["tokens"]]
        assert shown_ids(vocabulary)[:10] == ids[:10], mode


def test_a_pattern_that_is_none_is_told_beside_the_field(vocabulary: Lab):
    vocabulary.tolerated = ("status of 422",)
    vocabulary.page.locator(".vocabulary").get_by_role("radio", name="regex", exact=True).click()
    search(vocabulary, "(a")
    expect(vocabulary.page.locator("[data-role=search-error]")).to_contain_text("unclosed group")
    expect(vocabulary.page.locator("[data-role=vocabulary-search]")).to_have_attribute("aria-invalid", "true")
    expect(vocabulary.page.locator(".vocabulary-work .empty-words")).to_be_hidden()
    search(vocabulary, "(a)")
    expect(vocabulary.page.locator("[data-role=search-error]")).to_be_hidden()


def test_an_answer_does_not_overwrite_what_is_typed(vocabulary: Lab):
    """The answer to a search arrives while the next one is typed, before that is asked for."""
    page, field = vocabulary.page, vocabulary.page.locator("[data-role=vocabulary-search]")
    held: list[Route] = []
    page.route("**/search?*mode=regex*", lambda route: held.append(route))
    page.locator(".vocabulary").get_by_role("radio", name="regex", exact=True).click()
    vocabulary.until(lambda: held, "the rows are asked for")
    page.evaluate("() => { window.setTimeout = () => 0; }")  # the search for what is typed waits
    field.fill("^ab")
    with page.expect_response("**/search?*mode=regex*"):
        held.pop().continue_()
    vocabulary.frames(10)
    expect(field).to_have_value("^ab")


def test_facets_narrow_and_the_address_remembers(vocabulary: Lab):
    search(vocabulary, "a")
    chip = vocabulary.page.locator("facet-chips [data-name=digits], facet-chips [data-name=word_inside]").first
    chip.click()
    vocabulary.ready()
    expect(vocabulary.page.locator("facet-chips [data-name=word_inside]")).to_have_attribute("aria-pressed", "true")
    before = found(vocabulary)
    assert before.split()[0] == str(asked(vocabulary, "q=a&kind=word_inside")["total"])
    vocabulary.page.reload()
    vocabulary.ready()
    assert found(vocabulary) == before
    expect(vocabulary.page.locator("[data-role=vocabulary-search]")).to_have_value("a")
    vocabulary.page.get_by_role("button", name="Clear").click()
    vocabulary.ready()
    assert found(vocabulary) == "50257"


def test_nothing_found_says_so(vocabulary: Lab):
    search(vocabulary, "no token is like this")
    expect(vocabulary.page.locator(".vocabulary-work .empty-words")).to_be_visible()


def test_an_entry_tells_how_it_was_built(vocabulary: Lab):
    search(vocabulary, " world")
    vocabulary.page.locator("[data-role=vocabulary-rows] [data-row]").filter(has_text="995").first.click()
    vocabulary.ready()
    entry = vocabulary.page.locator("vocabulary-entry")
    expect(entry).to_contain_text("995")
    expect(entry.locator("[data-role=reachability]")).to_contain_text("yes")
    detail = vocabulary.server.call("GET", "vocabulary/gpt2/token/995")
    assert entry.locator("[data-role=merge-tree] li").count() == len(detail["origin"]["nodes"])
    entry.locator("[data-role=merge-tree] .token-button").nth(1).click()  # a part
    vocabulary.ready()
    expect(entry).not_to_contain_text("id and rank995")
    entry.get_by_role("button", name="Show in Inspect").click()
    vocabulary.ready()
    assert vocabulary.page.evaluate("location.hash") == "#/inspect"


def test_what_no_text_gives_is_explained_and_can_be_listed(vocabulary: Lab):
    vocabulary.page.get_by_role("tab", name="Overview").click()
    answer = vocabulary.server.call("GET", "vocabulary/gpt2/audit")
    audit = answer["verdicts"]
    reasons = vocabulary.page.locator(".reasons li")
    expect(reasons).to_have_count(len(answer["reasons"]))
    expect(reasons).to_contain_text([each["explanation"] for each in answer["reasons"]])
    row = vocabulary.page.locator("[data-verdict=unreachable]")
    expect(row).to_contain_text(str(audit["unreachable"]))
    row.click()
    vocabulary.ready()
    assert found(vocabulary).split()[0] == str(audit["unreachable"])
    assert set(vocabulary.page.locator("vocabulary-table .verdict").all_inner_texts()) == {"no"}


def test_a_bar_of_the_histogram_narrows(vocabulary: Lab):
    vocabulary.page.get_by_role("tab", name="Overview").click()
    vocabulary.page.locator(".bar-slot[data-length='3']").click()
    vocabulary.ready()
    assert found(vocabulary).split()[0] == str(asked(vocabulary, "shortest=3&longest=3")["total"])


def test_the_size_preview_begins_with_the_text_of_the_lab(vocabulary: Lab):
    vocabulary.page.get_by_role("tab", name="Size").click()
    vocabulary.ready()
    begin = re.compile("^Tokenization isn't neutral")
    expect(vocabulary.page.locator("[data-role=size-text]")).to_have_value(begin)


def test_a_smaller_vocabulary_follows_the_slider(vocabulary: Lab):
    vocabulary.page.get_by_role("tab", name="Size").click()
    vocabulary.page.locator("[data-role=size-text]").fill("Hello world")
    vocabulary.ready()
    tokens = vocabulary.page.locator("[data-role=size-tokens] .boundary")
    expect(tokens).to_have_count(2)
    vocabulary.page.locator("[data-role=size-slider]").fill("0")
    vocabulary.ready()
    expect(vocabulary.page.locator("[data-role=size-value]")).to_have_text("257")
    expect(tokens).to_have_count(11)


def test_a_vocabulary_without_an_order_says_so(vocabulary: Lab):
    vocabulary.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    vocabulary.ready()
    assert found(vocabulary) == "30522"
    vocabulary.page.get_by_role("tab", name="Size").click()
    expect(vocabulary.page.locator("vocabulary-size")).to_contain_text("This vocabulary cannot be shrunk")


def test_the_export_has_what_is_found(vocabulary: Lab, tmp_path: Path):
    search(vocabulary, "token")
    with vocabulary.page.expect_download() as waiting:
        vocabulary.page.locator("[data-role=export-csv]").click()
    waiting.value.save_as(tmp_path / "found.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "found.csv").read_text(encoding="utf-8"), newline="")))
    assert len(rows) == asked(vocabulary, "q=token")["total"] and all("token" in row["text"].lower() for row in rows)


def test_keyboard_alone(vocabulary: Lab):
    page = vocabulary.page
    page.locator(".rail a").first.focus()
    page.keyboard.press("/")
    expect(page.locator("[data-role=vocabulary-search]")).to_be_focused()
    page.keyboard.type("world")
    page.keyboard.press("Enter")
    vocabulary.idle()
    first = page.locator("[data-row='0']")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    vocabulary.ready()
    expect(page.locator("[data-row='1']")).to_be_focused()
    expect(page.locator("[data-row='1']")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("vocabulary-entry h2")).to_be_focused()


def test_sorting_by_length(vocabulary: Lab):
    vocabulary.page.get_by_role("button", name="Order by length").click()
    vocabulary.ready()
    ids = [token["id"] for token in asked(vocabulary, "order=length&descending=true")["tokens"]]
    assert shown_ids(vocabulary)[:10] == ids[:10]


def test_hostile_tokens_stay_text(vocabulary: Lab):
    vocabulary.tolerated = ("status of 422",)  # what is found as text is no bytes
    search(vocabulary, "<")
    assert vocabulary.page.locator("vocabulary-table script, vocabulary-table img").count() == 0
    vocabulary.page.locator(".vocabulary").get_by_role("radio", name="hex", exact=True).click()
    search(vocabulary, "00")
    expect(vocabulary.page.locator("vocabulary-table [data-row='0']")).to_contain_text("NUL")
