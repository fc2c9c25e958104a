"""Library: what there is, and bringing tokenizers in and out."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_says_where_everything_comes_from(lab: Lab):
    lab.go("library")
    for entry in lab.server.call("GET", "tokenizers")["tokenizers"]:
        card = lab.page.locator(f".volume[data-tokenizer='{entry['id']}']")
        expect(card).to_contain_text(entry["name"])
        expect(card).to_contain_text(entry["source"])
        for special in entry["special_tokens"][:12]:
            expect(card).to_contain_text(special["text"])


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
    sure = card.get_by_role("button", name="Really delete?")
    expect(sure).to_be_focused()
    sure.click()
    expect(card).to_have_count(0)
    assert "second-bert" not in [entry["id"] for entry in lab.server.call("GET", "tokenizers")["tokenizers"]]
