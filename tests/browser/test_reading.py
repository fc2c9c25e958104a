"""Inspect before anything is pressed: figures, folded steps, the legend, and how to read the text."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab
from tests.browser.pictures import UNIGRAM, inspect_ways

FIRST = "Tokenization isn't neutral: unaffordable words fall apart.\n東京の寿司は高い。"


class TestWithBert:
    @pytest.fixture
    def preferences(self) -> dict:
        return {"chosen": ["bert-base-uncased", "gpt2"], "active": "bert-base-uncased", "theme": "light"}

    def test_first_start(self, lab: Lab):
        expect(lab.page.locator(".fact:visible")).to_have_text(
            ["24 tokens", "+ 2 added", "2.83 characters per token", "1 unknown"]
        )
        expect(lab.page.locator("token-drawer")).to_be_hidden()
        expect(lab.page.locator("pipeline-strip")).to_be_hidden()
        assert lab.page.locator("[data-role=text-change]").count() == 0
        panel = lab.page.locator("how-to-read")
        expect(panel.get_by_role("heading", name="How to read this text")).to_be_visible()
        expect(panel.locator("[data-reading=word] .face-token")).to_have_text(["token", "##ization"])
        expect(panel.locator("[data-reading=word] small")).to_have_text(["19204", "3989"])
        expect(panel.locator("[data-reading=word] p")).to_contain_text("“Tokenization” is not in BERT’s vocabulary.")
        expect(panel.locator("[data-reading=unknown]")).to_contain_text("寿 is not in BERT’s vocabulary.")
        expect(panel.locator("[data-reading=unknown] .unknown-tag")).to_have_text("[UNK]")
        expect(panel.locator("[data-reading=counts] b.number")).to_have_text(["24", "27"])
        expect(panel.locator("[data-reading=counts]")).to_contain_text("GPT-2 tokenizes the same text differently.")
        expect(panel).to_contain_text("Select a token to see its id, its bytes and the reason for the boundary.")
        expect(lab.page.locator(".legend li")).to_have_text(
            [
                "Two tokens",
                "[UNK]Not in the vocabulary",
                "[CLS]Added by BERT",
                "19204ID: the number of a token",
                "ID hidden: point at the token",
            ]
        )

    def test_figures_lead_to_their_places(self, lab: Lab):
        lab.page.locator("[data-fact=unknown]").click()
        expect(lab.page.locator("token-drawer")).to_contain_text("Token 19 of 24")
        expect(lab.page.locator(".token-mark.on")).to_have_attribute("data-id", "100")
        lab.page.locator("[data-fact=added]").click()
        expect(lab.page.locator("token-drawer")).to_contain_text("Added token")
        lab.page.locator("[data-fact=added]").click()
        expect(lab.page.locator("token-drawer")).to_contain_text("Added token")

    def test_unknown_tokens_in_every_view(self, lab: Lab):
        lab.press(lab.radio("Table"))
        lab.ready()
        row = lab.page.locator("token-table [data-row]", has_text="[UNK]")
        expect(row.locator(".unknown-tag")).to_have_text("[UNK]")
        lab.press(lab.radio("Bytes"))
        lab.ready()
        assert lab.page.locator(".hex.unknown").all_inner_texts() == ["E5", "AF", "BF"]
        lab.press(lab.radio("IDs"))
        lab.ready()
        expect(lab.page.locator("id-view .unknown-tag")).to_have_text("[UNK] 100")


def test_figures_explain_themselves_to_pointer_and_keyboard(lab: Lab):
    fact = lab.page.locator("[data-fact=density]")
    tip = lab.tip("density")
    expect(tip).to_be_hidden()
    fact.hover()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("bytes per token")
    lab.page.mouse.move(5, 400)
    expect(tip).to_be_hidden()
    lab.page.locator("[data-fact=split]").focus()
    lab.page.keyboard.press("ArrowLeft")
    expect(fact).to_be_focused()
    expect(tip).to_be_visible()
    lab.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert lab.page.locator(".fact[tabindex='0']").count() == 1, "the row is one Tab stop"


def test_split_characters_one_after_the_other(lab: Lab):
    lab.write("a語 b語")
    lab.page.keyboard.press("Escape")
    seen = []
    for _ in range(3):
        lab.page.locator("[data-fact=split]").click()
        lab.ready()
        seen.append(lab.page.locator(".token-mark.on").first.get_attribute("data-id"))
        expect(lab.page.locator("token-drawer")).to_contain_text("part 2 of 2 of 語")
    assert len(seen) == 3


def test_words_of_a_bpe_tokenizer(lab: Lab):
    panel = lab.page.locator("how-to-read")
    expect(panel.locator("[data-reading=word]")).to_contain_text("No merge joins “Token” and “ization”")
    character = panel.locator("[data-reading=character]")
    expect(character).to_contain_text("東 is three bytes in UTF-8. GPT-2 has them in two tokens")
    expect(character.locator(".face-token")).to_have_text(["E6 9D", "B1"])
    expect(panel.locator("[data-reading=unknown]")).to_have_count(0)


def test_words_are_right_for_every_built_in_tokenizer(lab: Lab):
    """The word that is shown is several tokens in the engine's own answer, and the merge that is missing is missing."""
    word = lab.page.locator("how-to-read [data-reading=word]")
    for tokenizer in ("cl100k_base", "o200k_base", "p50k_base"):
        lab.page.goto(f"{lab.server.address}#/inspect?t={tokenizer}&active={tokenizer}")
        lab.ready()
        lab.set_text("The antidisestablishmentarianism of unaffordable tokenization, 東京.")
        expect(word).to_be_visible()
        ids = [int(one) for one in word.locator("small").all_inner_texts()]
        all_ids = [token["id"] for token in lab.expected(tokenizer, lab.current_text)]
        assert ids and any(all_ids[n : n + len(ids)] == ids for n in range(len(all_ids))), tokenizer
        expect(word).to_contain_text("No merge joins")
        expect(lab.page.locator("how-to-read [data-reading=counts]")).to_have_count(0), "there is no other tokenizer"


