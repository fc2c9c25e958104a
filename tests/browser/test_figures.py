"""The page shows the figures that HTTP gives; `tests/unit/cli/test_figures.py` compares those with exports and commands."""

from types import SimpleNamespace

from playwright.sync_api import expect

from lab_app.number_words import integer, ratio
from tests.browser.conftest import Lab

PAIR = ["bert-base-uncased", "gpt2"]
TEXTS = [
    "tokenization",  # cut alike
    "",
    "\u1c5a\u1c5b hello 日本語 👩‍🔬",  # unknown and split
    "The quick brown fox jumps over the lazy dog. " * 3,  # with a percentage
    "x" * 5_000,
]


def test_both_screens_show_the_figures_of_the_interface(lab: Lab):
    for text in TEXTS:
        both_screens_show_the_figures(lab, text)


def both_screens_show_the_figures(lab: Lab, text: str) -> None:
    from lab_app.analysis import figures

    body = {"text": text, "tokenizers": PAIR}
    results = lab.server.call("POST", "compare", body)["tokenizers"]
    lab.go("compare")
    lab.write(text)
    base = results[0]["text_token_count"]
    for result in results:
        card = lab.page.locator(f".card[data-tokenizer='{result['tokenizer']}']")
        words = figures.token_words(SimpleNamespace(**result))
        expect(card.locator(".big")).to_have_text(words)
        expect(card.locator("[data-role=unknown]")).to_have_text(figures.unknown_words(SimpleNamespace(**result)))
        expect(card).to_contain_text(f"{ratio(result['characters_per_token'])} characters per token")
        if result is not results[0]:
            words = figures.difference(result["text_token_count"], base)
            expect(card.locator(".delta")).to_have_text(words if words == "–" else f"{words} against A")
    lab.go("inspect")
    for result in results:
        lab.page.locator(f"tokenizer-chips [data-tokenizer='{result['tokenizer']}'] .pick").click()
        lab.ready()
        row = lab.page.locator(".facts")
        added = figures.added_count(SimpleNamespace(**result))
        expect(row.locator("[data-role=count]")).to_have_text(integer(result["text_token_count"]))
        expect(row.locator(".fact", has_text="added")).to_be_visible(visible=bool(added))
        expect(row).to_contain_text(f"{ratio(result['characters_per_token'])} characters per token")
        if not text:
            continue
        expect(lab.tip("density")).to_contain_text(f"{ratio(result['bytes_per_token'])} bytes per token")
        for name in ("unknown", "split"):
            number = result["unknown_count"] if name == "unknown" else result["split_character_count"]
            fact = row.locator(f"[data-fact={name}]")
            expect(fact).to_be_visible(visible=number > 0)
            if number:
                expect(fact).to_contain_text(integer(number))


def test_special_text_is_ordinary_text_by_default(lab: Lab):
    from lab_app.settings import DEFAULT_SPECIALS

    expect(lab.page.locator("[data-role=special-text]")).to_have_value(DEFAULT_SPECIALS)


def test_ranks_are_counted_from_zero_as_programs_do(lab: Lab):
    lab.go("inspect")
    lab.write("Tokenization")
    lab.page.keyboard.press("Home")
    drawer = lab.page.locator("token-drawer")
    expect(drawer).to_contain_text("rank30\u202f386 of 50\u202f000")
    expect(drawer.locator("dt", has_text="score")).to_be_hidden()
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.ready()
    expect(drawer.locator("dt", has_text="rank")).to_be_hidden()
    expect(drawer.locator("dt", has_text="score")).to_be_hidden()
