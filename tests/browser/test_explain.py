"""Inspect explains itself: why there is a boundary, and how a token was built."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

BOX = "[data-role=boundary-reason]"


def ask(lab: Lab, side: str) -> None:
    lab.page.locator(f"[data-role=why-{side}]").click()
    lab.ready()


def choose(lab: Lab, position: int) -> None:
    """Puts the caret behind so many characters."""
    lab.page.evaluate("at => document.querySelector('token-text').moveCaret(at)", position)
    lab.ready()


def explained(lab: Lab, tokenizer: str, text: str, at: int) -> dict:
    body = {"tokenizer": tokenizer, "text": text, "at": at, "specials": "text"}
    return lab.server.call("POST", "explain", body)["places"][0]


def add_file(lab: Lab, id: str, file: str) -> None:
    """Adds a tokenizer.json and looks at it in Inspect."""
    lab.page.request.post(
        f"{lab.server.origin}/api/v1/tokenizers/files",
        headers={"Authorization": f"Bearer {lab.server.token}"},
        multipart={
            "id": id,
            "files": {"name": "tokenizer.json", "mimeType": "application/json", "buffer": file.encode()},
        },
    )
    lab.start_again(f"#/inspect?t={id}")


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def test_what_is_shown_is_what_the_engine_says(lab: Lab):
    text = "Tokenization of texts"
    lab.write(text)
    choose(lab, 0)
    ask(lab, "end")
    place = explained(lab, "gpt2", text, 5)
    box = lab.page.locator(BOX)
    sentence = box.locator(".reason-sentence")
    expect(sentence).to_have_text("“Tokenization” is not in the vocabulary, so “Token” and “ization” stay two tokens.")
    mechanism = box.locator("[data-role=mechanism]")
    expect(mechanism.get_by_text("Model · BPE")).to_be_hidden()
    mechanism.locator("summary").click()
    expect(mechanism.get_by_text("Model · BPE")).to_be_visible()
    expect(mechanism).to_contain_text(capital(place["summary"]))
    expect(box).to_contain_text("missing merge")
    expect(box).to_contain_text("rank 8\u202f205")
    expect(box).to_contain_text("No natural edit removes this boundary.")
    expect(lab.live).to_have_text(place["reason"])
    choose(lab, 8)
    expect(sentence).to_have_text(explained(lab, "gpt2", text, 12)["reason"])
    expect(mechanism.get_by_text("Pretokenizer · GPT-2 pattern"), "it stays open").to_be_visible()
    ask(lab, "start")
    expect(box).to_contain_text("“Token” and “ization”")
    ask(lab, "start")
    expect(box).to_be_hidden()


def test_the_edit_can_be_tried_and_taken_back(lab: Lab):
    text = "TOKEN of texts"
    lab.write(text)
    choose(lab, 0)
    ask(lab, "end")
    edit = explained(lab, "gpt2", text, lab.tokens("gpt2")[0]["end"])["edit"]
    lab.page.locator("[data-role=try-edit]").click()
    lab.ready()
    assert lab.current_text == edit["text"]
    assert lab.tokens("gpt2") == lab.expected("gpt2", edit["text"])
    lab.page.keyboard.press("Control+Z")
    lab.ready()
    assert lab.current_text == text


def test_key_and_palette(lab: Lab):
    lab.write("Hello, world")
    choose(lab, 0)
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("y")
    lab.ready()
    expect(lab.page.locator(BOX)).to_contain_text("Pretokenizer · GPT-2 pattern")
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("why does the token start")
    lab.page.keyboard.press("Enter")
    lab.ready()
    expect(lab.page.locator(BOX)).to_contain_text("The text starts here")


@pytest.mark.parametrize(("text", "at", "words"), [("unaffordable", 3, "looked up, the longest first")])
def test_word_piece(lab: Lab, text: str, at: int, words: str):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.write(text)
    choose(lab, at)
    ask(lab, "start")
    expect(lab.page.locator(BOX)).to_contain_text("Model · WordPiece")
    expect(lab.page.locator(BOX)).to_contain_text(words)
    lab.page.locator(".pill").first.click()
    lab.ready()
    expect(lab.page.locator(BOX)).to_contain_text("Added by the postprocessor")


def test_a_long_text_is_explained_by_a_part(lab: Lab):
    line = "TOKEN isn't neutral: 日本語 and unaffordable things.\n"
    lab.set_text(line * 600)
    choose(lab, len(line) * 300)
    ask(lab, "end")
    box = lab.page.locator(BOX)
    expect(box).to_contain_text("longer texts than 10\u202f000 characters are traced in parts")
    expect(box).to_contain_text("“TO” and “KEN”")
    lab.page.locator("[data-role=try-edit]").click()
    lab.ready()
    edited = lab.current_text
    assert edited.count(line) == 599
    assert edited[: len(line) * 300] == line * 300, "the edit is in the line of the token"


def test_a_problem_is_told_in_its_place(lab: Lab):
    lab.tolerated = ("status of 500",)
    lab.write("Hello, world")
    failure = {"error": {"code": "internal", "message": "it broke", "hint": "try again"}}
    lab.page.route("**/api/v1/explain", lambda route: route.fulfill(status=500, json=failure))
    ask(lab, "end")
    expect(lab.page.locator(BOX)).to_contain_text("It broke.")
    lab.page.unroute("**/api/v1/explain")
    choose(lab, 0)
    lab.ready()
    expect(lab.page.locator(BOX)).to_contain_text("Pretokenizer")


def test_how_it_was_built(lab: Lab):
    lab.write("Tokenization")
    choose(lab, 0)
    lab.page.locator("[data-role=origin]").click()
    lab.ready()
    tree = lab.page.locator("token-origin [data-role=merge-tree]")
    expect(tree.locator(".token-button").first).to_contain_text("30642")
    assert tree.locator(".token-button").count() == 9, "five letters are joined by four merges"
    choose(lab, 8)
    expect(tree.locator(".token-button").first).to_contain_text("1634")
    lab.page.locator("[data-role=show-in-vocabulary]").click()
    lab.ready()
    expect(lab.page.locator("vocabulary-entry h2")).to_have_text("Token 1634")
    expect(lab.page.locator("[data-role=found]")).to_contain_text("1 of")


def test_the_ways_that_a_unigram_model_weighed(lab: Lab):
    vocab = [["?", 0.0], ["a", -2.0], ["b", -2.0], ["ab", -5.0], ["c", -1.0]]
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
    file = json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages})
    add_file(lab, "weighs", file)
    lab.write("cab")
    choose(lab, 1)
    ask(lab, "end")
    lab.page.locator("[data-role=mechanism] summary").click()
    ways = lab.page.locator("[data-role=segmentations]")
    assert [row.split() for row in ways.locator("li").all_inner_texts()] == [
        ["73.1", "%", "a", "b"],
        ["26.9", "%", "ab"],
    ]
    expect(ways.locator(".segmentation-boundary")).to_have_count(1)
    assert ways.locator(".segmentation-boundary").get_attribute("title") == "Boundary here: 73.1\u202f%"
    assert float(
        ways.locator(".segmentation-mark").evaluate("mark => getComputedStyle(mark).opacity")
    ) == pytest.approx(0.75)
    expect(lab.page.locator(BOX)).to_contain_text("probability 73.1")
    # Over the place before it no token reaches.
    ask(lab, "start")
    expect(ways).to_have_count(0)
    expect(lab.page.locator(BOX)).to_contain_text("probability 100")


def test_a_long_stretch_is_shown_in_part(lab: Lab):
    vocab = [["?", 0.0], ["a", -2.0], ["b", -2.2], ["ab", -3.1], ["ba", -3.7], ["aba", -4.9]]
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
    add_file(lab, "long", json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages}))
    lab.write("ab" * 2_000)
    choose(lab, 2_000)
    ask(lab, "start")
    box = lab.page.locator(BOX)
    expect(box.locator("[data-role=segmentations-part]")).to_contain_text("of 4\u202f000 characters")
    assert 20 <= box.locator(".segmentation-boundary").count() <= 64
    assert box.locator("li").count() == 5
    assert box.evaluate("box => box.querySelectorAll('*').length") < 1_500
