"""Inspect: an id under every token, in two rows, or a sign that it has no room; unknown tokens look like nothing else."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lab

JAPANESE = "吾輩は猫である。名前はまだ無い。"
ARABIC = "يولد جميع الناس أحرارًا متساوين (GPT-2, 1948)."
HINDI = "सभी मनुष्यों को गौरव और अधिकारों के मामले"
EMOJI = "👩‍🔬 👨‍👩‍👧‍👦 met 🇯🇵 at 5"
# Of the ids in all rows, from the upper row to the lower.
PLACES = """rows => rows.sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .flatMap(row => [...row.children].map(e => {
        const { left, right, top, bottom } = e.getBoundingClientRect();
        return [left, right, top, bottom];
    }))"""


@pytest.mark.parametrize("tokenizer", ["gpt2", "bert-base-uncased"])
def test_every_token_has_its_id_or_dots(lab: Lab, tokenizer: str):
    lab.page.locator(f"tokenizer-chips [data-tokenizer='{tokenizer}'] .pick").click()
    for text in (JAPANESE, ARABIC, HINDI, EMOJI):
        lab.write(text)
        ids_or_dots(lab, text, tokenizer)


def ids_or_dots(lab: Lab, text: str, tokenizer: str) -> None:
    first = [piece for piece in lab.pieces() if piece["named"]]
    assert len(first) == len(lab.expected(tokenizer, text)), text
    for piece in first:
        assert bool(piece["label"]) != piece["dotted"], piece
        if piece["label"]:
            assert piece["label"] == ("[UNK]" if piece["unknown"] else str(piece["id"]))
    shown = lab.page.locator(".token-labels span").all_inner_texts()
    assert shown == [piece["label"] for piece in first if piece["label"]], "in the order of the text"
    dots = lab.page.locator("path.id-dots").evaluate_all("all => all.some(e => e.getAttribute('d'))")
    assert dots == any(piece["dotted"] for piece in first)


def test_ids_stand_under_their_tokens_and_never_on_each_other(lab: Lab):
    lab.write(f"{ARABIC} and more")
    lab.page.keyboard.press("Control+Home")
    # The row of ids that is there is kept, and the new one is put behind it.
    lab.page.keyboard.insert_text(f"{JAPANESE}\n")
    lab.ready()
    drawn = lab.page.locator(".token-labels").evaluate_all(PLACES)
    labelled = [piece for piece in lab.pieces() if piece["label"]]
    origin = labelled[0]["box"]["x"] - labelled[0]["x"]
    for piece, (left, right, top, _) in zip(labelled, drawn, strict=True):
        middle = (left + right) / 2
        assert middle == pytest.approx(piece["labelMiddle"] + origin, abs=1.5)
        assert 0 < top - piece["box"]["y"] - piece["box"]["height"] < 30
    for n, (left, right, top, bottom) in enumerate(drawn):
        for other in drawn[:n]:
            apart = other[1] <= left or right <= other[0] or other[3] <= top + 2 or bottom <= other[2] + 2
            assert apart, (drawn[n], other)


def test_an_id_without_room_is_shown_when_its_token_is_pointed_at_or_chosen(lab: Lab):
    lab.write(JAPANESE)
    piece = next(piece for piece in lab.pieces() if piece["dotted"])
    lab.point_at(piece["box"])
    mark = lab.page.locator(".token-mark.linked")
    expect(mark).to_have_attribute("data-label", str(piece["id"]))
    expect(lab.page.locator(".status")).to_contain_text(f"id {piece['id']}")
    # An id of the second row is covered by its label, and is not written twice.
    second = next(piece for piece in lab.pieces() if piece["labelRow"] == 1)
    lab.point_at(second["box"])
    expect(mark).to_have_attribute("data-id", str(second["id"]))
    top, box = mark.evaluate("e => [parseFloat(getComputedStyle(e, '::after').top), e.getBoundingClientRect().bottom]")
    height = mark.evaluate("e => e.getBoundingClientRect().height")
    tops = lab.page.locator(".token-labels .second").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert min(abs(box - height + top - other) for other in tops) < 3
    lab.page.keyboard.press("Control+Home")
    chosen = lab.page.locator(".token-mark.on").first
    expect(chosen).to_have_attribute("data-label", str(lab.pieces()[0]["id"]))


def test_an_unknown_token_has_a_look_and_a_name_of_its_own(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.write("the 寿 👩‍🔬 cat")
    unknown = [piece for piece in lab.pieces() if piece["unknown"]]
    assert len(unknown) == 2
    expect(lab.page.locator(".token-labels .unknown")).to_have_text(["[UNK]", "[UNK]"])
    frame = lab.page.locator("path.unknown").first
    assert frame.get_attribute("d")
    look = frame.evaluate("e => { const { fill, stroke } = getComputedStyle(e); return [fill, stroke]; }")
    variables = lab.page.evaluate(
        """() => ['--unknown-soft', '--unknown'].map(name => {
            const probe = document.body.appendChild(document.createElement('i'));
            probe.style.color = `var(${name})`;
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
        })"""
    )
    assert look == variables
    assert lab.page.locator("path.mixed").count() == 0, "the hatch says another thing"


def test_a_token_that_wraps_has_its_id_where_most_of_it_is(lab: Lab):
    lab.set_text(" uninterestingly" * 30)
    pieces = lab.pieces()
    for piece in pieces:
        if not piece["named"]:
            other = next(one for one in pieces if one["token"] == piece["token"] and one["named"])
            assert other["width"] >= piece["width"]
    named = [piece["token"] for piece in pieces if piece["named"]]
    assert sorted(named) == sorted({piece["token"] for piece in pieces})
    assert any(piece["part"] for piece in pieces), "a token wraps"


def test_rows_are_lower_without_ids(lab: Lab):
    lab.write("hello world")
    row = "document.querySelector('token-text .cm-line').getBoundingClientRect().height"
    assert 66 <= lab.page.evaluate(row) <= 74
    lab.page.keyboard.press("Escape")
    lab.page.evaluate("document.activeElement.blur()")
    lab.page.keyboard.press("i")
    lab.ready()
    assert lab.page.evaluate(row) <= 44
    assert lab.page.locator(".token-labels span").count() == 0
