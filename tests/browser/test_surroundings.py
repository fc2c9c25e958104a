"""Inspect: what is around the chosen token, in the text and in the vocabulary."""

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_other_places_of_a_token(lab: Lab):
    lab.write("to be or not to be")
    drawer = lab.page.locator("token-drawer")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(4)")
    expect(drawer).to_contain_text("Token 2 of 6")
    expect(lab.page.locator("[data-role=occurrences]")).to_have_text("2 occurrences")
    lab.page.get_by_role("button", name="Next occurrence").click()
    expect(drawer).to_contain_text("Token 6 of 6")
    lab.page.get_by_role("button", name="Next occurrence").click()
    expect(drawer).to_contain_text("Token 2 of 6")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(7)")
    expect(lab.page.get_by_role("button", name="Next occurrence")).to_be_disabled()


def test_split_characters_are_gone_to(lab: Lab):
    text = "a 語 b 東 c 語"
    lab.write(text)
    split = lab.page.locator("[data-role=split-characters] button")
    assert split.locator("bdi").all_inner_texts() == ["語", "東"]
    split.nth(1).click()
    expect(lab.page.locator("token-drawer .hero")).to_contain_text("東")
    expect(lab.page.locator("token-drawer .hero")).to_contain_text("1 character")
    split.nth(0).click()
    expect(lab.live).to_contain_text("part 2 of 語")
    lab.write("🇫🇷 at e\u0301")
    assert split.locator("bdi").all_inner_texts() == ["🇫🇷", "e\u0301"], "one flag, not its two letters"
    assert split.locator(".split-count").first.inner_text().split()[0] == str(len(lab.expected("gpt2", "🇫🇷")))
    split.nth(1).click()
    expect(lab.page.locator("token-drawer .hero")).to_contain_text("\u0301")
    lab.write("abc")
    expect(lab.page.locator("[data-role=split-characters]")).to_have_text("none")


def test_neighbours_in_the_vocabulary(lab: Lab):
    lab.write("Token token")
    lab.page.get_by_role("tab", name="Neighbours").click()
    lab.page.evaluate("document.querySelector('token-text').moveCaret(2)")
    lab.ready()
    id = lab.expected("gpt2", "Token token")[0]["id"]
    rows = lab.page.locator("[data-role=neighbours] .token-button")
    found = [int(one) for one in rows.evaluate_all("all => all.map(e => e.dataset.id)")]
    assert found == list(range(id - 6, id + 7))
    expect(lab.page.locator("[data-role=neighbours] [aria-current] .token-button")).to_have_attribute(
        "data-id", str(id)
    )
    expect(lab.page.locator("token-neighbours")).to_contain_text("Variants")
    expect(lab.page.locator("token-neighbours")).to_contain_text("Its bytes are in")
    expect(lab.page.locator("token-neighbours .token-chips").first).to_contain_text("token")
    lab.page.keyboard.press("ArrowLeft")
    expect(lab.page.get_by_role("tab", name="Token", exact=True)).to_be_focused()


def test_how_the_token_before_was_built(lab: Lab):
    lab.write("語")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(0)")
    lab.page.locator("[data-role=origin]").click()
    lab.page.get_by_role("button", name="Next token").click()
    lab.ready()
    tokens = lab.expected("gpt2", "語")
    before = lab.server.call("GET", f"vocabulary/gpt2/token/{tokens[-2]['id']}")["token"]
    expect(lab.page.locator("[data-role=merge-before]")).to_contain_text("before it")
    expect(lab.page.locator("[data-role=merge-before]")).to_contain_text(
        f"rank {before['rank']:,}".replace(",", "\u202f")
    )
