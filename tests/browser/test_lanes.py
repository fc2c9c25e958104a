"""What is written in the lanes of Compare: each token as its vocabulary spells it, where there is room."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

PAIR = ["bert-base-uncased", "gpt2"]
FIRST = "Tokenization isn't neutral: unaffordable words fall apart.\n東京の寿司は高い。"


@pytest.fixture
def lab(lab: Lab) -> Lab:
    lab.go("compare")
    return lab


def written(lab: Lab, tokenizer: str) -> list[str]:
    """The labels in a lane, by row, from the top."""
    rows = lab.page.locator(f".token-lane[data-tokenizer='{tokenizer}'] .token-spellings")
    found = rows.evaluate_all("all => all.map(e => [parseFloat(e.style.top), [...e.children].map(c => c.textContent)])")
    return [word for _, row in sorted(found) for word in row]


def test_tokens_are_spelled_inside_their_lanes(lab: Lab):
    lab.write(FIRST)
    bert = "token ##ization isn ' t neutral : una ##ff ##ord ##able words fall apart . 東 京 の UNK 司 は 高 い 。"
    assert written(lab, "bert-base-uncased") == bert.split()
    gpt2 = "Token ization ·isn 't ·neutral : ·unaff ordable ·words ·fall ·apart . ↵ 東 京 の 寿 司 は 高 い 。"
    assert written(lab, "gpt2") == gpt2.split()


def label_box(piece: dict) -> tuple[float, float, float]:
    """Top, left and width of what a label is centred on: its block, or the whole character that the block is a stripe of."""
    box, shared = piece["box"], piece["shared"] if piece.get("isOver") else {"x": piece["x"], "width": piece["width"]}
    return box["y"], box["x"] + shared["x"] - piece["x"], shared["width"]


def test_every_label_stands_inside_its_block(lab: Lab):
    lab.write(FIRST)
    for tokenizer in PAIR:
        blocks = sorted(label_box(piece) for piece in lab.pieces(tokenizer) if piece["spelled"])
        labels = lab.page.locator(f".token-lane[data-tokenizer='{tokenizer}'] .token-spellings > span").evaluate_all(
            """all => all.map(e => {
                const { x, width } = e.getBoundingClientRect();
                return [parseFloat(e.parentElement.style.top), x, width];
            })"""
        )
        assert len(labels) == len(blocks)
        for (_, x, width), (_, left, room) in zip(sorted(labels), blocks, strict=True):
            assert x + width / 2 == pytest.approx(left + room / 2, abs=1)
            assert width <= room + 1


def test_a_boundary_inside_a_character_is_slanted(lab: Lab):
    lab.write("東京")
    gpt2 = lab.pieces("gpt2")
    assert [piece["slant"] for piece in gpt2] == [{"left": False, "right": True}, {"left": True, "right": False}] * 2
    assert all(not any(piece["slant"].values()) for piece in lab.pieces("bert-base-uncased"))
    expect(lab.page.locator(".token-lane[data-tokenizer=gpt2] path.slanted")).to_have_count(2)
    assert written(lab, "gpt2") == ["東", "京"], "over their stripes"


def test_an_unknown_token_has_a_box_of_its_own(lab: Lab):
    lab.write("寿司 is food")
    unknown = [piece for piece in lab.pieces("bert-base-uncased") if piece["unknown"]]
    assert [piece["spelled"]["text"] for piece in unknown] == ["UNK"]
    box = lab.page.locator(".token-lane[data-tokenizer='bert-base-uncased'] path.unknown")
    expect(box).to_have_count(1)
    stroke = box.evaluate("e => getComputedStyle(e).stroke")
    assert stroke == lab.page.locator(".token-spellings .unknown").evaluate("e => getComputedStyle(e).color")


def test_only_blocks_in_the_window_are_spelled(lab: Lab):
    asked: list[str] = []
    lab.page.on("request", lambda r: asked.append(r.url) if "/vocabulary/" in r.url else None)
    lab.set_text("\n".join(f"line {n} of unaffordable things" for n in range(4000)))
    shown = lab.page.locator(".token-spellings > span").count()
    assert 50 < shown < 1500
    ids = {each for url in asked for each in url.partition("ids=")[2].split(",")}
    assert 0 < len(ids) < 200
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 90_000")
    lab.ready()
    assert lab.page.locator(".token-spellings > span").count() < 1500
    assert "·unaff" in written(lab, "gpt2")


def test_texts_that_hurt_are_spelled_without_leaving_their_blocks(lab: Lab):
    for text in ("مرحبا بالعالم", "नमस्ते दुनिया", "👩\u200d🔬 👍🏽 🇯🇵", "x" * 300, "\u202ex\u202c\u00ad\u200b"):
        lab.set_text(text)
        for tokenizer in PAIR:
            for piece in lab.pieces(tokenizer):
                if piece["spelled"]:
                    assert piece["spelled"]["width"] * piece["spelled"]["scale"] <= label_box(piece)[2], text
        expect(lab.error).to_be_hidden()


def test_what_a_lane_says_is_drawn_again_for_another_tokenizer(lab: Lab):
    lab.write("Tokenization")
    assert written(lab, "gpt2") == ["Token", "ization"]
    lab.page.goto(lab.page.url.partition("#")[0] + "#/compare?t=gpt2&t=bert-base-uncased")
    lab.ready()
    assert written(lab, "bert-base-uncased") == ["token", "##ization"]


def legend(lab: Lab) -> list[str]:
    return lab.page.locator(".compare-work .legend li").evaluate_all("all => all.map(e => e.lastChild.textContent)")


def test_the_legend_names_what_occurs(lab: Lab):
    lab.write(FIRST)
    assert legend(lab) == [
        "Same boundaries",
        "Different boundaries",
        "Boundary inside a character",
        "Not in the vocabulary",
        "Continues a word",
        "Space",
        "Line break",
    ]
    lab.write("the")
    assert legend(lab) == ["Same boundaries"]
    expect(lab.page.locator(".status")).not_to_contain_text("Grey")
    lab.write("unaffordable")
    assert legend(lab) == ["Same boundaries", "Different boundaries", "Continues a word"]
    lab.write("")
    assert legend(lab) == []


def test_with_three_tokenizers_the_legend_has_the_shapes_of_boundaries(lab: Lab):
    lab.page.goto(lab.page.url.partition("#")[0] + "#/compare?t=bert-base-uncased&t=gpt2&t=cl100k_base")
    lab.ready()
    lab.write("unaffordable 2048 naïve")
    shown = {piece["boundary"] for piece in lab.pieces()}
    named = {"Boundary in most": "boundary-most", "Boundary in one": "boundary-one"}
    assert [words for words in legend(lab) if words in named] == [
        words for words, name in named.items() if name in shown
    ]
    assert "boundary-one" in shown


def test_a_divergence_lists_the_tokens_as_they_are_spelled(lab: Lab):
    lab.write(FIRST)
    found = lab.page.locator("divergence-list [data-row]").evaluate_all(
        """all => all.map(row => [row.querySelector('.divergence-text').textContent,
            ...[...row.querySelectorAll('.clipped')].map(e => [...e.children].map(block => block.textContent))])"""
    )
    assert found[:4] == [
        ["'t", ["'", "t"], ["'t"]],
        ["unaff", ["una", "##ff"], ["·unaff"]],
        ["ordable", ["##ord", "##able"], ["ordable"]],
        ["東", ["東"], ["↵", "E6 9D", "B1"]],
    ]
    tokens = [row[1:] for row in found]
    assert ["の", "[UNK]"] in [bert for bert, _ in tokens]
    assert ["の E5", "AF", "BF"] in [gpt2 for _, gpt2 in tokens]
    counts = lab.page.locator("divergence-list .divergence-line > .number").all_inner_texts()
    assert [int(n) for n in counts][: 2 * len(found)] == [len(names) for row in tokens for names in row]


def test_ids_stand_under_the_blocks_when_asked_for(lab: Lab):
    lab.write("Tokenization")
    lab.page.keyboard.press("Escape")
    labels = lab.page.locator(".token-lane[data-tokenizer=gpt2] .token-labels")
    expect(labels).to_have_count(0)
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("i")
    lab.ready()
    expect(labels).to_have_text("306421634")
    assert written(lab, "gpt2") == ["Token", "ization"]


def test_a_link_gives_letters_in_its_order(lab: Lab):
    lab.page.goto(lab.page.url.partition("#")[0] + "#/compare?t=o200k_base&t=gpt2&t=bert-base-uncased")
    lab.ready()
    letters = lab.page.locator(".card").evaluate_all("all => all.map(e => [e.dataset.tokenizer, e.dataset.letter])")
    assert letters == [["o200k_base", "A"], ["gpt2", "B"], ["bert-base-uncased", "C"]]


def test_the_tabs_are_named_in_full_in_a_small_window(lab: Lab):
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    tabs = lab.page.locator(".side-panel [role=tab], side-panel [role=tab]")
    expect(tabs).to_have_text(["Divergences", "Agreement", "Transfer", "Vocabulary"])
    assert tabs.evaluate_all("all => all.every(e => e.scrollWidth <= e.clientWidth + 1)")


def test_the_table_marks_unknown_tokens(lab: Lab):
    lab.write("寿司 unaffordable")
    lab.page.get_by_role("radio", name="Table").click()
    lab.ready()
    expect(lab.page.locator("stretch-table .unknown-id")).to_have_text("100")
    assert legend(lab) == ["Same boundaries", "Different boundaries", "Not in the vocabulary"]


def test_the_cards_of_four_tokenizers_show_warnings_and_differences_whole(lab: Lab):
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.page.goto(lab.page.url.partition("#")[0] + "#/compare?t=bert-base-uncased&t=gpt2&t=cl100k_base&t=o200k_base")
    lab.ready()
    lab.write(FIRST)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
    assert lab.page.locator(".card :is(.warning, .card-kind, .delta)").evaluate_all(cut) == []


def test_two_known_tokenizers_are_compared_by_a_command(lab: Lab):
    lab.page.goto(lab.page.url.partition("#")[0] + "#/compare?t=cl100k_base&t=o200k_base")
    lab.ready()
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("Compare BERT")
    lab.page.keyboard.press("Enter")
    lab.ready()
    assert lab.page.locator(".card").evaluate_all("all => all.map(e => e.dataset.tokenizer)") == PAIR
