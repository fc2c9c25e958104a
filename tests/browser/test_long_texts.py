"""Long texts are kept by the backend and edited: what is drawn is what the engine gives for the text as it is.

How fast that is: `make bench-ui`. A megabyte and ten: test_large.py.
"""

import json
import random
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Lab
from tests.generators import texts
from tests.scale import few, scaled

LINE = "The unaffordable naïve café served 2048 guests; 東京都 and नमस्ते 👩‍🔬, don't. "
LONG = (LINE * 6 + "\n") * 80
EDITS = "**/api/v1/documents/*/edits"
LINE_OF_EDITS = re.compile(r"/api/v1/documents/[^/]+/edits$")
GONE = {"error": {"code": "document_gone", "message": "gone", "hint": ""}}


def change(lab: Lab, start: int, end: int, insert: str) -> None:
    """One edit, brought into view; nobody waits for it."""
    lab.page.evaluate(
        """([from, to, insert]) => {
            const { view } = document.querySelector('token-text');
            view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, scrollIntoView: true });
        }""",
        [start, end, insert],
    )


def assert_exact(lab: Lab, *tokenizers: str) -> None:
    for tokenizer in tokenizers:
        expected = lab.expected(tokenizer, lab.current_text)
        places = {(token["id"], token["start"], token["end"]) for token in expected}
        drawn = lab.tokens(tokenizer)
        assert drawn and all((token["id"], token["start"], token["end"]) in places for token in drawn)
        inner = [token for token in expected if drawn[0]["start"] <= token["start"] <= drawn[-1]["start"]]
        assert len(drawn) >= len(inner), "no token between those that are drawn is missing"


def in_units(text: str, at: int) -> int:
    return len(text[:at].encode("utf-16-le")) // 2


@pytest.mark.parametrize("screen", few(["inspect", "compare"]))
def test_random_edits(lab: Lab, screen: str):
    lab.go(screen)
    lab.set_text(LONG)
    chance, pieces = random.Random(2), list(texts(scaled(12), seed=2))
    for n, piece in enumerate(pieces):
        text = lab.current_text
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((0, 0, 1, 40)))
        clean = "".join(c for c in piece[:20] if c.isprintable() or c == "\n")
        change(lab, in_units(text, start), in_units(text, end), clean)
        if n % 3 == 2:  # the others go on while the one before is on its way
            lab.ready()
            assert_exact(lab, "gpt2", *(["bert-base-uncased"] if screen == "compare" else []))
    if screen == "inspect":
        lab.ready()
        assert (
            lab.count("gpt2")
            == lab.server.call("POST", "tokenize", {"tokenizer": "gpt2", "text": lab.current_text, "specials": "text"})[
                "count"
            ]
        )


def test_divergences_after_an_edit_are_those_of_the_text(lab: Lab):
    lab.go("compare")
    lab.set_text(LONG)
    change(lab, 5000, 5010, "unbelievable 12345 ")
    lab.ready()
    body = {"tokenizers": ["bert-base-uncased", "gpt2"], "text": lab.current_text, "specials": "text"}
    found = lab.server.call("POST", "compare", body)
    expect(lab.page.locator("[data-role=divergence-position]")).to_contain_text(
        f"{len(found['divergences']):,}".replace(",", "\u202f") + " divergence"
    )


