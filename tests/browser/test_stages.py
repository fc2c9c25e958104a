"""Inspect: the text after each stage, and what the colours of tokens mean."""

from playwright.sync_api import expect

from tests.browser.conftest import Lab

VIEW = "stage-view"


def stage(lab: Lab, name: str) -> None:
    lab.show_steps()
    lab.page.locator(f"button[data-stage={name}]").click()
    lab.ready()


def test_pretokens_and_tokens_are_those_of_the_trace(lab: Lab):
    text = "Hello, unaffordable 語"
    lab.write(text)
    stage(lab, "pretokenizer")
    trace = lab.server.call("POST", "trace", {"tokenizer": "gpt2", "text": text, "specials": "text"})
    shown = lab.page.locator(f"{VIEW} .stage-piece").all_inner_texts()
    assert [piece.replace("·", " ") for piece in shown] == [one["text"] for one in trace["pretokens"]]
    stage(lab, "model")
    ids = lab.page.locator(f"{VIEW} .stage-token small").all_inner_texts()
    assert [int(i) for i in ids] == [token["id"] for token in trace["tokens"]]
    lab.write("Hello")
    assert lab.page.locator(f"{VIEW} .stage-token").count() == 1, "it follows the text"


def test_what_the_normalizer_changes_is_marked(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.write("Café au lait")
    stage(lab, "normalizer")
    assert lab.page.locator(f"{VIEW} del").all_inner_texts() == ["C", "é"]
    assert lab.page.locator(f"{VIEW} ins").all_inner_texts() == ["c", "e"]
    stage(lab, "postprocessor")
    expect(lab.page.locator(VIEW)).to_contain_text("It adds 2 tokens")
    lab.press(lab.switch("Add special tokens"))
    lab.ready()
    expect(lab.page.locator(VIEW)).to_contain_text("switched off")


def test_escape_closes_the_stage_and_gives_the_focus_back(lab: Lab):
    stage(lab, "pretokenizer")
    expect(lab.page.locator("[data-stage=pretokenizer]")).to_have_attribute("aria-expanded", "true")
    lab.page.get_by_role("button", name="Close the stage").focus()
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator(VIEW)).to_be_hidden()
    expect(lab.page.locator("[data-stage=pretokenizer]")).to_be_focused()
    lab.page.keyboard.press("Enter")
    lab.ready()
    expect(lab.page.locator(VIEW)).to_be_visible()


def test_a_long_text_shows_the_lines_around_the_caret(lab: Lab):
    lab.set_text("".join(f"line {n}\n" for n in range(4000)))
    lab.page.evaluate("document.querySelector('token-text').moveCaret(20000)")
    stage(lab, "pretokenizer")
    expect(lab.page.locator(VIEW)).to_contain_text("around the caret")
    assert 50 < lab.page.locator(f"{VIEW} .stage-piece").count() <= 400


def test_colours(lab: Lab):
    lab.write("to be or not to be")

    def shades() -> list[str]:
        return [piece["shade"] for piece in lab.pieces()]

    assert shades() == ["k0", "k1", "k2", "k3", "k0", "k1"]
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("c")
    lab.ready()
    by_id = shades()
    assert by_id[1] == by_id[5], "the same token has the same colour"
    assert all(one.startswith("i") for one in by_id)
    choice = lab.reveal(lab.page.locator("[data-role=colour-by]"))
    legend = lab.page.locator("colour-legend")
    expect(legend).to_be_hidden()
    choice.select_option("length")
    lab.ready()
    assert [one.split()[0] for one in shades()] == ["l1", "l2", "l2", "l2", "l2", "l2"]
    assert [one.endswith(" odd") for one in shades()] == [False, True] * 3, "neighbours of a class differ"
    fills = "all => all.filter(e => e.getAttribute('d')).map(e => getComputedStyle(e).fill)"
    assert len(set(lab.page.locator(".token-blocks .shade").evaluate_all(fills))) == 3
    expect(legend).to_contain_text("5–8")
    choice.select_option("rank")
    lab.ready()
    steps = [1000, 5000, 20_000, 60_000]
    ranks = [token["rank"] for token in vocabulary(lab)]
    assert [one.split()[0] for one in shades()] == [f"r{sum(rank > step for step in steps)}" for rank in ranks]
    expect(legend).to_contain_text("no merge")
    lab.write("ab 12, 日本")
    choice.select_option("script")
    lab.ready()
    assert [one.split()[0] for one in shades()][:4] == ["s0", "s5", "s6", "s4"]
    expect(legend).to_contain_text("Han, kana, hangul")
    lab.write("to be or not to be")
    choice.select_option("grey")
    lab.ready()
    assert shades() == ["y0", "y1"] * 3
    assert len(set(lab.page.locator(".token-blocks .shade").evaluate_all(fills))) == 2


def vocabulary(lab: Lab) -> list[dict]:
    """The entries of the tokens that are drawn."""
    ids = [piece["id"] for piece in lab.pieces()]
    found = lab.server.call("GET", f"vocabulary/gpt2?ids={','.join(map(str, ids))}")["tokens"]
    return [next(one for one in found if one["id"] == id) for id in ids]
