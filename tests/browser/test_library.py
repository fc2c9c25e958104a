"""Library: what there is, and bringing tokenizers in and out."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests import tiny
from tests.browser.conftest import Lab


def test_says_where_everything_comes_from(lab: Lab):
    lab.go("library")
    for entry in lab.server.call("GET", "tokenizers")["tokenizers"]:
        card = lab.page.locator(f".volume[data-tokenizer='{entry['id']}']")
        expect(card).to_contain_text(entry["name"])
        expect(card).to_contain_text(entry["source"] if entry["available"] else "not downloaded")
        for special in entry["special_tokens"][:12]:
            expect(card).to_contain_text(special["text"])


def test_fields_of_a_file_without_effect_are_listed(lab: Lab, tmp_path: Path):
    path = tiny.tokenizer_json(tmp_path / "words")
    document = json.loads(path.read_text())
    document["model"]["odd"] = "<b>&"
    path.write_text(json.dumps(document))
    lab.server.call("POST", "tokenizers", {"path": str(path)})
    lab.page.reload()
    lab.ready()
    lab.go("library")
    expect(lab.page.locator(".volume[data-tokenizer=words]")).to_contain_text('model.odd = "<b>&"')
    expect(lab.page.locator(".volume[data-tokenizer=gpt2]")).not_to_contain_text("ignored fields")


def test_use_and_stop_using(lab: Lab):
    lab.go("library")
    lab.page.get_by_role("button", name="Use o200k_base").click()
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=o200k_base]")).to_be_visible()
    lab.page.get_by_role("button", name="Stop using o200k_base").click()
    expect(lab.page.locator("tokenizer-chips [data-tokenizer=o200k_base]")).to_have_count(0)


def test_deleting_asks_first(lab: Lab, bert_vocab: Path):
    lab.server.call("POST", "tokenizers", {"path": str(bert_vocab), "id": "second-bert"})
    lab.page.reload()
    lab.ready()
    lab.go("library")
    card = lab.page.locator(".volume[data-tokenizer=second-bert]")
    card.get_by_role("button", name="Delete").click()
    expect(card).to_be_visible()
    sure = card.get_by_role("button", name="Confirm delete")
    expect(sure).to_be_focused()
    sure.click()
    expect(card).to_have_count(0)
    assert "second-bert" not in [entry["id"] for entry in lab.server.call("GET", "tokenizers")["tokenizers"]]


def test_a_tokenizer_is_put_together_and_kept(lab: Lab, axe: str):
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
    page.evaluate(f"(() => {{ {axe} }})()")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    lab.tolerated = ("status of 409",)
    page.get_by_label("ID", exact=True).fill("gpt2")
    page.get_by_role("button", name="Save tokenizer").click()
    expect(page.locator("[data-role=compose-problem]")).to_contain_text("taken")
    page.get_by_label("ID", exact=True).fill("quiet-gpt2")
    page.get_by_role("button", name="Save tokenizer").click()
    expect(page.locator(".volume[data-tokenizer=quiet-gpt2]")).to_contain_text("composed from gpt2")
    assert lab.expected("quiet-gpt2", "HELLO") == lab.expected("gpt2", "hello")
    lab.server.call("DELETE", "tokenizers/quiet-gpt2")


def test_the_long_list_is_searched_by_name_and_publisher(lab: Lab):
    entries = lab.server.call("GET", "tokenizers")["tokenizers"]
    lab.go("library")
    cards, field = lab.page.locator(".volume"), lab.page.get_by_role("searchbox", name="Find in the Library")
    expect(cards).to_have_count(len(entries))
    field.fill("qwen")
    expect(cards.locator("h2")).to_have_text(["Qwen2.5", "Qwen3"])
    field.fill("unigram google")
    expect(cards.locator("h2")).to_have_text(["T5 base", "mT5 base"])
    expect(lab.page.get_by_role("heading", name="Installed")).to_have_count(0)
    field.fill("no such tokenizer")
    expect(lab.page.locator(".shelves")).to_contain_text("No tokenizer matches")
    field.fill("")
    expect(cards).to_have_count(len(entries))


def test_an_entry_says_whether_it_was_checked(lab: Lab):
    lab.go("library")
    for id, words in (
        ("gpt2", "ids compared with the reference library"),
        ("bloom", "no: facts and ids were not compared"),
    ):
        expect(lab.page.locator(f".volume[data-tokenizer='{id}']")).to_contain_text(words)


def test_the_dialog_finds_a_tokenizer_by_id_and_publisher(lab: Lab):
    lab.page.locator("[data-role=add-tokenizer]").first.click()
    field, rows = (
        lab.page.get_by_role("searchbox", name="Find a tokenizer"),
        lab.page.locator("add-tokenizer .catalog li b"),
    )
    field.fill("microsoft")
    expect(rows).to_have_text(["DeBERTa-v3 base", "Phi-2", "Phi-3 mini", "Phi-4"])
    field.fill("o200k harmony")
    expect(rows).to_have_text(["o200k_harmony (gpt-oss)"])
