"""Workshop: edits are added, moved, switched off and undone; what they do is shown; the result is kept."""

import tomllib

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Axe, Lab


def add(lab: Lab, kind: str, **fields: str) -> None:
    """Adds an edit by its dialog."""
    lab.page.locator("[data-role=add-edit]").click()
    lab.page.locator(f"[data-role=add-{kind}]").click()
    for name, value in fields.items():
        lab.page.locator(f"#edit-{name}").fill(value)
    if fields:
        lab.page.locator("[data-role=apply-edit]").click()
    lab.ready()


def edits(lab: Lab) -> Locator:
    return lab.page.locator(".workshop-recipe li")


def names(lab: Lab) -> list[str]:
    return lab.page.locator(".workshop-recipe .ordered-name bdi").all_inner_texts()


@pytest.fixture
def workshop(lab: Lab) -> Lab:
    """The Workshop on GPT-2."""
    lab.page.locator("tokenizer-chips [data-tokenizer='gpt2'] .pick").click()
    lab.go("workshop")
    lab.set_text("The regolith of Phobos")
    lab.ready()
    return lab


def test_an_edit_changes_the_draft_and_not_the_base(workshop: Lab):
    page = workshop.page
    add(workshop, "add_words", words="regolith\nPhobos")
    expect(edits(workshop)).to_have_count(1)
    expect(edits(workshop).first).to_contain_text("+2")
    lanes = page.locator("[data-role=lane]")
    expect(lanes).to_have_count(2)
    before, after = (
        workshop.server.call("POST", "tokenize", {"tokenizer": id, "text": "The regolith of Phobos"})["count"]
        for id in ("gpt2", lanes.nth(1).get_attribute("data-tokenizer"))
    )
    expect(page.locator(".workshop-main")).to_contain_text(f"{after}, was {before}")
    assert after == before - 2
    expect(page.locator(".workshop-tokens li").first).to_contain_text("·regolith")
    expect(page.locator("[data-check=ids]")).to_have_attribute("data-passed", "true")
    page.locator("[data-role=prove]").click()
    expect(page.locator("[data-check=reachable]")).to_have_attribute("data-passed", "true")


def test_edits_are_moved_switched_off_and_undone_by_keys(workshop: Lab):
    page = workshop.page
    add(workshop, "lower_case")
    add(workshop, "shrink", size="40000")
    add(workshop, "renumber")
    assert names(workshop) == ["Lower case", "Shrink to a size", "Renumber"]
    edits(workshop).nth(2).locator(".ordered-name").focus()
    page.keyboard.press("Alt+ArrowUp")
    workshop.ready()
    assert names(workshop) == ["Lower case", "Renumber", "Shrink to a size"]
    edits(workshop).nth(2).get_by_role("switch").click()
    expect(edits(workshop).nth(2)).to_contain_text("off: not measured")
    page.get_by_role("button", name="Undo").click()
    expect(edits(workshop).nth(2)).to_contain_text("40")
    edits(workshop).first.get_by_role("button", name="Remove").click()
    expect(edits(workshop)).to_have_count(2)
    page.keyboard.press("u")
    expect(edits(workshop)).to_have_count(3)
    page.keyboard.press("Shift+U")
    expect(edits(workshop)).to_have_count(2)


def test_an_edit_that_refuses_says_why_and_the_others_wait(workshop: Lab):
    add(workshop, "add_words", words="data-set")
    add(workshop, "shrink", size="40000")
    expect(workshop.page.locator("[data-role=edit-problem]")).to_contain_text(
        "Edit 1: The stages before the model make"
    )
    expect(edits(workshop).nth(1)).to_contain_text("not measured")
    edits(workshop).first.locator(".ordered-name").click()
    expect(workshop.page.locator("#edit-words")).to_have_value("data-set")
    workshop.page.locator("#edit-words").fill("dataset")
    workshop.page.locator("[data-role=apply-edit]").click()
    expect(workshop.page.locator("[data-role=edit-problem]")).to_be_hidden()
    expect(edits(workshop).nth(1)).to_contain_text("40")


def test_a_corpus_is_measured_by_language(workshop: Lab):
    add(workshop, "shrink", size="5000")
    workshop.page.locator("[data-role=corpus]").select_option("udhr")
    expect(workshop.page.locator(".workshop-main")).to_contain_text("Universal Declaration of Human Rights")
    expect(workshop.page.locator(".workshop-languages tbody tr")).to_have_count(12)
    workshop.page.get_by_role("tab", name="Documents").click()
    expect(workshop.page.locator(".workshop-changed:visible")).to_contain_text("need more tokens")


def test_a_document_is_shown_and_its_tokens_are_kept(workshop: Lab):
    page = workshop.page
    add(workshop, "trim", text="The regolith of Phobos is here and there in the world.")
    page.locator("[data-role=corpus]").select_option("udhr")
    workshop.ready()
    language = page.locator(".workshop-languages tbody button").first
    name = language.inner_text()
    language.click()
    expect(page.locator(".workshop-documents li").first).to_contain_text(name)
    page.locator(".workshop-documents button").first.click()
    workshop.ready()
    places = page.locator("[data-role=place]")
    expect(places).to_contain_text("changed places")
    page.locator("[data-role=next-changed-place]").click()
    expect(places).to_contain_text("1 of ")
    page.locator("[data-role=keep-missed]").click()
    workshop.ready()
    expect(places).to_have_text("0 changed places")


