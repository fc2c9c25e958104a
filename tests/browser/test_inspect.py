"""Inspect: typing shows tokens, and what is shown is what the engine says."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_useful_with_zero_clicks(lab: Lab):
    assert lab.current_text.startswith("Tokenization isn't neutral")
    assert lab.tokens("gpt2") == lab.expected("gpt2", lab.current_text)
    assert lab.count("gpt2") == len(lab.expected("gpt2", lab.current_text))
    expect(lab.page.locator("how-to-read [data-reading=word]")).to_contain_text("Tokenization")


TEXTS = ["Hello, world!", "the unaffordable café", "日本語と東京都", "مرحبا بالعالم", "नमस्ते", "a\n\nb\tc  d", "👩‍🔬🇯🇵"]


@pytest.mark.parametrize("tokenizer", ["gpt2", "bert-base-uncased"])
def test_typing_shows_the_engines_tokens(lab: Lab, tokenizer: str):
    lab.page.locator(f"tokenizer-chips [data-tokenizer='{tokenizer}'] .pick").click()
    for text in TEXTS:
        lab.write(text)
        assert lab.current_text == text
        assert lab.tokens(tokenizer) == lab.expected(tokenizer, text), text


def test_key_by_key(lab: Lab):
    lab.write("")
    lab.page.keyboard.type("un believ able", delay=15)
    lab.ready()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "un believ able")


def test_empty_text_has_no_tokens(lab: Lab):
    lab.write("")
    assert lab.tokens() == []
    expect(lab.page.locator("[data-role=count]")).to_have_text("0")
    expect(lab.page.locator(".facts")).to_contain_text("– characters per token")
    expect(lab.error).to_be_hidden()


def test_special_token_switch_changes_the_count(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.write("hello world")
    facts = lab.page.locator(".facts")
    assert lab.count("bert-base-uncased") == 2
    expect(facts).to_contain_text("+ 2 added")
    expect(facts).to_contain_text("5.50 characters per token")
    expect(lab.tip("density")).to_contain_text("5.50 bytes per token. 1.00 tokens per word")
    pills = lab.page.locator(".pill")
    assert [pill.get_attribute("data-id") for pill in pills.all()] == ["101", "102"]
    lab.press(lab.switch("Add special tokens"))
    lab.ready()
    assert lab.count("bert-base-uncased") == 2
    expect(facts.locator(".fact", has_text="added")).to_be_hidden()
    expect(facts).to_contain_text("5.50 characters per token")
    expect(lab.tip("density")).to_contain_text("5.50 bytes per token. 1.00 tokens per word")
    assert pills.count() == 0


def test_special_text_is_parsed_or_taken_as_text(lab: Lab):
    lab.write("a<|endoftext|>b")
    as_text = lab.count("gpt2")
    lab.treat_special_text("special token")
    lab.ready()
    assert lab.count("gpt2") == 3
    assert {"id": 50256, "start": 1, "end": 14} in lab.tokens("gpt2")
    assert as_text > 3


def test_caret_chooses_the_token(lab: Lab):
    lab.write("hello world")
    lab.page.keyboard.press("Home")
    drawer = lab.page.locator("token-drawer")
    expect(drawer).to_contain_text("Token 1 of 2")
    expect(drawer).to_contain_text("31373")
    lab.page.keyboard.press("End")
    expect(drawer).to_contain_text("Token 2 of 2")
    expect(lab.live).to_have_text("token 2 of 2: space world, id 995, 6 bytes")
    expect(lab.page.locator(".token-mark.on")).to_have_attribute("data-id", "995")


def test_pointing_at_a_token_says_what_it_is(lab: Lab):
    lab.write("hello world")
    box = lab.box(995)
    lab.point_at(box)
    expect(lab.page.locator(".status")).to_contain_text("token 2 of 2: space world, id 995")
    lab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(lab.page.locator("token-drawer")).to_contain_text("Token 2 of 2")


def test_split_character(lab: Lab):
    lab.write("語")
    parts = lab.expected("gpt2", "語")
    assert len(parts) == 2
    boxes = [piece["box"] for piece in lab.pieces()]
    assert boxes[0]["width"] == pytest.approx(boxes[1]["width"], abs=0.1), "equal stripes"
    assert boxes[0]["x"] + boxes[0]["width"] == pytest.approx(boxes[1]["x"], abs=0.1)
    drawer = lab.page.locator("token-drawer")
    expect(drawer).to_contain_text("1 character, 2 tokens")
    assert drawer.locator(".byte").all_inner_texts() == ["E8", "AA", "9E"]
    mine = len(drawer.locator(".byte.mine").all())
    assert mine in (1, 2)
    expect(drawer).to_contain_text("U+8A9E")


def test_token_with_parts_of_two_characters_is_hatched(lab: Lab):
    lab.write(" 語")
    assert lab.pieces()[0]["mixed"]
    assert lab.page.locator(".token-blocks path.mixed").get_attribute("d")
    lab.page.keyboard.press("Home")
    expect(lab.page.locator("token-drawer")).to_contain_text("1 whole and a part of 1 more")


def test_no_replacement_character_and_no_empty_chip(lab: Lab):
    lab.write("日本語 नमस्ते 👩‍🔬 é")
    assert "\ufffd" not in lab.page.locator("body").inner_text()
    assert min(piece["box"]["width"] for piece in lab.pieces()) > 0
    lab.press(lab.radio("Table"))
    lab.ready()
    assert "\ufffd" not in lab.page.locator("token-table").inner_text()
    faces = lab.page.locator("token-table .token-face").all_inner_texts()
    assert faces and all(face.strip() for face in faces)


def test_ids_and_white_space_can_be_hidden(lab: Lab):
    lab.write("hello world")
    labels = lab.page.locator(".token-labels span")
    assert labels.all_inner_texts() == ["31373", "995"]
    assert lab.page.locator(".white-space").count() == 1
    lab.press(lab.switch("ids"))
    lab.press(lab.switch("Whitespace"))
    lab.ready()
    assert labels.count() == 0
    assert lab.page.locator(".white-space").count() == 0


def test_table_bytes_and_ids(lab: Lab):
    lab.write("hello 語")
    lab.press(lab.radio("Table"))
    lab.ready()
    rows = lab.page.locator("token-table [data-row]")
    assert rows.count() == len(lab.expected("gpt2", "hello 語"))
    expect(rows.first).to_contain_text("31373")
    rows.nth(1).click()
    expect(lab.page.locator("token-drawer")).to_contain_text("Token 2 of")

    lab.press(lab.radio("Bytes"))
    lab.ready()
    assert lab.page.locator(".hex").all_inner_texts() == ["68", "65", "6C", "6C", "6F", "20", "E8", "AA", "9E"]

    lab.press(lab.radio("IDs"))
    lab.ready()
    ids = lab.page.locator("[data-role=ids]")
    assert [int(i) for i in ids.input_value().split(",")] == [t["id"] for t in lab.expected("gpt2", "hello 語")]
    ids.fill("15496 11 995 0")
    expect(lab.page.locator(".decoded")).to_contain_text("Hello,·world!")
    ids.fill("15496 x")
    expect(lab.page.locator("[data-role=ids-note]")).to_contain_text("“x”, number 2 of the list, is not a token ID")
    expect(lab.page.locator("id-view .decoded")).to_have_text("–")
    expect(lab.page.get_by_role("button", name="Use as the text")).to_be_hidden()
    ids.fill("15496 -4")
    expect(lab.page.locator("[data-role=ids-note]")).to_contain_text("“-4”, number 2")
    ids.fill("ids = [15496, 11]")
    expect(lab.page.locator("id-view .decoded")).to_have_text("Hello,")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    own = [token["id"] for token in lab.expected("gpt2", "hello 語")]
    lab.page.get_by_role("button", name="Copy all IDs as JSON").click()
    expect(lab.live).to_contain_text(f"{len(own)} IDs copied as JSON")
    assert json.loads(lab.page.evaluate("navigator.clipboard.readText()")) == own
    lab.page.get_by_role("button", name="Copy all IDs as Spaced").click()
    expect(lab.live).to_contain_text("copied as Spaced")
    assert lab.page.evaluate("navigator.clipboard.readText()") == " ".join(map(str, own))


def test_decoding_an_id_out_of_range_says_so(lab: Lab):
    lab.tolerated = ("status of 422",)
    lab.press(lab.radio("IDs"))
    lab.page.locator("[data-role=ids]").fill("99999999")
    expect(lab.page.locator(".decoded")).to_contain_text("99999999")


def test_samples(lab: Lab):
    for sample in (
        "first",
        "english",
        "hindi",
        "japanese",
        "arabic",
        "emoji",
        "code",
        "numbers",
        "whitespace",
        "mixed",
    ):
        lab.take_sample(sample)
        assert lab.tokens("gpt2") == lab.expected("gpt2", lab.current_text), sample


def test_dropped_text_is_marked(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.set_text("before \x01 after")
    assert lab.page.locator(".text-range.dropped").count() == 1
    lab.set_text("before and after")
    assert lab.page.locator(".text-range.dropped").count() == 0


def test_pipeline_strip(lab: Lab):
    lab.write("Hello, world!")
    lab.show_steps()
    strip = lab.page.locator("pipeline-strip")
    expect(strip.locator("[data-stage=decoder]")).to_contain_text("lossless")
    expect(strip.locator("[data-stage=model]")).to_contain_text("4")
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.ready()
    expect(strip.locator("[data-stage=decoder]")).to_contain_text("changes the text")
    expect(strip.locator("[data-stage=postprocessor]")).to_contain_text("+2")
    # Words that do not fit beside each other take two lines, before the strip is scrolled.
    width = strip.evaluate("e => e.clientWidth")
    words = "element.textContent = 'NFKC, spaces become one, lower case'"
    strip.locator("[data-stage=normalizer] small").evaluate(f"element => {{ {words}; }}")
    assert strip.evaluate("e => e.scrollWidth") == width


def test_undo_gives_the_text_and_its_tokens_back(lab: Lab):
    lab.write("first text")
    lab.write("second")
    lab.page.keyboard.press("Control+Z")
    lab.ready()
    assert lab.tokens("gpt2") == lab.expected("gpt2", lab.current_text)


def test_a_tooltip_stays_under_the_pointer_and_takes_its_escape(lab: Lab):
    lab.write("two words")
    page = lab.page
    fact = page.locator("fact-row button.fact:visible").first
    tip = page.locator(f"[id='{fact.get_attribute('aria-describedby')}']")
    lab.text.focus()
    page.keyboard.press("Control+A")
    page.evaluate("addEventListener('keydown', event => { if (event.key === 'Escape') window.escaped = true; })")
    fact.hover()
    expect(tip).to_be_visible()
    box, bubble = fact.bounding_box(), tip.bounding_box()
    assert box and bubble
    page.mouse.move(box["x"] + 8, bubble["y"] + bubble["height"] / 2, steps=20)
    lab.frames()
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert page.evaluate("window.escaped") is None
    fact.hover()
    expect(tip).to_be_visible()
    page.mouse.move(0, 0)
    expect(tip).to_be_hidden()
    page.keyboard.press("Escape")
    assert page.evaluate("window.escaped") is True
