"""Inspect: the share of a context window, the price, and the text in pieces with its marks."""

import json

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def test_share_and_price_by_the_users_figures(lab: Lab):
    meter = lab.page.locator("context-meter")
    expect(meter).to_be_hidden()
    lab.write("to be or not to be")
    lab.press(lab.switch("Context and cost"))
    expect(meter.locator("[data-role=context-used]")).to_have_text("Context window")
    expect(meter.locator("[data-role=cost]")).to_have_text("Price")
    lab.page.locator("[data-role=contextSize]").fill("8")
    lab.page.locator("[data-role=price]").fill("$2.50")
    expect(meter.locator("[data-role=context-used]")).to_have_text("75.0\u202f% of a context window of")
    expect(meter).to_have_attribute("title", "2 tokens are left")
    expect(meter.locator("[data-role=cost]")).to_have_text("$0.000015 at")
    lab.page.locator("[data-role=contextSize]").fill("4")
    expect(meter.locator("[data-role=context-used]")).to_have_text("2 over the context window of")
    lab.page.locator("[data-role=price]").fill("1,500")
    expect(meter.locator("[data-role=cost]")).to_contain_text("Write one number")
    lab.idle()
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator("[data-role=contextSize]")).to_have_value("4")


def test_pieces_are_the_text(lab: Lab):
    text = "to be 日本語 or not 👩‍🔬 to be"
    lab.write(text)
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.press(lab.page.locator("[data-role=pieces]"))
    lab.page.locator("[data-role=pieces-every]").fill("2")
    expect(lab.page.locator("[data-role=pieces-words]")).to_contain_text("moved to the start of a character")
    lab.page.locator("[data-role=copy-pieces]").click()
    expect(lab.page.locator("[data-role=pieces-message]")).to_have_text("Copied.")
    pieces = json.loads(lab.page.evaluate("navigator.clipboard.readText()"))
    assert "".join(pieces) == text
    assert pieces[0] == "to be"
    lab.page.get_by_role("button", name="Copy chunk 2").click()
    assert lab.page.evaluate("navigator.clipboard.readText()") == pieces[1]
    assert lab.page.locator(".pieces li").count() == len(pieces)
    lab.page.locator("[data-role=pieces-every]").fill("0")
    expect(lab.page.locator("[data-role=copy-pieces]")).to_be_disabled()
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator(".pieces-dialog")).to_be_hidden()


def marks(lab: Lab) -> list[tuple[int, int]]:
    """Tokens before each mark that is drawn, and where it stands in the text (UTF-16)."""
    found = lab.page.locator("[data-role=chunk-mark]").evaluate_all(
        "all => all.map(e => [+e.dataset.k, +e.dataset.at])"
    )
    return sorted((k, at) for k, at in found)


def draw_marks(lab: Lab, every: int) -> None:
    lab.press(lab.switch("Mark every"))
    lab.reveal(lab.page.locator("[data-role=chunk-size]")).fill(str(every))
    lab.ready()


def test_marks_every_n_tokens(lab: Lab):
    text = "to be or not to be, 日本語 that is the question\nwhether it is nobler"
    lab.write(text)
    assert marks(lab) == []
    draw_marks(lab, 4)
    starts = [token["start"] for token in lab.expected("gpt2", text)]
    expected = {len(text.encode()[:byte].decode(errors="ignore")) for byte in starts[4::4]}
    assert {at for _, at in marks(lab)} == expected
    assert [k for k, _ in marks(lab)][:2] == [4, 8]
    assert lab.page.locator("[data-role=pieces]").text_content() == f"{len(expected) + 1} chunks…"
    # The same numbers in the list, whose field is the same one.
    lab.press(lab.page.locator("[data-role=pieces]"))
    expect(lab.page.locator("[data-role=pieces-every]")).to_have_value("4")
    assert lab.page.locator(".pieces li").count() == len(expected) + 1
    lab.page.locator("[data-role=pieces-every]").fill("5")
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("[data-role=chunk-size]")).to_have_value("5")
    lab.ready()
    assert [k for k, _ in marks(lab)][:2] == [5, 10]
    lab.reveal(lab.page.locator("[data-role=chunk-size]")).fill("0")
    expect(lab.page.locator("[data-role=chunk-size]")).to_have_attribute("aria-invalid", "true")
    assert [k for k, _ in marks(lab)][:2] == [5, 10]


def test_a_flag_copies_its_piece(lab: Lab):
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.write("one two three four five six")
    draw_marks(lab, 2)
    lab.page.locator("[data-role=chunk-mark][data-k='4']").click()
    expect(lab.live).to_contain_text("Chunk 2 of 3 copied")
    assert lab.page.evaluate("navigator.clipboard.readText()") == " three four"


def test_marks_follow_the_typing_and_are_remembered(lab: Lab):
    lab.write("one two three four five six")
    draw_marks(lab, 3)
    assert marks(lab) == [(3, len("one two three"))]
    lab.text.focus()
    lab.page.keyboard.press("Control+Home")
    lab.page.keyboard.insert_text("zero ")
    lab.ready()
    assert marks(lab) == [(3, len("zero one two")), (6, len("zero one two three four five"))]
    lab.idle()
    lab.page.reload()
    lab.ready()
    expect(lab.page.locator("[data-role=chunk-size]")).to_have_value("3")
    expect(lab.switch("Mark every")).to_be_checked()


def test_marks_of_a_megabyte_are_those_in_the_window(lab: Lab):
    words = "the quick brown fox jumps over the lazy dog\n"
    lab.set_text(words * (1_000_000 // len(words)))
    draw_marks(lab, 64)
    assert 0 < len(marks(lab)) < 20
    lab.page.evaluate("document.querySelector('token-text').view.scrollDOM.scrollTop = 200000")
    lab.idle()
    found = marks(lab)
    assert found and all(k % 64 == 0 for k, _ in found)
    per_line = len(lab.expected("gpt2", words))
    for k, at in found:
        assert at // len(words) == k // per_line
