"""Library: what there is, and bringing tokenizers in and out."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_says_where_everything_comes_from(lab: Lab):
    lab.go("library")
    for entry in lab.server.call("GET", "tokenizers")["tokenizers"]:
        card = lab.page.locator(f".volume[data-tokenizer='{entry['id']}']")
        expect(card).to_contain_text(entry["name"])
        expect(card).to_contain_text(entry["source"] if entry["available"] else "not here yet")
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


def test_a_tokenizer_is_put_together_and_kept(lab: Lab, axe: str):
    lab.go("library")
    page = lab.page
    page.get_by_role("button", name="Put one together").click()
    page.get_by_label("Model of").select_option("gpt2")
    page.get_by_label("Tried on").fill("HELLO")
    shown = page.locator("[data-role=compose-count]")
    expect(shown).to_have_text(f"{len(lab.expected('gpt2', 'HELLO'))} tokens")
    page.get_by_role("switch", name="Own normalizers").click()
    blocks = page.get_by_label("Add to the normalizers")
    blocks.select_option("Lowercase")
    expect(shown).to_have_text("1 token")
    blocks.select_option("NFKC")
    page.get_by_role("button", name="Move NFKC up").click()
    expect(page.locator(".block").first).to_contain_text("NFKC")
    page.get_by_role("button", name="Take NFKC out").click()
    expect(page.locator(".block")).to_have_count(1)
    lab.ready()
    page.evaluate(f"(() => {{ {axe} }})()")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    lab.tolerated = ("status of 409",)
    page.get_by_label("Id", exact=True).fill("gpt2")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("[data-role=compose-problem]")).to_contain_text("taken")
    page.get_by_label("Id", exact=True).fill("quiet-gpt2")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".volume[data-tokenizer=quiet-gpt2]")).to_contain_text("composed from gpt2")
    assert lab.expected("quiet-gpt2", "HELLO") == lab.expected("gpt2", "hello")
    lab.server.call("DELETE", "tokenizers/quiet-gpt2")