def test_ids_are_kept_by_a_press(workshop: Lab):
    add(workshop, "shrink", size="40000")
    add(workshop, "renumber")
    check = workshop.page.locator("[data-check=ids]")
    expect(check).to_have_attribute("data-passed", "false")
    check.get_by_role("button", name="Keep IDs").click()
    expect(check).to_have_attribute("data-passed", "true")
    expect(edits(workshop).nth(1)).to_contain_text("off: not measured")


def test_long_work_says_how_far_it_is_and_esc_stops_it(workshop: Lab):
    page = workshop.page
    add(workshop, "lower_case")
    held: list[Route] = []
    page.route("**/api/v1/edits", lambda route: held.append(route))
    answer = {"edit": 2, "done_bytes": 1, "total_bytes": 4}
    page.route("**/api/v1/edits/runs/*", lambda route: route.fulfill(json=answer))
    page.locator("[data-role=add-edit]").click()
    page.locator("[data-role=add-renumber]").click()
    expect(edits(workshop).nth(1).locator("progress")).to_have_attribute("value", "1")
    expect(page.locator("footer [data-role=progress]")).to_contain_text("Edit 2, Renumber, 25")
    expect(edits(workshop).first).to_contain_text("no token changed")
    with page.expect_event("requestfailed"):
        page.keyboard.press("Escape")
    expect(edits(workshop).first).to_contain_text("not measured")
    expect(page.locator("progress")).to_have_count(0)
    page.unroute("**/api/v1/edits")
    page.keyboard.press("Control+Enter")
    expect(edits(workshop).nth(1)).to_contain_text("no token changed")


def test_the_result_is_saved_and_compared(workshop: Lab):
    page = workshop.page
    add(workshop, "add_words", words="regolith")
    page.locator("#workshop-id").fill("gpt2-two")
    page.get_by_role("button", name="Save and compare").click()
    page.wait_for_url("**#/compare**")
    assert page.locator("tokenizer-chips [data-tokenizer]").evaluate_all("all => all.map(one => one.dataset.tokenizer)") == [
        "gpt2", "gpt2-two",
    ]  # fmt: skip
    workshop.ready()
    workshop.go("library")
    workshop.ready()
    workshop.server.call("DELETE", "tokenizers/gpt2-two")


def test_the_recipe_and_the_result_are_kept(workshop: Lab):
    page = workshop.page
    add(workshop, "add_words", words="regolith")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save recipe").click()
    recipe = download.value.path().read_text()
    assert tomllib.loads(recipe) == {"edit": [{"kind": "add_words", "words": ["regolith"]}]}
    page.get_by_role("button", name="Undo").click()
    expect(edits(workshop)).to_have_count(0)
    page.locator("[data-role=recipe-file]").set_input_files(
        {"name": "mars.toml", "mimeType": "application/toml", "buffer": recipe.encode()}
    )
    expect(edits(workshop)).to_have_count(1)
    page.locator("#workshop-id").fill("gpt2-mars")
    page.get_by_role("button", name="Save as tokenizer").click()
    workshop.until(
        lambda: any(each["id"] == "gpt2-mars" for each in workshop.server.call("GET", "tokenizers")["tokenizers"]),
        "the tokenizer in the Library",
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="Map of rows").click()
        page.get_by_role("button", name="csv").click()
    assert "Ġregolith,mean of parts,,50257" in download.value.path().read_text(encoding="utf-8")
    workshop.server.call("DELETE", "tokenizers/gpt2-mars")


def test_axe_finds_nothing_in_either_theme_and_at_900_pixels(workshop: Lab, axe: Axe):
    add(workshop, "add_words", words="regolith\nPhobos")
    axe.check_themes(workshop)
    workshop.page.locator("[data-role=add-edit]").click()
    workshop.page.locator("[data-role=add-trim]").click()
    axe.check(workshop.page)
    workshop.page.keyboard.press("Escape")
    for width in (1280, 900):
        workshop.page.set_viewport_size({"width": width, "height": 720})
        workshop.ready()
        assert workshop.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        expect(workshop.page.locator("[data-role=text-input]:visible")).to_be_visible()


def test_what_is_late_is_not_shown_of_another_recipe_or_base(workshop: Lab):
    page = workshop.page
    add(workshop, "shrink", size="40000")
    waiting: list[Route] = []
    page.route("**/api/v1/edits/checks", lambda route: waiting.append(route))
    with page.expect_request("**/api/v1/edits/checks"):
        page.locator("[data-role=prove]").click()
    add(workshop, "renumber")
    waiting[0].continue_()
    page.unroute("**/api/v1/edits/checks")
    workshop.ready()
    expect(page.locator("[data-check=ids]")).to_be_visible()
    expect(page.locator("[data-check=reachable]")).to_have_count(0)

    page.route("**/api/v1/edits", lambda route: waiting.append(route))
    page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lanes = page.locator("[data-role=lane]")
    expect(lanes).to_have_count(1)
    expect(lanes).to_have_attribute("data-tokenizer", "bert-base-uncased")
    expect(page.locator("[data-check]")).to_have_count(0)
    expect(edits(workshop).first).to_contain_text("not measured")
    workshop.go("library")
    page.unroute("**/api/v1/edits")
    workshop.go("workshop")
    workshop.ready()
    expect(edits(workshop).first).not_to_contain_text("not measured")
    expect(lanes).to_have_count(2)
