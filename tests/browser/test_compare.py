"""Compare: lanes that line up with the text, what is grey and what is coloured, and the ways through the divergences."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import tiny
from tests.browser.conftest import Lab
from tests.browser.pictures import upload

PAIR = ["bert-base-uncased", "gpt2"]


@pytest.fixture
def lab(lab: Lab) -> Lab:
    lab.go("compare")
    return lab


def lefts(lab: Lab, tokenizer: str) -> dict[int, float]:
    """Left edge of every drawn token by its byte offset."""
    return {piece["start"]: piece["box"]["x"] for piece in lab.pieces(tokenizer) if not piece["part"]}


def test_every_lane_shows_the_engines_tokens(lab: Lab):
    for tokenizer in PAIR:
        assert lab.tokens(tokenizer) == lab.expected(tokenizer, lab.current_text)
        assert lab.count(tokenizer) == len(lab.expected(tokenizer, lab.current_text))


def test_lanes_line_up_with_the_text_to_the_pixel(lab: Lab):
    for text in (
        "hello unaffordable world",
        "日本語 and 東京都",
        "Straße naïve 2048-token",
        "word " * 120,
        "👍 and 🎌 end",
    ):
        lab.write(text)
        lanes_line_up(lab, text)


def lanes_line_up(lab: Lab, text: str) -> None:
    utf16 = {len(text[:n].encode()): len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)}
    measure = """positions => {
        const { view } = document.querySelector('token-text');
        return positions.map(pos => view.coordsAtPos(pos, 1).left);
    }"""
    for tokenizer in PAIR:
        edges = {
            start: left
            for start, left in lefts(lab, tokenizer).items()
            if start in utf16 and text.encode()[start : start + 1] != b" "
        }
        true = lab.page.evaluate(measure, [utf16[start] for start in edges])
        assert edges and list(edges.values()) == pytest.approx(true, abs=1), (text, tokenizer)
    shared = lefts(lab, PAIR[0]).keys() & lefts(lab, PAIR[1]).keys()
    for start in shared:
        assert lefts(lab, PAIR[0])[start] == pytest.approx(lefts(lab, PAIR[1])[start], abs=0.01)


def test_lanes_stand_under_their_line(lab: Lab):
    lab.write("one two three")
    line = lab.page.evaluate("document.querySelector('token-text').view.coordsAtPos(0).bottom")
    tops = [lab.pieces(one)[0]["box"]["y"] for one in PAIR]
    assert line - 2 <= tops[0] < tops[1] < line + 40


def test_grey_where_all_agree_and_coloured_where_they_differ(lab: Lab):
    lab.write("the unaffordable house")
    gpt2 = {piece["start"]: piece["shade"] in ("d0", "d1") for piece in lab.pieces("gpt2")}
    assert not gpt2[0] and not gpt2[16] and any(gpt2.values())
    lab.write("the house")
    assert {piece["shade"] for piece in lab.pieces()} == {"g0", "g1"}
    expect(lab.page.locator("divergence-list")).to_contain_text("All tokenizers have the same boundaries in this text")


def test_space_switch(lab: Lab):
    lab.write("the house")
    note = lab.page.get_by_text("Boundaries next to a space count as one", exact=True)
    expect(note).to_be_visible()
    assert lab.page.locator("[data-role=divergence]").count() == 0
    lab.press(lab.switch("Ignore which token keeps the space"))
    lab.ready()
    assert lab.page.locator("[data-role=divergence]").count() > 0
    expect(note).to_have_count(0)
    lab.press(lab.switch("Ignore which token keeps the space"))
    expect(note).to_be_visible()
    lab.set_text("")
    expect(note).to_have_count(0)


def test_hover_is_linked_over_all_lanes(lab: Lab):
    lab.write("the unaffordable house")
    lab.point_at(lab.pieces("gpt2")[1]["box"])
    expect(lab.page.locator("[data-tokenizer=gpt2] .token-mark.on")).to_have_count(1)
    assert lab.page.locator("[data-tokenizer='bert-base-uncased'] .token-mark.linked").count() >= 1
    expect(lab.page.locator(".text-range.hovered")).to_have_count(1)
    expect(lab.page.locator(".status")).to_contain_text("token 2 of")
    lab.page.mouse.move(5, 5)
    expect(lab.page.locator(".token-mark")).to_have_count(0)


def test_divergences_next_and_previous(lab: Lab):
    lab.take_sample("mixed")
    position = lab.page.locator("[data-role=divergence-position]")
    total = int(position.inner_text().split()[0])
    assert total > 10
    lab.page.locator("[data-role=next-divergence]").click()
    expect(position).to_have_text(f"1 of {total} divergences")
    lab.page.keyboard.press("n")
    expect(position).to_have_text(f"2 of {total} divergences")
    lab.page.keyboard.press("p")
    lab.page.keyboard.press("p")
    expect(position).to_have_text(f"{total} of {total} divergences")
    expect(lab.page.locator(".text-range.current").first).to_be_attached()
    expect(lab.page.locator("divergence-list [aria-selected=true]")).to_be_visible()
    expect(lab.live).to_contain_text(f"divergence {total} of {total}")


def test_filter_by_kind(lab: Lab):
    lab.take_sample("mixed")
    chip = lab.page.locator("[data-kind=numbers]")
    wanted = int(chip.inner_text().split()[-1])
    chip.click()
    assert lab.page.locator("[data-role=divergence]").count() == wanted
    lab.page.keyboard.press("n")
    expect(lab.page.locator("[data-role=divergence-position]")).to_have_text(
        f"1 of {wanted} divergence{'s' * (wanted != 1)}"
    )


def test_choosing_a_divergence_shows_it(lab: Lab):
    lab.page.locator("divergence-list [data-row]").nth(2).click()
    expect(lab.page.locator("[data-role=divergence-position]")).to_contain_text("3 of")
    expect(lab.page.locator(".text-range.current").first).to_be_attached()


def test_added_tokens_count_apart_and_in_no_comparison(lab: Lab):
    lab.write("hello world")
    bert, gpt2 = (lab.page.locator(f".card[data-tokenizer='{id}']") for id in PAIR)
    expect(bert.locator(".big")).to_have_text("2 + 2")
    expect(bert.locator(".card-facts")).to_have_text("5.50 characters per token")
    expect(bert.locator(".card-added")).to_have_text("2 added: [CLS] [SEP]")
    expect(gpt2.locator(".card-added")).to_have_text("no added tokens")
    expect(bert).to_contain_text("baseline")
    expect(gpt2.locator(".big")).to_have_text("2")
    expect(gpt2.locator(".delta")).to_have_text("±0 against A")
    gpt2.locator("button.delta").click()
    expect(gpt2).to_contain_text("baseline")
    expect(bert.locator(".delta")).to_have_text("±0 against B")
    lab.press(lab.switch("Add special tokens"))
    lab.ready()
    expect(bert.locator(".big")).to_have_text("2")
    expect(bert.locator(".delta")).to_have_text("±0 against B")
    lab.write("日本語")
    expect(bert.locator(".delta")).to_have_text(re.compile(r"^−\d against B$"))  # no percentage of few tokens
    lab.write("日本語 " * 20)
    expect(bert.locator(".delta")).to_have_text(re.compile(r"^−\d+ \(−\d+\u202f%\) against B$"))


def test_an_empty_text_has_no_figures(lab: Lab):
    lab.write("")
    for card in lab.page.locator(".card").all():
        expect(card).to_contain_text("– characters per token")
        expect(card).not_to_contain_text("%")
        expect(card.locator("[data-role=count]")).to_have_text("0")
    expect(lab.page.locator("button.delta")).to_have_text("–")


def test_unknown_tokens_are_never_cut_off(lab: Lab, tmp_path: Path):
    """With eight tokenizers in the smallest window that a projector has."""
    words = tiny.vocab_txt(tmp_path).read_bytes()
    small = [f"small-{n}" for n in range(6)]
    for id in small:
        upload(lab.server, "vocab.txt", words, id)
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.start_again("#/compare?t=" + "&t=".join([*PAIR, *small]))
    lab.write("\u1c5a\u1c5b " * 9 + "hello")
    assert lab.page.locator("compare-cards").get_attribute("data-many") == "true"
    for id in ["bert-base-uncased", *small]:
        card = lab.page.locator(f".card[data-tokenizer='{id}']")
        unknown = card.locator("[data-role=unknown]")
        expect(unknown).to_have_text("9 unknown (90\u202f%)")
        expect(card).to_have_attribute("data-unknown", "true")
        shown, line = unknown.bounding_box(), card.locator(".card-facts").bounding_box()
        assert unknown.evaluate("e => e.scrollWidth <= Math.ceil(e.getBoundingClientRect().width)")
        assert shown["x"] + shown["width"] <= line["x"] + line["width"]
    expect(lab.page.locator(".card[data-tokenizer=gpt2] [data-role=unknown]")).to_have_text("")


def test_agreement(lab: Lab):
    lab.write("the house")
    lab.page.get_by_role("tab", name="Agreement").click()
    assert lab.page.locator("agreement-matrix td.number").all_inner_texts() == ["–", "100\u202f%", "100\u202f%", "–"]


def test_letter_hue_and_shape_stay_with_the_tokenizer(lab: Lab):
    def letters() -> dict[str, str]:
        cards = lab.page.locator(".card").all()
        return {card.get_attribute("data-tokenizer") or "": card.get_attribute("data-letter") or "" for card in cards}

    assert letters() == {"bert-base-uncased": "A", "gpt2": "B"}
    lab.page.locator("tokenizer-chips .chip").first.hover()
    lab.page.get_by_role("button", name="Remove", exact=False).first.click()
    lab.ready()
    assert letters() == {"gpt2": "B"}
    expect(lab.page.locator(".few")).to_be_visible()
    lab.page.locator("[data-role=preset]").click()
    lab.ready()
    assert letters() == {"bert-base-uncased": "A", "gpt2": "B"}


def test_adding_a_third_tokenizer(lab: Lab):
    lab.page.locator("[data-role=add-tokenizer]").click()
    lab.page.locator("add-tokenizer [data-tokenizer=o200k_base]").click()
    lab.ready()
    assert lab.page.locator("[data-role=lane]").count() == 3
    assert lab.tokens("o200k_base") == lab.expected("o200k_base", lab.current_text)


def test_the_text_is_the_same_on_both_screens(lab: Lab):
    lab.write("shared text")
    lab.go("inspect")
    assert lab.current_text == "shared text"
    lab.write("changed there")
    lab.go("compare")
    assert lab.current_text == "changed there"
    assert lab.tokens("gpt2") == lab.expected("gpt2", "changed there")


def test_minimap_moves_the_text(lab: Lab):
    lab.set_text("\n".join(f"line {n} of unaffordable things" for n in range(400)))
    box = lab.page.locator("mini-map").bounding_box()
    assert box
    lab.page.mouse.click(box["x"] + 9, box["y"] + box["height"] * 0.75)
    lab.ready()
    assert lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop") > 1000


@pytest.fixture
def trimming(lab: Lab, tmp_path: Path) -> str:
    """A tokenizer of bytes whose offsets leave out white space, as RoBERTa's do: a token of spaces has an empty span."""
    letters = [chr(code) for code in [*range(33, 127), *range(161, 173), *range(174, 256)]]
    spelled = [*letters, *(chr(256 + n) for n in range(256 - len(letters)))]
    post = {
        "type": "RobertaProcessing",
        "cls": ["!", 0],
        "sep": ["!", 0],
        "trim_offsets": True,
        "add_prefix_space": False,
    }
    file = {
        "version": "1.0",
        "added_tokens": [],
        **dict.fromkeys(["truncation", "padding", "normalizer", "decoder"]),
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
        "post_processor": post,
        "model": {"type": "BPE", "vocab": {letter: n for n, letter in enumerate(spelled)}, "merges": []},
    }
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    lab.server.call("POST", "tokenizers", {"path": str(path), "id": "trimming"})
    return "trimming"


def test_tokens_with_an_empty_span_are_compared(lab: Lab, trimming: str):
    lab.start_again(f"#/compare?t=bert-base-uncased&t={trimming}&text=don't  stop")
    for view in ("Aligned", "Side by side", "Table"):
        lab.ready()
        lab.press(lab.radio(view))
        lab.ready()
        expect(lab.error).to_be_hidden()
        assert lab.page.locator("[data-role=divergence]").count() > 0, view
        assert lab.count(trimming) == len("don't  stop"), view
