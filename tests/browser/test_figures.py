"""The page shows the figures that HTTP gives; `tests/unit/cli/test_figures.py` compares those with exports and commands."""

from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

PAIR = ["bert-base-uncased", "gpt2"]


@pytest.mark.parametrize(
    "text",
    [
        "tokenization",
        "",
        "\u1c5a\u1c5b hello 日本語 👩‍🔬",
        "The quick brown fox jumps over the lazy dog. " * 3,
        "x" * 5_000,
    ],
    ids=["cut alike", "empty", "unknown and split", "with a percentage", "a long text"],
)
def test_both_screens_show_the_figures_of_the_interface(lab: Lab, text: str):
    from lab_app.analysis import figures

    body = {"text": text, "tokenizers": PAIR}
    results = lab.server.call("POST", "compare", body)["tokenizers"]
    lab.go("compare")
    lab.write(text)
    base = results[0]["text_token_count"]
    for result in results:
        card = lab.page.locator(f".card[data-tokenizer='{result['tokenizer']}']")
        expect(card.locator(".big")).to_have_text(figures.token_words(SimpleNamespace(**result)))
        expect(card.locator("[data-role=unknown]")).to_have_text(figures.unknown_words(SimpleNamespace(**result)))
        expect(card).to_contain_text(f"{figures.ratio(result['bytes_per_token'])} bytes/token")
        if result is not results[0]:
            expect(card.locator(".delta")).to_have_text(figures.difference(result["text_token_count"], base))
    lab.go("inspect")
    for result in results:
        lab.page.locator(f"tokenizer-chips [data-tokenizer='{result['tokenizer']}'] .pick").click()
        lab.ready()
        row = lab.page.locator(".facts")
        added = figures.added_count(SimpleNamespace(**result))
        expect(row.locator("[data-role=count]")).to_have_text(figures.integer(result["text_token_count"]))
        expect(row.locator(".fact", has_text="added")).to_be_visible(visible=bool(added))
        expect(row).to_contain_text(f"{figures.ratio(result['bytes_per_token'])} bytes/token")
        expect(row).to_contain_text(figures.unknown_words(SimpleNamespace(**result)) or "0 unknown")
        expect(row).to_contain_text(f"{figures.integer(result['split_character_count'])} character")


def test_special_text_is_ordinary_text_by_default(lab: Lab):
    from lab_app.settings import DEFAULT_SPECIALS

    chosen = lab.page.locator(".bar segmented-control [role=radio][aria-checked=true]")
    expect(chosen).to_have_attribute("data-value", DEFAULT_SPECIALS)


def test_the_rank_is_the_place_of_the_merge(lab: Lab):
    lab.go("inspect")
    lab.write("Tokenization")
    lab.page.keyboard.press("Home")
    drawer = lab.page.locator("token-drawer")
    expect(drawer).to_contain_text("merge30\u2009386 of 50\u2009000")
    expect(drawer.locator("dt", has_text="score")).to_be_hidden()
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.ready()
    expect(drawer.locator("dt", has_text="merge")).to_be_hidden()
    expect(drawer.locator("dt", has_text="score")).to_be_hidden()
