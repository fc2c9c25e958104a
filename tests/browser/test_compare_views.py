"""Compare, its three views, the tokenizers it leaves out, and in how many tokenizers a boundary is."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab
from tests.naive_divergence import boundary_mask
from tests.scale import few, scaled

THREE = ["bert-base-uncased", "gpt2", "cl100k_base"]
HOSTILE = "<script>alert(1)</script> & \"quoted\" 'x' \u202eevil\u202c \x00 日本語 👩\u200d🔬 مرحبا"


@pytest.fixture
def preferences() -> dict:
    return {"chosen": THREE, "active": "gpt2", "theme": "light"}


@pytest.fixture
def lab(lab: Lab) -> Lab:
    lab.go("compare")
    return lab


def view(lab: Lab, name: str) -> None:
    lab.press(lab.radio(name))
    lab.ready()


def column(lab: Lab, number: int) -> list[dict]:
    """What a column draws, as `lab.tokens` has it."""
    lane = lab.page.locator(".side token-text").nth(number).evaluate("e => e.drawnLanes[0]")
    found = [{name: piece[name] for name in ("id", "start", "end")} for piece in lane["pieces"] if not piece["part"]]
    return sorted(found, key=lambda token: (token["start"], token["end"]))


def scroll_tops(lab: Lab) -> list[int]:
    return lab.page.locator(".side .cm-scroller").evaluate_all("all => all.map(e => Math.round(e.scrollTop))")


def test_side_by_side_shows_each_tokenizers_own_tokens(lab: Lab):
    for text in ("hello unaffordable world", HOSTILE):
        view(lab, "Aligned")
        lab.set_text(text)
        view(lab, "Side by side")
        for number, tokenizer in enumerate(THREE):
            assert column(lab, number) == lab.expected(tokenizer, text), text
        assert lab.page.locator("script:not([src])").count() == 0
        assert lab.page.locator(".side token-text").evaluate_all("all => all.map(e => e.text)") == [text] * 3


def test_side_by_side_is_read_and_not_written(lab: Lab):
    lab.write("some text")
    view(lab, "Side by side")
    lab.page.locator(".side .cm-content").first.click()
    lab.page.keyboard.type("x")
    assert lab.page.locator(".side token-text").first.evaluate("e => e.text") == "some text"
    view(lab, "Aligned")
    lab.text.click()
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.type("!")
    lab.ready()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "some text!")


@pytest.mark.parametrize("joint", few(["\n", " "]))
def test_columns_scroll_together(lab: Lab, joint: str):
    lab.set_text(joint.join(f"line {n} of unaffordable 日本語 things" for n in range(3000)))
    view(lab, "Side by side")
    column = lab.page.locator(".side .cm-scroller").nth(1)
    column.hover()
    for _ in range(4):
        lab.page.mouse.wheel(0, 900)
        lab.frames()

    def together() -> bool:
        tops = scroll_tops(lab)
        return tops[1] > 1000 and max(tops) - min(tops) <= 2

    lab.until(together, "the columns are at the same place")
    first = lab.page.locator(".side token-text").evaluate_all("all => all.map(e => Math.round(e.shown.from))")
    assert max(first) - min(first) <= 40


SHOWS_THE_SAME_ROW = """() => {
  const [other, leader] = [...document.querySelectorAll('.side token-text')].map(text => text.view);
  const box = leader.scrollDOM.getBoundingClientRect();
  const pos = leader.posAtCoords({ x: box.left + 70, y: box.top + 30 }, false);
  const [a, b] = [other, leader].map(view => view.coordsAtPos(pos)?.top);
  return leader.scrollDOM.scrollTop > 10_000 && Math.abs(a - b) <= 1;
}"""


def test_columns_show_the_same_row_at_the_top_after_a_jump(lab: Lab):
    # Rows of the lines that were not on the screen yet are guessed, otherwise in each column.
    # CodeMirror warns if its guesses of heights need more than five rounds in one frame; it goes on in the next frame.
    lab.tolerated = ("Measure loop restarted",)
    lines = (f"{n} " + "unaffordable 日本語 things " * (n % 23) for n in range(scaled(5_000)))
    lab.set_text("\n".join(lines))
    view(lab, "Side by side")
    second = lab.page.locator(".side .cm-scroller").nth(1)
    second.hover()
    for share in (0.31, 0.87, 0.5):
        second.evaluate("(scroller, share) => { scroller.scrollTop = share * scroller.scrollHeight; }", share)
        lab.until(lambda: lab.page.evaluate(SHOWS_THE_SAME_ROW), "both columns show the same row")


def test_hover_is_linked_over_the_columns(lab: Lab):
    lab.write("the unaffordable house")
    view(lab, "Side by side")
    lanes = lab.page.locator(".side[data-tokenizer=gpt2] token-text").evaluate("e => e.drawnLanes")
    lab.point_at(lanes[0]["pieces"][1]["box"])
    expect(lab.page.locator(".side[data-tokenizer=gpt2] .token-mark.on")).to_have_count(1)
    lab.idle()
    assert lab.page.locator(".side[data-tokenizer='bert-base-uncased'] .token-mark.linked").count() >= 1
    assert lab.page.locator(".side[data-tokenizer=cl100k_base] .token-mark.linked").count() >= 1


def test_the_table_has_every_token_in_one_row(lab: Lab):
    text = "Tokenization isn't neutral: a 2048-token window of 日本語 def naïve_café(x)"
    lab.write(text)
    view(lab, "Table")
    rows = lab.page.locator("stretch-table [data-differs]").evaluate_all(
        "all => all.map(e => [+e.dataset.start, +e.dataset.end, e.dataset.differs === 'true'])"
    )
    answer = lab.server.call("POST", "compare", {"tokenizers": THREE, "text": text, "specials": "text"})
    assert [row[:2] for row in rows if row[2]] == [one["span_utf8"] for one in answer["divergences"]]
    assert rows[0][0] == 0 and rows[-1][1] == len(text.encode())
    assert all(before[1] == after[0] for before, after in pairwise(rows))
    for number, tokenizer in enumerate(THREE):
        ids = lab.page.locator(f"stretch-table [data-tokenizer='{tokenizer}'] .number").all_inner_texts()
        alike = lab.page.locator("stretch-table [data-counts]").evaluate_all("all => all.map(e => e.dataset.counts)")
        in_rows = sum(len(each.split()) for each in ids)
        assert in_rows + sum(int(each.split(",")[number]) for each in alike) == len(lab.expected(tokenizer, text))
        differing = {token["id"] for token in lab.expected(tokenizer, text)}
        assert {int(one) for each in ids for one in each.split()} <= differing


def test_a_row_of_the_table_leads_to_the_text(lab: Lab):
    lab.set_text("\n".join(f"plain words here {n} unaffordable" for n in range(600)))
    view(lab, "Table")
    rows = lab.page.locator("stretch-table [data-row]")
    assert rows.count() < 60, "only rows in the window are in the page"
    lab.page.keyboard.press("p")
    expect(lab.page.locator("stretch-table [aria-selected=true]")).to_be_visible()
    start = int(lab.page.locator("stretch-table [aria-selected=true] [data-start]").get_attribute("data-start") or 0)
    lab.page.locator("stretch-table [aria-selected=true]").press("Enter")
    lab.ready()
    expect(lab.radio("Aligned")).to_have_attribute("aria-checked", "true")
    shown = lab.page.evaluate("(e => [e.shown.from, e.shown.to])(document.querySelector('token-text'))")
    assert shown[0] - 60 <= start <= shown[1] + 60


def test_hostile_text_in_the_table_is_text(lab: Lab):
    lab.set_text(HOSTILE)
    view(lab, "Table")
    assert lab.page.locator("script:not([src])").count() == 0
    assert "\u202e" not in lab.page.locator("stretch-table").inner_text()
    assert "RLO" in lab.page.locator("stretch-table").inner_text()


def test_the_view_is_remembered_and_in_the_address(lab: Lab):
    view(lab, "Table")
    lab.page.keyboard.press("b")
    lab.ready()
    assert lab.page.evaluate("location.hash") == "#/compare"
    lab.idle()
    saved = lab.server.call("GET", "preferences")
    assert saved["compare.view"] == "table" and saved["compare.hidden"] == ["gpt2"]
    lab.page.goto(lab.page.url.split("#")[0] + "#/compare?t=gpt2&t=cl100k_base&t=o200k_base&compare=side&off=gpt2")
    lab.ready()
    assert lab.page.locator(".side").count() == 2
    lab.page.goto(lab.page.url.split("#")[0] + "#/compare?t=gpt2&t=cl100k_base")
    lab.ready()
    assert lab.page.locator("[data-role=lane]").count() == 2, "what an address leaves out is as usual"
    expect(lab.radio("Aligned")).to_have_attribute("aria-checked", "true")


def test_compact_lines_show_the_same_tokens(lab: Lab):
    """The blocks stay; their letters, IDs and what else takes room leave."""
    lab.set_text("".join(f"line {n} of unaffordable words\n" for n in range(40)))
    drawn = """() => {
        const text = document.querySelector('.compare token-text');
        const tokens = text.drawnLanes.map(({ pieces }) => pieces.slice(0, 8).map(piece => [piece.token, piece.shade]));
        const height = document.querySelector('.cm-line').getBoundingClientRect().height;
        return [tokens, height, text.querySelectorAll('.token-spellings > *').length];
    }"""
    lab.press(lab.switch("IDs"))
    tokens, height, spelled = lab.page.evaluate(drawn)
    assert spelled > 0
    lab.press(lab.switch("Compact lines"))
    lab.ready()
    compact_tokens, compact_height, compact_spelled = lab.page.evaluate(drawn)
    assert [compact_tokens, compact_spelled] == [tokens, 0]
    assert compact_height < height / 3
    lab.idle()
    lab.page.reload()
    lab.ready()
    assert lab.page.evaluate(drawn)[1] == compact_height, "it is remembered"


def test_letters_hide_and_show_tokenizers(lab: Lab):
    text = "Tokenization isn't neutral: a 2048-token window"
    lab.write(text)
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("b")
    lab.ready()
    assert lab.page.locator("[data-role=lane]").evaluate_all("all => all.map(e => e.dataset.tokenizer)") == [
        "bert-base-uncased",
        "cl100k_base",
    ]
    body = {"tokenizers": ["bert-base-uncased", "cl100k_base"], "text": text, "specials": "text"}
    assert lab.page.locator("[data-role=divergence]").count() == len(
        lab.server.call("POST", "compare", body)["divergences"]
    )
    card = lab.page.locator(".card[data-tokenizer=gpt2]")
    expect(card.get_by_role("button", name="Compare GPT-2")).to_have_attribute("aria-pressed", "false")
    assert lab.count("gpt2") == len(lab.expected("gpt2", text)), "still that of this text"
    lab.write("another text")
    expect(card.locator("[data-role=count]")).to_have_text("–")
    card.get_by_role("button", name="Compare GPT-2").click()
    lab.ready()
    expect(card.get_by_role("button", name="Compare GPT-2")).to_be_focused()
    assert lab.tokens("gpt2") == lab.expected("gpt2", "another text")


def test_an_empty_text_in_every_view(lab: Lab):
    lab.write("")
    expect(lab.page.locator(".card[data-tokenizer='bert-base-uncased']")).to_contain_text("– characters per token")
    for name in ("Side by side", "Table", "Aligned"):
        view(lab, name)
        assert lab.page.locator("stretch-table [data-row], .side .token-labels").count() == 0
        expect(lab.error).to_be_hidden()
    expect(lab.page.locator("divergence-list")).to_contain_text("Type or paste a text to see where")
    lab.write("words again")
    expect(lab.page.locator("divergence-list")).not_to_contain_text("Type or paste")
    assert lab.tokens("gpt2") == lab.expected("gpt2", "words again")


def test_a_divergence_is_written_as_the_text_is(lab: Lab):
    """Its letters one by one: a ligature would show "->" as an arrow. The map has a frame where more is out of view."""
    lab.write("a -> b\n")
    title = lab.page.locator(".divergence-text").first
    expect(title).to_have_text("->")
    assert title.evaluate("e => getComputedStyle(e).fontVariantLigatures") == "none"
    frame = lab.page.locator(".map-frame")
    expect(frame).to_be_hidden()
    lab.set_text("a -> b\n" * 200)
    expect(frame).to_be_visible()


def test_what_is_hidden_is_in_no_file(lab: Lab):
    lab.write("hello world")
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("b")
    lab.ready()
    lab.page.keyboard.press("Control+e")
    lab.page.keyboard.type("export table")
    with lab.page.expect_download() as started:
        lab.page.keyboard.press("Enter")
    assert started.value.suggested_filename == "bert-base-uncased-cl100k_base.csv"
    with Path(started.value.path()).open(encoding="utf-8", newline="") as file:
        assert {row["tokenizer"] for row in csv.DictReader(file)} == {"bert-base-uncased", "cl100k_base"}


def test_ids_side_by_side(lab: Lab):
    lab.write("hello world")
    view(lab, "Side by side")
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator(".side[data-tokenizer=gpt2] .token-labels")).to_contain_text("995")
    lab.page.locator(".side .cm-content").first.focus()
    lab.page.keyboard.press("i")
    lab.ready()
    expect(lab.page.locator(".side .token-labels")).to_have_count(0)


def test_letters_are_letters_while_typing(lab: Lab):
    lab.write("")
    lab.page.keyboard.type("abcnp")
    lab.ready()
    assert lab.current_text == "abcnp"
    assert lab.page.locator("[data-role=lane]").count() == 3
    expect(lab.page.locator("[data-role=divergence-position]")).not_to_contain_text(" of ")


def test_one_tokenizer_stays_and_is_shown_alone(lab: Lab):
    lab.write("the unaffordable house")
    lab.page.keyboard.press("Escape")
    for key in "ab":
        lab.page.keyboard.press(key)
        lab.ready()
    assert lab.tokens("cl100k_base") == lab.expected("cl100k_base", "the unaffordable house")
    expect(lab.page.locator(".few")).to_contain_text("Select at least two tokenizers")
    lab.page.keyboard.press("c")
    expect(lab.live).to_contain_text("is the last one that is shown")
    lab.page.get_by_role("button", name="Show all").click()
    lab.ready()
    assert lab.page.locator("[data-role=lane]").count() == 3


def test_cuts_by_how_many_tokenizers_have_them(lab: Lab):
    text = "  Tokenization isn't\u3000neutral: a 2048-token\n\n window of 日本語 def naïve_café(x) 👩\u200d🔬 مرحبا بالعالم \n"
    lab.set_text(text)
    lab.page.get_by_role("tab", name="Agreement").click()
    cuts_are_counted(lab, text, ignore=True)
    lab.press(lab.switch("Ignore which token keeps the space"))
    lab.ready()
    cuts_are_counted(lab, text, ignore=False)


def cuts_are_counted(lab: Lab, text: str, *, ignore: bool) -> None:
    number = np.zeros(len(text.encode()) + 1, int)
    masks = {}
    for tokenizer in THREE:
        spans = [(token["start"], token["end"]) for token in lab.expected(tokenizer, text)]
        masks[tokenizer] = boundary_mask(text, np.array(spans, np.uint32), ignore_spaces=ignore)
        number += masks[tokenizer]
    shown = {
        name: int(lab.page.locator(f"agreement-matrix [data-class={name}]").inner_text())
        for name in ("all", "most", "one")
    }
    assert shown == {name: int((number[1:-1] == n).sum()) for name, n in (("all", 3), ("most", 2), ("one", 1))}
    # What is drawn at the start of a token is the class of that place.
    behind = [False, *(c.isspace() for c in text for _ in c.encode())]
    moved = [max(n for n in range(at + 1) if not (ignore and behind[n])) for at in range(number.size)]
    names = {3: "boundary-all", 2: "boundary-most", 1: "boundary-one"}
    for tokenizer in THREE:
        drawn = [(piece["start"], piece["boundary"]) for piece in lab.pieces(tokenizer) if not piece["part"]]
        assert drawn and [each for each in drawn if each[1] != names[int(number[moved[each[0]]])]] == []


def test_a_list_higher_than_a_browser_draws_is_reached_to_its_end(lab: Lab):
    """A text of ten megabytes has more than a million rows; an element of as many pixels there is not."""
    found = lab.page.evaluate(
        """async () => {
            const list = document.createElement('virtual-list'), rows = 2_000_000, frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)));
            list.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 200px; height: 500px; z-index: 999';
            document.body.append(list);
            list.start({ rowHeight: 50, label: 'rows', drawRow: row => [String(row)] });
            list.count = rows;
            const seen = async act => {
                act();
                await frame();
                const box = list.getBoundingClientRect();
                return [...list.querySelectorAll('[data-row]')].filter(e => { const r = e.getBoundingClientRect(); return r.top >= box.top - 1 && r.bottom <= box.bottom + 1; }).map(e => +e.dataset.row).sort((a, b) => a - b);
            };
            const answers = [await seen(() => { list.chosen = rows - 1; }), await seen(() => { list.centre(1_234_567); }), await seen(() => { list.chosen = 1_234_560; }), await seen(() => { list.scrollTop = 0; })];
            list.remove();
            return answers;
        }"""
    )
    end, middle, up, start = found
    assert end == list(range(1_999_990, 2_000_000))
    assert 1_234_567 in middle and 9 <= len(middle) <= 10
    assert 1_234_560 in up and 9 <= len(up) <= 10
    assert start == list(range(10))


def test_without_an_answer_nothing_of_the_last_one_stays(lab: Lab):
    lab.tolerated = ("status of 422",)
    lab.page.get_by_role("tab", name="Agreement").click()
    expect(lab.page.locator("agreement-matrix table")).to_be_visible()
    lab.treat_special_text("error")
    lab.write("a <|endoftext|>")
    expect(lab.error).to_be_visible()
    expect(lab.page.locator("agreement-matrix table")).to_have_count(0)
    view(lab, "Side by side")
    assert lab.page.locator(".side token-text").evaluate_all("all => all.flatMap(e => e.drawnLanes)") == []
    view(lab, "Aligned")
    lab.write("good again")
    expect(lab.page.locator("agreement-matrix table")).to_be_visible()
    view(lab, "Side by side")
    assert column(lab, 1) == lab.expected("gpt2", "good again")


def test_a_row_that_the_filter_hides_ends_the_filter(lab: Lab):
    lab.take_sample("mixed")
    total = int(lab.page.locator("[data-role=divergence-position]").inner_text().split()[0])
    lab.page.locator("[data-kind=numbers]").click()
    view(lab, "Table")
    lab.page.locator("stretch-table [data-differs=true]").first.click()
    expect(lab.page.locator("[data-role=divergence-position]")).to_have_text(f"1 of {total} divergences")


def test_a_pair_of_which_one_is_removed_is_not_reported(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer=cl100k_base] .pick").press("Delete")
    lab.ready()
    lab.page.get_by_role("tab", name="Vocab").click()
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").press("Delete")
    lab.ready()
    lab.idle()
    expect(lab.page.locator("pair-report:visible")).to_contain_text("Two tokenizers are needed")


def test_a_character_at_the_end_of_what_is_shown_is_whole(lab: Lab):
    lab.write("x " * 59 + "x" + "👩‍🔬" * 20 + " 2048 日本")
    view(lab, "Table")
    assert "U+D8" not in lab.page.locator("stretch-table").inner_text()


@pytest.mark.new_document
def test_back_to_aligned_at_the_end_of_a_long_line_looks_at_what_is_shown(lab: Lab):
    lab.go("compare")
    # The editor guesses heights in a long line and may look more than five times before they hold.
    lab.tolerated = ("Viewport failed to stabilize",)
    words = "one line of unaffordable words, 12 345 of them. " * 11_000
    lab.set_text(words)
    lab.ready()
    lab.page.evaluate("""() => {
      const { doc } = document.querySelector('token-text').view.state, { sliceString } = doc.constructor.prototype;
      window.longest = 0;
      doc.constructor.prototype.sliceString = function (from, to, ...rest) {
        window.longest = Math.max(window.longest, (to ?? this.length) - from);
        return sliceString.call(this, from, to, ...rest);
      };
    }""")
    for view, element in (("Side by side", "side-by-side"), ("Table", "stretch-table")):
        lab.page.evaluate("document.querySelector('.compare-pane > token-text').view.scrollDOM.scrollTop = 0")
        lab.idle()
        lab.press(lab.radio(view))
        lab.ready()
        pane = lab.page.locator(element)
        for _ in range(3):  # heights of what was not on the screen are guessed
            pane.evaluate(
                "pane => pane.querySelectorAll('.cm-scroller, virtual-list').forEach(e => { e.scrollTop = 1e9; })"
            )
            lab.idle()
        before = pane.evaluate("pane => pane.shown")
        assert before["from"] > 400_000, view
        lab.page.evaluate("window.longest = 0")
        lab.press(lab.radio("Aligned"))
        lab.ready()
        assert lab.page.evaluate("window.longest") < 100_000, "not the whole line, of which a window is on the screen"
        shown = lab.page.evaluate("document.querySelector('.compare-pane > token-text').shown")
        assert abs(shown["from"] + shown["to"] - before["from"] - before["to"]) < 10_000, view
        assert lab.tokens(), f"and it is drawn, after {view}"