@pytest.mark.new_document
def test_old_tokens_move_along_and_typing_goes_on_while_an_answer_is_awaited(lab: Lab):
    sent: list[str] = []
    lines: list[WebSocketRoute] = []

    def hold_the_first(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        lines.append(server)

        def on_message(message: str) -> None:
            sent.append(message)
            if len(sent) > 1:
                server.send(message)

        line.on_message(on_message)

    lab.page.route_web_socket(LINE_OF_EDITS, hold_the_first)
    lab.set_text(LONG)
    before = lab.tokens("gpt2")
    lab.idle()
    change(lab, 0, 0, "Xy")
    lab.until(lambda: sent, "the edit is sent")
    assert lab.tokens("gpt2")[:5] == before[:5], "the old tokens are still there, with the places they were given"
    change(lab, 2, 2, "z and more ")
    lab.frames()
    assert len(sent) == 1, "one edit is on its way at a time"
    lines[0].send(sent[0])
    lab.ready()
    assert lab.current_text.startswith("Xyz and more The")
    assert_exact(lab, "gpt2")


def test_edits_go_by_a_line_that_stays_open(lab: Lab):
    asked: list[str] = []
    lab.page.on("request", lambda request: asked.append(request.url))
    with lab.page.expect_websocket(lambda line: LINE_OF_EDITS.search(line.url) is not None) as opened:
        lab.set_text(LONG)
    lab.idle()
    with opened.value.expect_event("framereceived"):
        change(lab, 0, 3, "Those")
    lab.ready()
    assert not [url for url in asked if LINE_OF_EDITS.search(url)], "no request for an edit"
    assert_exact(lab, "gpt2")


@pytest.mark.new_document
@pytest.mark.parametrize("end", ["told", "closed"])
def test_a_line_that_ends_is_no_end_of_editing(lab: Lab, end: str):
    def cut(line: WebSocketRoute) -> None:
        def on_message(_message: str) -> None:
            if end == "told":
                line.send(json.dumps(GONE))
            line.close()

        line.on_message(on_message)

    lab.page.route_web_socket(LINE_OF_EDITS, cut)
    lab.set_text(LONG)
    lab.idle()
    with lab.page.expect_request(lambda request: request.method == "DELETE"):  # the backend need not keep what was open
        change(lab, 0, 3, "Those")
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert lab.current_text.startswith("Those")
    assert_exact(lab, "gpt2")


def without_lines(lab: Lab) -> None:
    """As where something between the page and the backend passes no WebSockets."""
    lab.page.route_web_socket(LINE_OF_EDITS, lambda line: line.close())


@pytest.mark.new_document
def test_edits_go_as_requests_where_no_line_can_be_had(lab: Lab):
    without_lines(lab)
    lab.set_text(LONG)
    lab.idle()
    with lab.page.expect_request(EDITS):
        change(lab, 0, 3, "Those")
    lab.ready()
    assert_exact(lab, "gpt2")


@pytest.mark.new_document
def test_a_document_that_is_gone_is_opened_again(lab: Lab):
    lab.tolerated = ("status of 410",)
    without_lines(lab)
    lab.set_text(LONG)
    lab.page.route(
        EDITS, lambda route: route.fulfill(status=410, body=json.dumps(GONE), content_type="application/json")
    )
    change(lab, 0, 3, "Those")
    lab.ready()
    expect(lab.error).to_be_hidden()
    assert_exact(lab, "gpt2")
    lab.page.unroute(EDITS)
    change(lab, 0, 5, "These")
    lab.ready()
    assert_exact(lab, "gpt2")


def test_half_of_a_pair_is_never_sent(lab: Lab):
    lab.set_text("👩" + LONG)
    change(lab, 0, 2, "👨")
    lab.page.evaluate(
        """() => document.querySelector('token-text').view.dispatch({
            changes: { from: 1, to: 2, insert: String.fromCharCode(0xdc67) },
        })"""
    )
    lab.ready()
    assert lab.current_text.startswith("👧")
    assert_exact(lab, "gpt2")


def test_short_again(lab: Lab):
    lab.set_text(LONG)
    lab.write("small again")
    assert lab.tokens("gpt2") == lab.expected("gpt2", "small again")
    lab.set_text(LONG)
    assert_exact(lab, "gpt2")


def test_find_in_the_whole_text(lab: Lab):
    lab.set_text(LONG + "a needle at the end")
    lab.text.focus()
    lab.page.keyboard.press("Control+f")
    field = lab.page.locator(".cm-search [name=search]")
    expect(field).to_be_focused()
    lab.page.keyboard.type("needle")
    lab.page.keyboard.press("Enter")
    lab.ready()
    found = """(() => {
        const { view } = document.querySelector('token-text'), { from, to } = view.state.selection.main;
        return view.state.sliceDoc(from, to);
    })()"""
    assert lab.page.evaluate(found) == "needle"
    assert_exact(lab, "gpt2")
    lab.page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    lab.ready()
    assert lab.current_text.endswith("a needle at the end")


def test_a_long_text_says_whether_decoding_gives_it_back(lab: Lab):
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").click()
    lab.set_text("hello world " * 2500 + "hello")
    lab.show_steps()
    decoder = lab.page.locator("pipeline-strip [data-stage=decoder]")
    expect(decoder).to_contain_text("lossless")
    lab.text.focus()
    lab.page.keyboard.insert_text("É")
    lab.ready()
    expect(decoder).to_contain_text("changes the text")


def test_letters_at_the_end_of_a_long_line_are_in_their_boxes(lab: Lab):
    """After a gap of the editor, whose height is not a whole number of rows."""
    for length in (108_000, 216_000):
        lab.set_text(("The quick brown fox jumps over the lazy dog, and naïve cafés. " * 3500)[:length])
        lab.choose(length - 9)
        lab.idle()
        for at in (length - 9, length - 400):
            middle = lab.page.evaluate(
                """at => {
                    const { top, bottom } = document.querySelector('token-text').view.coordsAtPos(at, 1);
                    return (top + bottom) / 2;
                }""",
                at,
            )
            byte = len(lab.current_text[:at].encode())
            boxes = [piece["box"] for piece in lab.pieces("gpt2") if piece["start"] <= byte < piece["end"]]
            offsets = [box["y"] + box["height"] / 2 - middle for box in boxes]  # a token that wraps has two
            assert min(map(abs, offsets)) <= 2, (length, at, offsets)
