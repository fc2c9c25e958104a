"""Library and the dialog that adds tokenizers: what there is, bringing tokenizers in and out.

Order, search and groups of the table and the dialog: `tests/js/library_screen.test.js` and `add_tokenizer.test.js`.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests import tiny
from tests.browser.conftest import Axe, Lab


def row(lab: Lab, id: str) -> Locator:
    return lab.page.locator(f".tokenizer-row[data-tokenizer='{id}']")


def facts_of(lab: Lab, id: str) -> Locator:
    """Opens the facts of a tokenizer."""
    row(lab, id).locator(".tokenizer-name").click()
    return lab.page.locator(f"[data-facts='{id}']")


def names(lab: Lab) -> list[str]:
    return lab.page.locator(".tokenizer-name").all_inner_texts()


def test_a_row_opens_the_facts_of_its_tokenizer(lab: Lab):
    lab.go("library")
    entries = lab.server.call("GET", "tokenizers")["tokenizers"]
    assert sorted(names(lab)) == sorted(entry["name"] for entry in entries), "a row for every tokenizer"
    entry = lab.server.call("GET", "tokenizers/gpt2")
    facts = facts_of(lab, "gpt2")
    for words in ("built in", entry["origin"], entry["sha256"], "IDs compared with the reference library"):
        expect(facts).to_contain_text(words)
    for special in entry["special_tokens"]:
        expect(facts).to_contain_text(special["text"])
    expect(facts).to_contain_text("byte-level BPE → bytes")
    expect(facts.get_by_role("button", name="Delete")).to_have_count(0)
    lab.page.reload()
    lab.ready()
    expect(facts).to_be_visible()  # the address says it
    row(lab, "gpt2").locator(".tokenizer-name").click()
    expect(facts).to_have_count(0)
    bloom = facts_of(lab, "bloom")
    expect(bloom).to_contain_text("no: facts and IDs were not compared")


def test_twelve_tokenizers_fit_in_one_screen(lab: Lab, bert_vocab: Path):
    lab.server.call("POST", "tokenizers", {"path": str(bert_vocab), "id": "twelfth"})
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.start_again()
    lab.go("library")
    here = lab.page.locator("tbody:is([data-group=yours], [data-group=here]) .tokenizer-row")
    expect(here).to_have_count(12)
    below = lab.page.locator(".status").bounding_box()
    last = here.last.bounding_box()
    assert last and below and last["y"] + last["height"] <= below["y"]


def test_the_table_is_used_with_the_keyboard_alone(lab: Lab, axe: Axe):
    lab.go("library")
    page = lab.page
    page.locator(".rail a").first.focus()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Find in the Library")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(row(lab, "gpt2").locator(".tokenizer-name")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-facts=cl100k_base]")).to_be_visible()
    expect(row(lab, "cl100k_base").locator(".tokenizer-name")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(row(lab, "cl100k_base").get_by_role("button", name="Use cl100k_base")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tokenizer-chips [data-tokenizer=cl100k_base]")).to_be_visible()
    stop = row(lab, "cl100k_base").get_by_role("button", name="Stop using cl100k_base")
    expect(stop).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(row(lab, "o200k_base").get_by_role("button", name="Use o200k_base")).to_be_focused()
    lab.ready()
    axe.check(page)


def test_fields_of_a_file_without_effect_are_listed(lab: Lab, tmp_path: Path):
    path = tiny.tokenizer_json(tmp_path / "words")
    document = json.loads(path.read_text())
    document["model"]["odd"] = "<b>&"
    path.write_text(json.dumps(document))
    lab.server.call("POST", "tokenizers", {"path": str(path)})
    lab.start_again()
    lab.go("library")
    expect(facts_of(lab, "words")).to_contain_text('model.odd = "<b>&"')
    expect(facts_of(lab, "gpt2")).not_to_contain_text("ignored fields")
    expect(lab.page.locator("[data-facts=words]")).to_have_count(0)  # one at a time


def test_deleting_asks_first(lab: Lab, bert_vocab: Path):
    lab.server.call("POST", "tokenizers", {"path": str(bert_vocab), "id": "second-bert"})
    lab.start_again()
    lab.go("library")
    expect(lab.page.locator("tbody[data-group=yours] .tokenizer-row")).to_have_count(1)
    facts = facts_of(lab, "second-bert")
    expect(facts.locator("conformance-check [role=status]")).to_have_count(1)  # or it is asked for when it is gone
    facts.get_by_role("button", name="Delete").click()
    expect(facts).to_be_visible()
    sure = facts.get_by_role("button", name="Confirm delete")
    expect(sure).to_be_focused()
    sure.click()
    expect(row(lab, "second-bert")).to_have_count(0)
    assert "second-bert" not in [entry["id"] for entry in lab.server.call("GET", "tokenizers")["tokenizers"]]


def test_a_tokenizer_is_put_together_and_kept(lab: Lab, axe: Axe):
    lab.go("library")
    page = lab.page
    page.get_by_role("button", name="Compose a tokenizer").click()
    page.get_by_label("Base model").select_option("gpt2")
    page.get_by_label("Sample text").fill("HELLO")
    shown = page.locator("[data-role=compose-count]")
    expect(shown).to_have_text(f"{len(lab.expected('gpt2', 'HELLO'))} tokens")
    page.get_by_role("switch", name="Replace normalizers").click()
    blocks = page.get_by_label("Add to the normalizers")
    blocks.select_option("Lowercase")
    expect(shown).to_have_text("1 token")
    blocks.select_option("NFKC")
    page.get_by_role("button", name="Move NFKC up").click()
    expect(page.locator(".block").first).to_contain_text("NFKC")
    page.get_by_role("button", name="Remove NFKC").click()
    expect(page.locator(".block")).to_have_count(1)
    lab.ready()
    axe.check(page)
    lab.tolerated = ("status of 409",)
    page.get_by_label("ID", exact=True).fill("gpt2")
    page.get_by_role("button", name="Save tokenizer").click()
    expect(page.locator("[data-role=compose-problem]")).to_contain_text("taken")
    page.get_by_label("ID", exact=True).fill("quiet-gpt2")
    page.get_by_role("button", name="Save tokenizer").click()
    expect(facts_of(lab, "quiet-gpt2")).to_contain_text("composed from gpt2")
    assert lab.expected("quiet-gpt2", "HELLO") == lab.expected("gpt2", "hello")


def test_one_dialog_adds_from_everywhere(lab: Lab):
    lab.go("library")
    dialog, field = lab.page.get_by_role("dialog", name="Add tokenizer"), lab.page.locator("[data-role=add-field]")
    for opening in (
        lambda: lab.page.locator("[data-role=add-tokenizer]").click(),
        lambda: lab.page.locator(".library").get_by_role("button", name="Add tokenizer").click(),
        lambda: (
            lab.page.keyboard.press("Control+k"),
            lab.page.keyboard.type("add a tok"),
            lab.page.keyboard.press("Enter"),
        ),
    ):
        opening()
        expect(dialog).to_be_visible()
        expect(field).to_be_focused()
        lab.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_the_dialog_groups_what_it_has(lab: Lab, axe: Axe):
    entries = lab.server.call("GET", "tokenizers")["tokenizers"]
    lab.page.locator("[data-role=add-tokenizer]").click()
    here, away = (
        lab.page.get_by_role("group", name=name).get_by_role("option")
        for name in ("Installed", "Available to download")
    )
    expect(here).to_have_count(sum(entry["available"] for entry in entries))
    expect(away).to_have_count(sum(not entry["available"] for entry in entries))
    for words in away.all_inner_texts():
        assert "Available to download" in words and "–" not in words and "downloaded" not in words
    expect(here.filter(has_text="GPT-2")).to_contain_text("In use")
    axe.check(lab.page)


def test_enter_adds_the_highlighted_tokenizer_and_shows_it(lab: Lab):
    page = lab.page
    page.locator("[data-role=add-tokenizer]").focus()
    page.keyboard.press("Enter")
    at = page.locator("add-tokenizer [role=option][aria-selected=true]")
    expect(at).to_have_attribute("data-tokenizer", "cl100k_base")  # GPT-2 is in use
    page.keyboard.press("ArrowDown")
    expect(at).to_have_attribute("data-tokenizer", "o200k_base")
    field = page.locator("[data-role=add-field]")
    expect(field).to_have_attribute("aria-activedescendant", at.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("tokenizer-chips [data-tokenizer=o200k_base]")).to_have_attribute("data-active", "true")
    lab.ready()
    assert lab.tokens("o200k_base") == lab.expected("o200k_base", lab.current_text)
    expect(page.locator("[data-role=add-tokenizer]")).to_be_focused()


def test_the_sample_text_of_a_recipe_keeps_its_characters_whole(lab: Lab):
    lab.go("library")
    lab.page.get_by_role("button", name="Compose a tokenizer").click()
    lab.page.get_by_label("Base model").select_option("gpt2")
    lab.page.get_by_label("Sample text").fill("İ👩‍🔬語")
    expect(lab.page.locator(".compose-tokens")).to_have_text("İ👩‍🔬語")
    expect(lab.page.locator(".compose-tokens .boundary")).to_have_count(3)


def test_a_tokenizer_is_checked_against_reference_libraries(lab: Lab, axe: Axe):
    pytest.importorskip("tokenizers")
    lab.go("library")
    row(lab, "bert-base-uncased").locator(".tokenizer-name").click()
    check = lab.page.locator("[data-facts='bert-base-uncased'] conformance-check")
    expect(check.get_by_role("status")).to_contain_text("Not checked yet")
    check.get_by_role("button").click()
    expect(check.get_by_role("status")).to_contain_text("Same IDs as tokenizers")
    expect(check.get_by_role("button", name="Check again against tokenizers")).to_be_focused()
    axe.check_themes(lab)
    lab.page.reload()
    lab.ready()
    expect(check.get_by_role("status")).to_contain_text("Same IDs as tokenizers")


def test_a_set_of_tokenizers_is_saved_used_and_deleted(lab: Lab, axe: Axe):
    page = lab.page
    page.locator("[data-role=add-tokenizer]").click()
    sets = page.locator("tokenizer-sets")
    sets.get_by_label("Name of the set").fill("Lecture 1")
    sets.get_by_role("button", name="Save the 2 tokenizers in use as a set").click()
    axe.check_themes(lab, "dialog[open]")
    page.get_by_role("option", name="o200k_base", exact=False).first.click()
    lab.ready()
    assert lab.page.locator("tokenizer-chips [data-tokenizer]").count() == 3
    lab.idle()
    page.reload()
    lab.ready()
    page.locator("[data-role=add-tokenizer]").click()
    sets.get_by_role("button", name="Lecture 1 · 2 tokenizers").click()
    lab.ready()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("tokenizer-chips [data-tokenizer]")).to_have_count(2)
    page.locator("[data-role=add-tokenizer]").click()
    sets.get_by_role("button", name="Delete Lecture 1").click()
    sets.get_by_role("button", name="Confirm delete Lecture 1").click()
    expect(sets.get_by_role("listitem")).to_have_count(0)


def test_start_afresh(lab: Lab):
    page = lab.page
    lab.write("mine")
    lab.switch("IDs").evaluate("e => e.click()")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+K")
    page.keyboard.type("afresh")
    page.keyboard.press("Enter")
    lab.ready()
    assert lab.current_text != "mine"
    expect(lab.switch("IDs")).to_be_checked()
    chips = page.locator("tokenizer-chips [data-tokenizer]").evaluate_all("all => all.map(e => e.dataset.tokenizer)")
    assert sorted(set(chips)) == ["bert-base-uncased", "gpt2"]
    lab.text.focus()
    page.keyboard.press("Control+Z")
    assert lab.current_text == "mine"