def test_words_of_a_unigram_tokenizer(lab: Lab):
    inspect_ways(lab)
    assert len(lab.expected(UNIGRAM, "unbelievable")) > 1
    lab.set_text("unbelievable")
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("Escape")
    word = lab.page.locator("how-to-read [data-reading=word]")
    expect(word).to_contain_text("takes the tokens whose scores have the best sum")
    ids = [int(one) for one in word.locator("small").all_inner_texts()]
    assert ids == [token["id"] for token in lab.expected(UNIGRAM, "unbelievable")]


def test_the_panel_gives_way_to_a_token_and_comes_back(lab: Lab):
    panel = lab.page.locator("how-to-read")
    lab.text.focus()
    lab.page.keyboard.press("Home")
    expect(lab.page.locator("token-drawer")).to_contain_text("Token 1 of")
    expect(panel).to_be_hidden()
    lab.page.keyboard.type("My ")
    lab.ready()
    expect(lab.page.locator("token-drawer")).to_be_visible()
    lab.page.get_by_role("button", name="Deselect the token").click()
    expect(panel).to_be_visible()
    assert lab.page.locator(".token-mark").count() == 0
    lab.page.keyboard.press("Home")
    expect(panel).to_be_hidden()
    lab.take_sample("code")
    expect(panel).to_be_visible()


def test_a_text_without_examples_says_nothing_of_them(lab: Lab):
    lab.set_text("")
    panel = lab.page.locator("how-to-read")
    expect(panel.locator("[data-reading]")).to_have_count(0)
    expect(panel).to_contain_text("Type or paste a text")
    expect(lab.page.locator(".text-legend li:visible")).to_have_count(0)
    expect(lab.page.locator(".fact:visible")).to_have_text(["0 tokens", "– characters per token"])
    lab.set_text("to be or not to be")
    expect(panel.locator("[data-reading=word], [data-reading=unknown], [data-reading=character]")).to_have_count(0)


def test_steps_are_folded_and_the_address_says_so(lab: Lab):
    toggle = lab.page.get_by_role("button", name="Show steps")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.click()
    expect(lab.page.locator("pipeline-strip")).to_be_visible()
    expect(lab.page.get_by_role("button", name="Hide steps")).to_have_attribute("aria-expanded", "true")
    lab.page.keyboard.press("p")
    expect(lab.page.locator("pipeline-strip")).to_be_hidden()
    lab.page.goto(f"{lab.server.address}#/inspect?steps=1")
    lab.ready()
    expect(lab.page.locator("pipeline-strip")).to_be_visible()


def test_the_decoder_says_all_of_what_it_changes(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.write("Café")
    lab.page.get_by_role("button", name="Show steps").click()
    lab.ready()
    box = lab.page.locator("[data-stage=decoder]")
    expect(box).to_contain_text("unknown words are gone")
    words = box.locator("small")
    assert words.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight + 1")
    box.click()
    lab.ready()
    view = lab.page.locator("stage-view")
    expect(view).to_contain_text("Decoding the tokens does not give the same text.")
    assert view.locator("del").all_inner_texts() == ["C", "é"]
    assert view.locator("ins").all_inner_texts() == ["c", "e"]
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] .pick").click()
    expect(view).to_contain_text("gives the same text, character by character")


def test_the_legend_stands_under_a_short_text_and_below_a_long_one(lab: Lab):
    text, legend = lab.page.locator("token-text"), lab.page.locator(".text-legend")
    short = text.bounding_box()
    box = legend.bounding_box()
    assert short["y"] + short["height"] == pytest.approx(box["y"], abs=1)
    assert box["y"] < 500
    lab.set_text("line of a long text\n" * 200)
    work = lab.page.locator(".inspect-work").bounding_box()
    box = legend.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(work["y"] + work["height"], abs=1)
    assert lab.page.evaluate("(e => e.scrollHeight > e.clientHeight)(document.querySelector('.cm-scroller'))")


def test_a_press_below_a_short_text_goes_to_its_end(lab: Lab):
    lab.set_text("hello world")
    work = lab.page.locator(".inspect-work").bounding_box()
    lab.page.mouse.click(work["x"] + 300, work["y"] + work["height"] - 30)
    expect(lab.text).to_be_focused()
    lab.page.keyboard.type("!")
    lab.ready()
    assert lab.current_text == "hello world!"


def test_ids_without_room_are_counted_where_they_are_in_view(lab: Lab):
    note = lab.page.locator("[data-role=dots-note]")
    lab.set_text("吾輩は猫である。名前はまだ無い。\n" * 2 + "plain words\n" * 60)
    expect(note).to_contain_text("IDs. Enlarge the text, or choose View options > Table.")
    shown = int(re.search(r"\d+", note.inner_text())[0])
    assert shown == len([piece for piece in lab.pieces() if piece["dotted"]])
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 2500")
    lab.idle()
    expect(note).to_be_empty()
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("i")
    expect(lab.page.locator(".legend")).not_to_contain_text("room")


def test_the_panel_names_a_tokenizer_as_its_button_does(lab: Lab):
    chip = lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick")
    expect(chip).to_contain_text("BERT base, uncased")
    lab.page.locator("tokenizer-chips [data-tokenizer=gpt2] .pick").click()
    lab.write("Tokenization is not neutral")
    lab.idle()
    expect(lab.page.locator("body")).to_contain_text("Press BERT base, uncased at the top")
